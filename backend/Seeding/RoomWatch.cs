namespace NzbDav.Seeding;

/// <summary>
/// Says when a torrent that waits for room on the disk goes on. Looks at the free space once a minute; a torrent whose disk is full again though space was free, as with a quota, waits twice as long each
/// time, half an hour at most, until more of it is there. Not thread-safe.
/// </summary>
internal sealed class RoomWatch(TimeProvider time)
{
    /// <summary>Free space that is enough to go on, however much is missing.</summary>
    public const long Enough = 64L << 20;

    /// <summary>From one look at the free space to the next.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromMinutes(1);

    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(30);

    private readonly Dictionary<string, Wait> _waits = new(StringComparer.Ordinal);
    private long? _looked;

    /// <summary>Which of the torrents that wait go on now, in their order. Those before take the room of those after.</summary>
    /// <param name="waiting">All that wait.</param>
    /// <param name="free">Bytes free where a torrent is kept, by its info-hash; null: not known, which is room.</param>
    public IReadOnlyList<string> Due(IReadOnlyList<WaitingTorrent> waiting, Func<string, long?> free)
    {
        if (waiting.Count == 0 || (_looked is { } looked && time.GetElapsedTime(looked) < Pace))
            return [];
        _looked = time.GetTimestamp();
        var due = new List<string>();
        var given = 0L;
        foreach (var torrent in waiting)
        {
            var last = _waits.GetValueOrDefault(torrent.Hash);
            var pause = last is null || torrent.Held > last.Held ? Pace : TimeSpan.FromTicks(Math.Min(last.Pause.Ticks * 2, LongestPause.Ticks));
            var needed = Math.Min(torrent.Missing, Enough);
            if ((last is not null && time.GetElapsedTime(last.Tried) < pause) || free(torrent.Hash) - given < needed)
                continue;
            given += needed;
            _waits[torrent.Hash] = new Wait(_looked.Value, pause, torrent.Held);
            due.Add(torrent.Hash);
        }

        return due;
    }

    /// <summary>A torrent waits no more, whatever becomes of it.</summary>
    public void Forget(string hash) => _waits.Remove(hash);

    /// <param name="Tried">When it went on last.</param>
    /// <param name="Pause">How long it had waited for that at least.</param>
    /// <param name="Held">What it had then.</param>
    private sealed record Wait(long Tried, TimeSpan Pause, long Held);
}
