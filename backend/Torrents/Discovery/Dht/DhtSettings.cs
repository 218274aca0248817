namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Settings of our node. Immutable.</summary>
/// <param name="IsEnabled">True if the DHT is switched on.</param>
/// <param name="Bootstrap">Nodes by which it enters, as <c>host:port</c>; none = the routers of the big clients.</param>
/// <param name="Folder">Folder of its saved state; null = nothing is saved.</param>
/// <param name="ExternalPort">The router's port that leads to our port; 0 = none.</param>
internal sealed record DhtSettings(bool IsEnabled, IReadOnlyList<string> Bootstrap, string? Folder, int ExternalPort = 0);
