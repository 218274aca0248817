namespace NzbDav.Torrents.Discovery;

/// <summary>Peers of a torrent that a tracker knows.</summary>
/// <param name="Seeds">Peers that have all of it.</param>
/// <param name="Leechers">Peers that do not.</param>
/// <param name="Downloaded">How often it was downloaded; null if the tracker did not say.</param>
internal sealed record TrackerCounts(int Seeds, int Leechers, int? Downloaded);
