namespace NzbDav.Catalog.Gateways;

/// <summary>What a gateway needs of an account.</summary>
/// <param name="Account">Names the account, whatever its name and settings: <c>HOST:port:user name</c>.</param>
/// <param name="Most">Connections that the account allows to all gateways together.</param>
/// <param name="Kept">The gateway has no more connections than these until the renewal ends.</param>
/// <param name="Wanted">Connections that requests use or wait for.</param>
/// <param name="Recent">Connections used within the last minute. They are kept while no other gateway needs them.</param>
public readonly record struct ShareRequest(string Account, int Most, int Kept, int Wanted, int Recent);
