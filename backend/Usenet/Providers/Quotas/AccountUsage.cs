namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>Bytes that an account has used, to be kept between two runs.</summary>
/// <param name="Account">Identifies the account: host, port and user name.</param>
/// <param name="Since">When the counted period began.</param>
/// <param name="Bytes">Bytes received since, as counted on the network.</param>
public sealed record AccountUsage(string Account, DateTimeOffset Since, long Bytes);
