using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Content;

/// <summary>
/// All segments in memory, arriving or here: one flight per id whoever asks, and the recently used ones kept while the budget
/// has room for them. Thread-safe.
/// </summary>
public sealed class SegmentCache : IBudgetReclaimer
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, SegmentFlight> _flights = new(StringComparer.Ordinal);
    private readonly LinkedList<SegmentFlight> _idle = new();
    private readonly BufferPool _pool;
    private readonly ISegmentFetcher _fetcher;
    private readonly TimeProvider _time;
    private long _kept;

    /// <param name="pool">Where buffers come from; its budget bounds the cache.</param>
    /// <param name="fetcher">Who fetches.</param>
    /// <param name="time">Clock for waits.</param>
    /// <param name="metrics">What is told of it; null for nobody.</param>
    public SegmentCache(BufferPool pool, ISegmentFetcher fetcher, TimeProvider time, StreamMetrics? metrics = null)
    {
        ArgumentNullException.ThrowIfNull(pool);
        Metrics = metrics ?? new StreamMetrics(meters: null);
        _pool = pool;
        _fetcher = fetcher;
        _time = time;
        Metrics.Observe(this, pool);
        pool.Budget.SetReclaimer(this);
    }

    internal StreamMetrics Metrics { get; }

    /// <summary>The budget that bounds everything here.</summary>
    public BufferBudget Budget => _pool.Budget;

    /// <summary>What the fetcher's network takes at once; see <see cref="ISegmentFetcher.Burst"/>.</summary>
    public long Burst => _fetcher.Burst;

    /// <summary>Flights that somebody holds. 0 when nothing is read, else something leaked.</summary>
    public int Open { get; private set; }

    /// <summary>Bytes that are kept for whoever reads them again: they go first when memory is needed.</summary>
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

    /// <summary>
    /// Joins the flight of a segment or starts one. The caller holds it until <see cref="Close"/>.
    /// </summary>
    /// <param name="key">What to fetch.</param>
    /// <param name="priority">How urgent it is. <see cref="FetchPriority.Waiting"/> is granted over the budget.</param>
    /// <param name="waiter">Called when budget is freed after a refusal; may be null for <see cref="FetchPriority.Waiting"/>.</param>
    /// <param name="flight">The flight, when granted.</param>
    /// <returns>False when the budget refuses.</returns>
    public bool TryOpen(SegmentKey key, FetchPriority priority, IBudgetWaiter? waiter, [NotNullWhen(true)] out SegmentFlight? flight)
    {
        if (TryJoin(key, priority, out flight))
            return true;

        var reserved = SegmentFlight.ReservationFor(key.Size);
        if (priority == FetchPriority.Waiting || waiter is null)
            Budget.Reserve(reserved);
        else if (!Budget.TryReserve(reserved, waiter))
            return false;

        var mine = new SegmentFlight(key, priority, this, _pool, reserved) { References = 1 };
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
            Metrics.Begun(key.Id);
            _fetcher.Begin(flight);
            return true;
        }

        // Somebody else was faster.
        mine.DropBuffers();
        return TryJoin(key, priority, out flight) || TryOpen(key, priority, waiter, out flight);
    }

    /// <summary>The holder's wish became more urgent.</summary>
    public void Raise(SegmentFlight flight, FetchPriority priority)
    {
        ArgumentNullException.ThrowIfNull(flight);

        // Priorities only ever become more urgent, so an old value leads to the lock in vain, never past it. Most calls change nothing.
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
    /// Gives a flight back. What is here stays in the cache; what is under way arrives and stays; what was not sent for is dropped.
    /// </summary>
    public void Close(SegmentFlight flight)
    {
        ArgumentNullException.ThrowIfNull(flight);
        bool free;
        lock (_gate)
        {
            Debug.Assert(flight.References > 0, "closed more often than opened");
            if (--flight.References > 0)
                return;
            Open--;
            free = SettleLocked(flight);
        }

        if (free)
            flight.DropBuffers();
    }

    /// <summary>A flight ended: what nobody holds is kept or freed.</summary>
    internal void Ended(SegmentFlight flight)
    {
        if (flight.Outcome == SegmentOutcome.Found)
            _fetcher.Completed(flight);
        bool free;
        lock (_gate)
            free = flight.References == 0 ? SettleLocked(flight) : Forget(flight, unless: SegmentOutcome.Found);
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
            Metrics.Evicted(victim);
            victim.DropBuffers();
        }
    }

    /// <inheritdoc cref="ISegmentFetcher.SourceOf"/>
    internal string? StoryOf(SegmentFlight flight) => _fetcher.StoryOf(flight);

    internal string? SourceOf(SegmentFlight flight) => flight.IsEnded ? null : _fetcher.SourceOf(flight);

    internal long Now() => _time.GetTimestamp();

    /// <summary>
    /// A flight with other expectations (the map was corrected meanwhile), or one without any that turned out to be another part (a provider may have the right one), is not the one
    /// that is wanted.
    /// </summary>
    private static bool IsAnother(SegmentFlight flight, SegmentKey key) =>
        key.Size != 0 && (flight.Key.Size != 0 ? (flight.Key.Begin, flight.Key.Size) != (key.Begin, key.Size) : flight.Outcome == SegmentOutcome.Found && !key.Matches(flight.Begin, flight.Size));

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
                if (flight.References == 0 && flight.IsEnded)
                    flight.DropBuffers();
                flight = null;
                return false;
            }

            if (flight.References++ == 0)
            {
                Open++;
                TakeFromIdle(flight);
            }

            raised = priority < flight.Priority;
            if (raised)
                flight.Priority = priority;
        }

        if (raised && !flight.IsEnded)
            _fetcher.Raise(flight);
        return true;
    }

    /// <summary>Decides about a flight that nobody holds; true when its memory is to be freed.</summary>
    private bool SettleLocked(SegmentFlight flight)
    {
        if (flight.Outcome == SegmentOutcome.Pending)
        {
            if (!_fetcher.TryDrop(flight))
                return false;
            Remove(flight);
            return true;
        }

        if (Forget(flight, unless: SegmentOutcome.Found))
            return true;
        if (!_flights.TryGetValue(flight.Key.Id, out var current) || current != flight)
            return true;
        if (flight.CacheNode is null)
        {
            flight.CacheNode = _idle.AddLast(flight);
            _kept += flight.Held;
        }

        return false;
    }

    private bool Forget(SegmentFlight flight, SegmentOutcome unless)
    {
        if (flight.Outcome == unless)
            return false;
        Remove(flight);
        return flight.References == 0;
    }

    private void Remove(SegmentFlight flight)
    {
        if (_flights.TryGetValue(flight.Key.Id, out var current) && current == flight)
            _flights.Remove(flight.Key.Id);
        TakeFromIdle(flight);
    }

    private void TakeFromIdle(SegmentFlight flight)
    {
        if (flight.CacheNode is not { } node)
            return;
        _idle.Remove(node);
        flight.CacheNode = null;
        _kept -= flight.Held;
    }
}
