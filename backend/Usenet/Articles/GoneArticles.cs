using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Articles that readers requested and no provider has (430 everywhere), for display and repair. In memory only: the last
/// <see cref="Most"/>, until one is found or repaired after all, an account is added or changed, or the server stops. Costs nothing while
/// everything is found. Thread-safe.
/// </summary>
public sealed class GoneArticles
{
    /// <summary>Most articles remembered: some 2 MB with their message-ids, and more than any file that somebody keeps reading.</summary>
    public const int Most = 8_192;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, DateTimeOffset> _since = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();
    private readonly TimeProvider _time;
    private volatile int _count;
    private long _additions;

    internal GoneArticles(TimeProvider time) => _time = time;

    /// <summary>How many there are.</summary>
    public int Count => _count;

    /// <summary>Number of articles newly found missing so far; only grows. Costs nothing to read.</summary>
    public long Additions => Volatile.Read(ref _additions);

    /// <summary>When a segment was first found missing; null: it was not.</summary>
    /// <param name="segment">Its id, as the file's map has it.</param>
    public DateTimeOffset? SinceOf(string segment)
    {
        lock (_gate)
            return _since.TryGetValue(segment, out var since) ? since : null;
    }

    /// <summary>Records the end of a fetch.</summary>
    internal void Note(SegmentFlight flight, SegmentOutcome outcome)
    {
        if (outcome == SegmentOutcome.Missing && flight.Priority <= FetchPriority.ReadAhead)
            Add(flight.Key.Id);
        else if (outcome == SegmentOutcome.Found && _count > 0)
            Remove(flight.Key.Id);
    }

    /// <summary>Removes an article that was repaired.</summary>
    internal void Forget(string segment) => Remove(segment);

    /// <summary>Removes all: another provider may have them.</summary>
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
            if (!_since.TryAdd(segment, _time.GetUtcNow()))
                return;
            _order.Enqueue(segment);

            // Articles found again keep their entry in the order.
            while (_order.Count > Most)
                _since.Remove(_order.Dequeue());
            _count = _since.Count;
            Volatile.Write(ref _additions, _additions + 1);
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
