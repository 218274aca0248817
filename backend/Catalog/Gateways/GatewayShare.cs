namespace NzbDav.Catalog.Gateways;

/// <summary>Another gateway's part of an account.</summary>
/// <param name="Gateway">Its name.</param>
/// <param name="Share">Connections that it may have.</param>
/// <param name="Wanted">Connections that its requests use or wait for.</param>
/// <param name="IsLive">False once its lease is over: it wants nothing, but may not have closed its connections yet.</param>
internal readonly record struct GatewayShare(string Gateway, int Share, int Wanted, bool IsLive);
