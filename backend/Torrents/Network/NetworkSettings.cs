using NzbDav.Content.Proxies;

namespace NzbDav.Torrents.Network;

/// <summary>What has been set for the way that everything leaves by.</summary>
/// <param name="Bind">An address of this machine or the name of an interface; null = whatever the system chooses.</param>
/// <param name="Proxy">What stands between; null = nothing.</param>
internal readonly record struct NetworkSettings(string? Bind, ProxyAddress? Proxy);
