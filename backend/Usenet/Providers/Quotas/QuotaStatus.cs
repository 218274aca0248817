namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>How an account's quota stands.</summary>
/// <param name="Bytes">All of it.</param>
/// <param name="Used">What came in this period; may be a little more than all of it.</param>
/// <param name="Resets">When it begins anew; null: never.</param>
public sealed record QuotaStatus(long Bytes, long Used, DateTimeOffset? Resets)
{
    /// <summary>Nothing is left.</summary>
    public bool IsUsedUp => Used >= Bytes;
}
