namespace NzbDav.Api.Native.Providers;

/// <summary>Connections of a provider.</summary>
/// <param name="Open">Open and logged in.</param>
/// <param name="Busy">Those of them with a request in progress.</param>
/// <param name="Configured">The most that the settings allow.</param>
/// <param name="Granted">The most that the account was seen to allow, if that is fewer; otherwise null.</param>
/// <param name="Share">The most that this gateway may have now, where several gateways share one database; otherwise null.</param>
internal sealed record ProviderConnectionsBody(int Open, int Busy, int Configured, int? Granted, int? Share);
