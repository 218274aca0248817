namespace NzbDav.Catalog.Torrents;

/// <summary>What a torrent has moved since it was added, over all restarts.</summary>
/// <param name="Downloaded">Bytes of blocks from peers.</param>
/// <param name="Uploaded">Bytes of blocks to peers.</param>
/// <param name="Active">Time in its swarm.</param>
/// <param name="Seeding">Time in its swarm while complete.</param>
/// <param name="Idle">Time of <paramref name="Seeding"/> since a peer last took a byte.</param>
public readonly record struct TorrentTotals(long Downloaded, long Uploaded, TimeSpan Active, TimeSpan Seeding, TimeSpan Idle);
