namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>How our node works. Immutable.</summary>
/// <param name="IsEnabled">It takes part.</param>
/// <param name="Bootstrap">Nodes by which it enters, as <c>host:port</c>; none = the routers of the big clients.</param>
/// <param name="Folder">Where its state is kept; null = nowhere.</param>
/// <param name="ExternalPort">Where a router lets peers through to our port; 0 = nowhere.</param>
internal sealed record DhtSettings(bool IsEnabled, IReadOnlyList<string> Bootstrap, string? Folder, int ExternalPort = 0);
