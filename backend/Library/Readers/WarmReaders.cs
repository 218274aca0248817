using System.Runtime.InteropServices;
using NzbDav.Content;

namespace NzbDav.Library.Readers;

/// <summary>
/// Readers kept between requests. Players such as Infuse read a film in short ranges, one request after the other. Each request would start
/// without read-ahead, as nothing may be fetched past the end of a range. Once a few ranges have followed each other, the next one gets a
/// reader that continues past its end, and the request for the following bytes takes over that reader. A reader is kept for
/// <see cref="ParkedLifetime"/>, and closed within a second when read-ahead elsewhere is refused for lack of budget. Thread-safe; bounded.
/// </summary>
public sealed class WarmReaders : IDisposable
{
    /// <summary>
    /// How many bytes must have been read range by range before a reader continues past a range: three articles, so that looking at a
    /// header costs no more than before.
    /// </summary>
    internal const long BurstLength = 2 << 20;

    /// <summary>How many bytes a range may begin after the end of the previous one: players skip bytes that they have.</summary>
    internal const long NearEnough = 256 << 10;

    /// <summary>Most readers that are kept. Each holds its read-ahead, some MiB.</summary>
    internal const int MaxParked = 8;

    private const int MaxTrails = 256;

    /// <summary>
    /// How long a reader is kept. A player that has not come back by then is paused or gone; what its reader has fetched stays in the
    /// cache.
    /// </summary>
    internal static readonly TimeSpan ParkedLifetime = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan Tick = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly List<ParkedReader> _parked = [];
    private readonly List<Trail> _trails = [];
    private readonly BufferBudget _budget;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Func<IContent, long, long, ParkedReader?, bool> _finished;
    private long _refusals;
    private bool _disposed;

    /// <param name="budget">Its refusals show that others need the memory.</param>
    /// <param name="time">Clock.</param>
    public WarmReaders(BufferBudget budget, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(time);
        _budget = budget;
        _time = time;
        _finished = Finished;
        _timer = time.CreateTimer(
            static self => ((WarmReaders)self!).CloseIdle(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Number of readers kept for a later request.</summary>
    internal int Parked
    {
        get
        {
            lock (_gate)
                return _parked.Count;
        }
    }

    /// <summary>Wraps a content so that its readers are kept.</summary>
    public IContent Keep(IContent content) => new WarmContent(content, this);

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
            _disposed = true;
        _timer.Dispose();
        CloseWhere(static (_, _) => true, 0L);
    }

    /// <summary>Opens a range with a kept reader, or with a new one.</summary>
    internal ContentReader Open(IContent content, long start, long end, ReadIntent intent)
    {
        ParkedReader? kept;
        Trail trail;
        lock (_gate)
        {
            kept = Unpark(content, start);
            trail = RemoveTrail(content, start);
        }

        if (kept is not null && end <= kept.Limit)
            return new WarmReader(_finished, content, kept.Reader, kept.Pending, start, end, trail.Length, kept.Limit);

        // Read past the range by as much as the burst has read: a client that stops has cost at most twice its reads, and one that
        // continues needs few readers.
        var limit = trail.Length >= BurstLength ? Math.Min(content.Length, end + trail.Length + end - start) : end;
        var reader = content.OpenReader(start, limit, limit > end ? ReadIntent.Playback : intent);

        // After the new one is open: what the kept reader is fetching is what the new one requests first.
        kept?.Close();
        return new WarmReader(_finished, content, reader, pending: null, start, end, trail.Length, limit);
    }

    /// <summary>Called when a range was read to its end.</summary>
    /// <param name="content">The content of the range.</param>
    /// <param name="end">End of the range.</param>
    /// <param name="length">Bytes of it and of the ranges that led up to it.</param>
    /// <param name="rest">The reader to keep; null: none.</param>
    /// <returns>False if the caller must dispose of the rest.</returns>
    internal bool Finished(IContent content, long end, long length, ParkedReader? rest)
    {
        ParkedReader? oldest = null;
        lock (_gate)
        {
            if (_disposed)
                return false;
            if (_trails.Count >= MaxTrails)
                _trails.RemoveAt(0);
            _trails.Add(new Trail(content, end, length, _time.GetTimestamp()));
            if (rest is null)
                return true;
            if (_parked.Count >= MaxParked)
            {
                oldest = _parked[0];
                _parked.RemoveAt(0);
            }

            if (_parked.Count == 0)
            {
                _refusals = _budget.Refusals;
                _timer.Change(Tick, Tick);
            }

            _parked.Add(rest with { Since = _time.GetTimestamp() });
        }

        oldest?.Close();
        return true;
    }

    private static bool Follows(long start, long end) => start >= end && start - end <= NearEnough;

    private ParkedReader? Unpark(IContent content, long start)
    {
        for (var i = _parked.Count - 1; i >= 0; i--)
        {
            if (!ReferenceEquals(_parked[i].Content, content) || !Follows(start, _parked[i].Position))
                continue;
            var kept = _parked[i];
            _parked.RemoveAt(i);
            if (_parked.Count == 0)
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return kept;
        }

        return null;
    }

    /// <summary>The ranges that led up to this one; one of length 0 if there are none.</summary>
    private Trail RemoveTrail(IContent content, long start)
    {
        var trails = CollectionsMarshal.AsSpan(_trails);
        for (var i = trails.Length - 1; i >= 0; i--)
        {
            if (!ReferenceEquals(trails[i].Content, content) || !Follows(start, trails[i].End))
                continue;
            var found = trails[i];
            _trails.RemoveAt(i);
            return _time.GetElapsedTime(found.Since) <= ParkedLifetime ? found : default;
        }

        return default;
    }

    private void CloseIdle()
    {
        bool shortOfBudget;
        lock (_gate)
        {
            var refusals = _budget.Refusals;
            shortOfBudget = refusals != _refusals;
            _refusals = refusals;
        }

        var now = _time.GetTimestamp();
        CloseWhere((parked, at) => shortOfBudget || _time.GetElapsedTime(parked.Since, at) >= ParkedLifetime, now);
    }

    private void CloseWhere(Func<ParkedReader, long, bool> condition, long argument)
    {
        List<ParkedReader> gone = [];
        lock (_gate)
        {
            _parked.RemoveAll(parked =>
            {
                var matches = condition(parked, argument);
                if (matches)
                    gone.Add(parked);
                return matches;
            });
            if (_parked.Count == 0 && !_disposed)
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        // Outside the lock: the buffers that they return wake others.
        foreach (var parked in gone)
            parked.Close();
    }

    private readonly record struct Trail(IContent? Content, long End, long Length, long Since);
}

/// <summary>A content whose readers may be kept between requests.</summary>
internal sealed class WarmContent(IContent inner, WarmReaders readers) : DelegatingContent(inner)
{
    public override ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);

        // Imports, checks and scans read once, and nobody waits for them.
        return intent is ReadIntent.Playback or ReadIntent.Probe
            ? readers.Open(Inner, start, end, intent) : base.OpenReader(start, end, intent);
    }
}

/// <summary>A reader that is not in use.</summary>
/// <param name="Content">The content that it reads.</param>
/// <param name="Position">Position of its next byte.</param>
/// <param name="Limit">Where it ends, after <paramref name="Position"/>.</param>
/// <param name="Reader">The reader; owned.</param>
/// <param name="Pending">A lease from <paramref name="Position"/> on that the reader has already returned; owned.</param>
/// <param name="Since">When it was parked.</param>
internal sealed record ParkedReader(
    IContent Content, long Position, long Limit, ContentReader Reader, ContentLease? Pending, long Since = 0)
{
    /// <summary>Disposes of the reader with everything that it has fetched ahead.</summary>
    public void Close()
    {
        Pending?.Dispose();
        var closing = Reader.DisposeAsync();
        if (!closing.IsCompletedSuccessfully)
            _ = closing.AsTask();
    }
}
