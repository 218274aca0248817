using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Content;

/// <summary>
/// All segments in memory, arriving or complete: one flight per id, shared by all readers. Recently used ones are kept while the budget has
/// room. Thread-safe.
/// </summary>
public sealed class SegmentCache : ISegmentOwner, IBudgetReclaimer
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, SegmentFlight> _flights = new(StringComparer.Ordinal);
    private readonly LinkedList<SegmentFlight> _idle = new();
    private readonly BufferPool _pool;
    private readonly ISegmentFetcher _fetcher;
    private readonly TimeProvider _time;
    private long _kept;
    private int _scans;

    /// <param name="pool">Where buffers come from; its budget bounds the cache.</param>
    /// <param name="fetcher">Fetches the segments.</param>
    /// <param name="time">Clock for waits.</param>
    /// <param name="metrics">Receives measurements; may be null.</param>
    public SegmentCache(BufferPool pool, ISegmentFetcher fetcher, TimeProvider time, StreamMetrics? metrics = null)
    {
        ArgumentNullException.ThrowIfNull(pool);
        Metrics = metrics ?? new StreamMetrics(meters: null);
        _pool = pool;
        _fetcher = fetcher;
        _time = time;
        Metrics.Observe(() => Open, () => Count, pool);
        pool.Budget.SetReclaimer(this);
    }

    internal StreamMetrics Metrics { get; }

    /// <summary>The budget that bounds everything here.</summary>
    public BufferBudget Budget => _pool.Budget;

    /// <summary>Bytes that the fetcher's network delivers at once; see <see cref="ISegmentFetcher.Burst"/>.</summary>
    public long Burst => _fetcher.Burst;

    /// <summary>Number of readers that yield to others and read sequentially (<see cref="YieldMode.ReadsOn"/>).</summary>
    internal int Scans => Volatile.Read(ref _scans);

    /// <summary>Flights held by readers. 0 when nothing is read; otherwise something leaked.</summary>
    public int Open { get; private set; }

    /// <summary>Bytes kept for later readers: freed first when memory is needed.</summary>
    public long Kept => Interlocked.Read(ref _kept);

    /// <summary>Flights in memory, held or kept.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _flights.Count;
        }
    }

    /// <summary>Adds to <see cref="Scans"/>. Takes no lock.</summary>
    internal void CountScans(int change) => Interlocked.Add(ref _scans, change);

    /// <summary>Joins the flight of a segment or starts one. The caller holds it until <see cref="Close"/>.</summary>
    /// <param name="key">The segment.</param>
    /// <param name="priority">How urgent it is. <see cref="FetchPriority.Waiting"/> is granted over the budget.</param>
    /// <param name="waiter">Called when budget is freed after a refusal; may be null for <see cref="FetchPriority.Waiting"/>.</param>
    /// <param name="flight">The flight, if granted.</param>
    /// <returns>False when the budget refuses.</returns>
    public bool TryOpen(SegmentKey key, FetchPriority priority, IBudgetWaiter? waiter, [NotNullWhen(true)] out SegmentFlight? flight)
    {
        if (TryJoin(key, priority, out flight))
            return true;

        var reserved = SegmentFlight.ReservationFor(key);
        if (priority == FetchPriority.Waiting || waiter is null)
            Budget.Reserve(reserved);
        else if (!Budget.TryReserve(reserved, waiter))
            return false;

        var mine = new SegmentFlight(key, priority, this, _pool, reserved);
        mine.Entry.References = 1;
        lock (_gate)
        {
            if (_flights.TryAdd(key.Id, mine))
            {
                flight = mine;
                Open++;
            }
        }

        if (flight is not null)
        {
            Metrics.FetchStarted(key.Id);
            _fetcher.Begin(flight);
            return true;
        }

        // Another thread opened it first.
        mine.DropBuffers();
        return TryJoin(key, priority, out flight) || TryOpen(key, priority, waiter, out flight);
    }

    /// <summary>Raises the priority of a flight for one of its holders.</summary>
    public void Raise(SegmentFlight flight, FetchPriority priority)
    {
        ArgumentNullException.ThrowIfNull(flight);

        // Priorities only ever become more urgent, so a stale value costs at most one needless lock and never skips a raise. Most calls
        // change nothing.
        if (priority >= flight.Priority)
            return;
        lock (_gate)
        {
            if (priority >= flight.Priority)
                return;
            flight.Priority = priority;
        }

        if (!flight.IsEnded)
            _fetcher.Raise(flight);
    }

    /// <summary>
    /// Releases a holder's flight. When nobody holds it any more: a complete segment stays in the cache, one under way arrives and stays,
    /// and a request not yet sent is dropped.
    /// </summary>
    public void Close(SegmentFlight flight)
    {
        ArgumentNullException.ThrowIfNull(flight);
        bool free;
        lock (_gate)
        {
            Debug.Assert(flight.Entry.References > 0, "closed more often than opened");
            if (--flight.Entry.References > 0)
                return;
            Open--;
            free = KeepOrDropLocked(flight);
        }

        if (free)
            flight.DropBuffers();
    }

    /// <inheritdoc/>
    /// <remarks>A flight that nobody holds is kept or freed.</remarks>
    void ISegmentOwner.Ended(SegmentFlight flight)
    {
        if (flight.IsFound)
            _fetcher.Completed(flight);
        bool free;
        lock (_gate)
            free = flight.Entry.References == 0 ? KeepOrDropLocked(flight) : ForgetUnlessFound(flight);
        if (free)
            flight.DropBuffers();
    }

    /// <inheritdoc/>
    public void Reclaim(long bytes)
    {
        while (bytes > 0)
        {
            SegmentFlight victim;
            lock (_gate)
            {
                if (_idle.First is not { } oldest)
                    return;
                victim = oldest.Value;
                Remove(victim);
            }

            bytes -= victim.Held;
            Metrics.Evicted(victim.Key.Id, victim.WasRead);
            victim.DropBuffers();
        }
    }

    /// <inheritdoc cref="ISegmentFetcher.TraceOf"/>
    internal string? TraceOf(SegmentFlight flight) => _fetcher.TraceOf(flight);

    internal string? SourceOf(SegmentFlight flight) => flight.IsEnded ? null : _fetcher.SourceOf(flight);

    /// <inheritdoc cref="ISegmentOwner.Now"/>
    internal long Now() => _time.GetTimestamp();

    long ISegmentOwner.Now() => Now();

    /// <summary>
    /// True when a flight is not the one wanted: it has other expectations (the map was corrected meanwhile), or it had none and turned out
    /// to be another part (another provider may have the right one).
    /// </summary>
    private static bool IsAnother(SegmentFlight flight, SegmentKey key) =>
        key.Size != 0 && (flight.Key.Size != 0 ? (flight.Key.Begin, flight.Key.Size) != (key.Begin,
            key.Size) : flight.IsFound && !key.Matches(flight.Begin, flight.Size));

    private bool TryJoin(SegmentKey key, FetchPriority priority, [NotNullWhen(true)] out SegmentFlight? flight)
    {
        bool raised;
        lock (_gate)
        {
            if (!_flights.TryGetValue(key.Id, out flight))
                return false;
            if (IsAnother(flight, key))
            {
                Remove(flight);
                if (flight.Entry.References == 0 && flight.IsEnded)
                    flight.DropBuffers();
                flight = null;
                return false;
            }

            if (flight.Entry.References++ == 0)
            {
                Open++;
                RemoveFromIdle(flight);
            }

            raised = priority < flight.Priority;
            if (raised)
                flight.Priority = priority;
        }

        if (raised && !flight.IsEnded)
            _fetcher.Raise(flight);
        return true;
    }

    /// <summary>Keeps or drops a flight that nobody holds; true when its memory is to be freed.</summary>
    private bool KeepOrDropLocked(SegmentFlight flight)
    {
        if (!flight.IsEnded)
        {
            if (!_fetcher.TryDrop(flight))
                return false;
            Remove(flight);
            return true;
        }

        if (ForgetUnlessFound(flight))
            return true;
        if (!_flights.TryGetValue(flight.Key.Id, out var current) || current != flight)
            return true;
        if (flight.Entry.Node is null)
        {
            flight.Entry.Node = _idle.AddLast(flight);
            _kept += flight.Held;
        }

        return false;
    }

    private bool ForgetUnlessFound(SegmentFlight flight)
    {
        if (flight.IsFound)
            return false;
        Remove(flight);
        return flight.Entry.References == 0;
    }

    private void Remove(SegmentFlight flight)
    {
        if (_flights.TryGetValue(flight.Key.Id, out var current) && current == flight)
            _flights.Remove(flight.Key.Id);
        RemoveFromIdle(flight);
    }

    private void RemoveFromIdle(SegmentFlight flight)
    {
        if (flight.Entry.Node is not { } node)
            return;
        _idle.Remove(node);
        flight.Entry.Node = null;
        _kept -= flight.Held;
    }
}
