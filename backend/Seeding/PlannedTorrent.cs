namespace NzbDav.Seeding;

/// <summary>A torrent for which it is to be decided whether it runs.</summary>
/// <param name="Hash">Info-hash.</param>
/// <param name="Need">What it would do.</param>
/// <param name="IsForced">It runs whatever the limits say, and takes nobody's place.</param>
/// <param name="IsSlow">It runs and nothing has moved for a while: it takes nobody's place.</param>
internal readonly record struct PlannedTorrent(string Hash, TorrentNeed Need, bool IsForced, bool IsSlow);
