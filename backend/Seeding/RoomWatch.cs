namespace NzbDav.Seeding;

/// <summary>
/// Decides when a torrent that waits for disk space continues. Checks the free space once a minute. If the disk is full again although it
/// had free space, as with a quota, the torrent waits twice as long each time, up to half an hour, until it has made progress. Not
/// thread-safe.
/// </summary>
internal sealed class RoomWatch(TimeProvider time)
{
    /// <summary>Free space that is enough to continue, in bytes, however much is missing.</summary>
    public const long Enough = 64L << 20;

    /// <summary>Interval between two checks of the free space.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromMinutes(1);

    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(30);

    private readonly Dictionary<string, Wait> _waits = new(StringComparer.Ordinal);
    private long? _checkedAt;

    /// <summary>Returns the waiting torrents that continue now, in order. Earlier ones use up the space of later ones.</summary>
    /// <param name="waiting">All waiting torrents.</param>
    /// <param name="free">Returns the free bytes where a torrent is kept, by its info-hash; null: unknown, which counts as enough.</param>
    public IReadOnlyList<string> Due(IReadOnlyList<WaitingTorrent> waiting, Func<string, long?> free)
    {
        if (waiting.Count == 0 || (_checkedAt is { } looked && time.GetElapsedTime(looked) < Pace))
            return [];
        _checkedAt = time.GetTimestamp();
        var due = new List<string>();
        var given = 0L;
        foreach (var torrent in waiting)
        {
            var last = _waits.GetValueOrDefault(torrent.Hash);
            var pause = last is null || torrent.Held > last.Held
                ? Pace : TimeSpan.FromTicks(Math.Min(last.Pause.Ticks * 2, LongestPause.Ticks));
            var needed = Math.Min(torrent.Missing, Enough);
            if ((last is not null && time.GetElapsedTime(last.Tried) < pause) || free(torrent.Hash) - given < needed)
                continue;
            given += needed;
            _waits[torrent.Hash] = new Wait(_checkedAt.Value, pause, torrent.Held);
            due.Add(torrent.Hash);
        }

        return due;
    }

    /// <summary>Call when a torrent no longer waits.</summary>
    public void Forget(string hash) => _waits.Remove(hash);

    /// <param name="Tried">Timestamp at which it last continued.</param>
    /// <param name="Pause">Its pause before that.</param>
    /// <param name="Held">Bytes that it held then.</param>
    private sealed record Wait(long Tried, TimeSpan Pause, long Held);
}

/// <summary>A torrent that waits for disk space.</summary>
/// <param name="Hash">Its info-hash.</param>
/// <param name="Held">Verified bytes on disk.</param>
/// <param name="Missing">Bytes that are still to be written.</param>
internal sealed record WaitingTorrent(string Hash, long Held, long Missing);
