namespace NzbDav.Api.Native.Providers;

/// <summary>An account's quota and how much of it is used.</summary>
/// <param name="Bytes">The whole quota, in bytes received from the network.</param>
/// <param name="Used">Bytes received since the last reset; may exceed the quota a little.</param>
/// <param name="ResetsAt">When it is reset; null: never.</param>
internal sealed record ProviderQuotaBody(long Bytes, long Used, DateTimeOffset? ResetsAt);
