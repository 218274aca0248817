namespace NzbDav.Seeding;

/// <summary>Input of <see cref="SeedingPlan"/>: a torrent that may run.</summary>
/// <param name="Hash">Info-hash.</param>
/// <param name="Need">What it would run for.</param>
/// <param name="IsForced">True: it runs whatever the limits say, and does not count for them.</param>
/// <param name="IsSlow">True: it runs, but nothing has moved for a while, so it does not count for the limits.</param>
internal readonly record struct PlannedTorrent(string Hash, TorrentNeed Need, bool IsForced, bool IsSlow);
