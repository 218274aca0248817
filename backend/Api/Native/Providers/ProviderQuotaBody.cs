namespace NzbDav.Api.Native.Providers;

/// <summary>How much an account may bring, and has brought.</summary>
/// <param name="Bytes">All of it, in bytes as they come from the network.</param>
/// <param name="Used">What came since it began anew; may be a little more.</param>
/// <param name="ResetsAt">When it begins anew; null: never.</param>
internal sealed record ProviderQuotaBody(long Bytes, long Used, DateTimeOffset? ResetsAt);
