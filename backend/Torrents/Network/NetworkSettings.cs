using NzbDav.Content.Proxies;

namespace NzbDav.Torrents.Network;

/// <summary>Settings of the route.</summary>
/// <param name="Bind">An address of this machine or the name of an interface; null = whatever the system chooses.</param>
/// <param name="Proxy">The proxy; null = none.</param>
internal readonly record struct NetworkSettings(string? Bind, ProxyAddress? Proxy);
