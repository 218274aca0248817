namespace NzbDav.Torrents.Status;

/// <summary>State of the distributed hash table.</summary>
/// <param name="IsRunning">True once it has started: with the first torrent that is not private, unless it is switched off.</param>
/// <param name="IsBootstrapped">True once nodes have been found.</param>
/// <param name="Nodes">Nodes known by IPv4.</param>
/// <param name="Nodes6">Nodes known by IPv6.</param>
public sealed record DhtStatus(bool IsRunning, bool IsBootstrapped, int Nodes, int Nodes6);
