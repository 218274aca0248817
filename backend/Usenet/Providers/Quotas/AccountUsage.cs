namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>What an account brought, to be kept between two runs.</summary>
/// <param name="Account">Tells accounts apart: host, port and user name.</param>
/// <param name="Since">When the period began that is counted.</param>
/// <param name="Bytes">What came since, as it came from the network.</param>
public sealed record AccountUsage(string Account, DateTimeOffset Since, long Bytes);
