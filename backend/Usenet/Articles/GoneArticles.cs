using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Articles that readers requested and no provider has (430 everywhere), for display and repair. Kept in memory only: the last
/// <see cref="Most"/>, until one is found or repaired, an account is added or changed, or the server stops. Costs nothing while everything
/// is found. Thread-safe.
/// </summary>
public sealed class GoneArticles
{
    /// <summary>Most articles remembered: about 2 MB with their message-ids, and more than any file that somebody keeps reading.</summary>
    public const int Most = 8_192;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, (DateTimeOffset At, long Number)> _since = new(StringComparer.Ordinal);

    /// <summary>Oldest first. An article that was found again leaves its entry behind; its number tells that it no longer counts.</summary>
    private readonly Queue<(string Segment, long Number)> _order = new();
    private readonly TimeProvider _time;
    private volatile int _count;
    private long _additions;

    internal GoneArticles(TimeProvider time) => _time = time;

    /// <summary>Number of articles remembered.</summary>
    public int Count => _count;

    /// <summary>Number of articles newly found missing so far; only grows. Costs nothing to read.</summary>
    public long Additions => Volatile.Read(ref _additions);

    /// <summary>When a segment was first found missing; null: never.</summary>
    /// <param name="segment">Its id in the file's map.</param>
    public DateTimeOffset? SinceOf(string segment)
    {
        lock (_gate)
            return _since.TryGetValue(segment, out var since) ? since.At : null;
    }

    /// <summary>Records the end of a fetch.</summary>
    /// <param name="flight">The fetched segment.</param>
    /// <param name="fault">Null: it was found.</param>
    internal void Note(SegmentFlight flight, ContentFault? fault)
    {
        if (fault == ContentFault.Missing && flight.Priority <= FetchPriority.ReadAhead)
            Add(flight.Key.Id);
        else if (fault is null && _count > 0)
            Remove(flight.Key.Id);
    }

    /// <summary>Removes an article that was repaired.</summary>
    internal void Forget(string segment) => Remove(segment);

    /// <summary>Removes all articles, because another provider may have them.</summary>
    internal void Clear()
    {
        lock (_gate)
        {
            _since.Clear();
            _order.Clear();
            _count = 0;
        }
    }

    private void Add(string segment)
    {
        lock (_gate)
        {
            var number = _additions + 1;
            if (!_since.TryAdd(segment, (_time.GetUtcNow(), number)))
                return;
            _order.Enqueue((segment, number));
            while (_order.Count > Most)
            {
                var oldest = _order.Dequeue();
                if (_since.TryGetValue(oldest.Segment, out var since) && since.Number == oldest.Number)
                    _since.Remove(oldest.Segment);
            }

            _count = _since.Count;
            Volatile.Write(ref _additions, number);
        }
    }

    private void Remove(string segment)
    {
        lock (_gate)
        {
            _since.Remove(segment);
            _count = _since.Count;
        }
    }
}
