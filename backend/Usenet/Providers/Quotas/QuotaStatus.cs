namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>State of an account's quota.</summary>
/// <param name="Bytes">The quota in bytes.</param>
/// <param name="Used">Bytes used in this period; may exceed the quota a little.</param>
/// <param name="Resets">When it starts over; null: never.</param>
public sealed record QuotaStatus(long Bytes, long Used, DateTimeOffset? Resets)
{
    /// <summary>Nothing is left.</summary>
    public bool IsUsedUp => Used >= Bytes;
}
