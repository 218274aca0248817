namespace NzbDav.Api.Native.Providers;

/// <summary>Connections of a provider.</summary>
/// <param name="Open">Open and logged in.</param>
/// <param name="Busy">Of these, those on which something is asked for.</param>
/// <param name="Configured">Most that the settings allow.</param>
/// <param name="Granted">Most that the account was seen to allow, where that is fewer; else null.</param>
internal sealed record ProviderConnectionsBody(int Open, int Busy, int Configured, int? Granted);
