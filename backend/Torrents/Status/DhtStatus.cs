namespace NzbDav.Torrents.Status;

/// <summary>How the distributed hash table stands.</summary>
/// <param name="IsRunning">It was started: with the first torrent that is not private, if it is not switched off.</param>
/// <param name="IsBootstrapped">Nodes were found.</param>
/// <param name="Nodes">Nodes known by IPv4.</param>
/// <param name="Nodes6">Nodes known by IPv6.</param>
public sealed record DhtStatus(bool IsRunning, bool IsBootstrapped, int Nodes, int Nodes6);
