namespace NzbDav.Api.Native.Torrents;

/// <summary>A torrent's times since it was added, across restarts.</summary>
/// <param name="Added">When it was added.</param>
/// <param name="Completed">When all wanted bytes had arrived; null: not yet.</param>
/// <param name="LastActive">When a byte was last received from or sent to a peer; null: never.</param>
/// <param name="ActiveSeconds">Total time in its swarm.</param>
/// <param name="SeedingSeconds">Time in its swarm while complete.</param>
/// <param name="IdleSeconds">The part of that since a byte was last sent to a peer.</param>
internal sealed record TorrentTimesBody(DateTimeOffset Added, DateTimeOffset? Completed, DateTimeOffset? LastActive, double ActiveSeconds, double SeedingSeconds, double IdleSeconds);
