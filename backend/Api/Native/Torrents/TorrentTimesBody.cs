namespace NzbDav.Api.Native.Torrents;

/// <summary>What a torrent has done since it was added, over all restarts.</summary>
/// <param name="Added">When it was added.</param>
/// <param name="Completed">When all that was wanted of it was there; null: not yet.</param>
/// <param name="LastActive">When a peer last gave or took a byte; null: never.</param>
/// <param name="ActiveSeconds">Time in its swarm.</param>
/// <param name="SeedingSeconds">Time in its swarm while complete.</param>
/// <param name="IdleSeconds">Part of that, since a peer last took a byte.</param>
internal sealed record TorrentTimesBody(DateTimeOffset Added, DateTimeOffset? Completed, DateTimeOffset? LastActive, double ActiveSeconds, double SeedingSeconds, double IdleSeconds);
