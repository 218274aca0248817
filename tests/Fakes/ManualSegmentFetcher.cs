using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>
/// A network in which nothing happens unless the test says so: each flight that begins is handed to the test as a
/// <see cref="ManualSegment"/>. What is marked as sent is not dropped any more. Thread-safe.
/// </summary>
public sealed class ManualSegmentFetcher : ISegmentFetcher
{
    private readonly Lock _gate = new();
    private readonly List<ManualSegment> _begun = [];
    private readonly List<SegmentFlight> _raised = [];
    private readonly List<SegmentFlight> _dropped = [];
    private readonly List<(int Count, TaskCompletionSource Reached)> _watchers = [];

    /// <inheritdoc/>
    public long Burst { get; set; }

    /// <summary>The provider reported for each flight that is sent.</summary>
    public string? Source { get; set; }

    /// <summary>The explanation reported for each flight.</summary>
    public string? Story { get; set; }

    /// <summary>Called for each flight on the thread that begins it, after it was noted.</summary>
    public Action<ManualSegment>? OnBegin { get; set; }

    /// <summary>Called whenever the cache asks whether a flight can be dropped, on its thread and under its lock.</summary>
    public Action? OnTryDrop { get; set; }

    /// <summary>Every flight that was begun, in order.</summary>
    public IReadOnlyList<ManualSegment> Begun
    {
        get
        {
            lock (_gate)
                return [.. _begun];
        }
    }

    /// <summary>Ids of <see cref="Begun"/>.</summary>
    public IReadOnlyList<string> BegunIds => [.. Begun.Select(segment => segment.Key.Id)];

    /// <summary>Ids of the flights that were raised, once per call.</summary>
    public IReadOnlyList<string> RaisedIds
    {
        get
        {
            lock (_gate)
                return [.. _raised.Select(flight => flight.Key.Id)];
        }
    }

    /// <summary>Ids of the flights that were dropped unsent.</summary>
    public IReadOnlyList<string> DroppedIds
    {
        get
        {
            lock (_gate)
                return [.. _dropped.Select(flight => flight.Key.Id)];
        }
    }

    /// <summary>Flights that neither ended nor were dropped.</summary>
    public IReadOnlyList<ManualSegment> Pending
    {
        get
        {
            lock (_gate)
                return [.. _begun.Where(segment => !segment.Flight.IsEnded && !_dropped.Contains(segment.Flight))];
        }
    }

    /// <summary>The latest flight of an id.</summary>
    public ManualSegment this[string id] => Begun.Last(segment => segment.Key.Id == id);

    /// <summary>Completes when so many flights have begun.</summary>
    public Task WhenBegunAsync(int count)
    {
        lock (_gate)
        {
            if (_begun.Count >= count)
                return Task.CompletedTask;
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _watchers.Add((count, reached));
            return reached.Task;
        }
    }

    void ISegmentFetcher.Begin(SegmentFlight flight)
    {
        var segment = new ManualSegment(flight);
        lock (_gate)
        {
            _begun.Add(segment);
            foreach (var (_, reached) in _watchers.Where(watcher => watcher.Count <= _begun.Count))
                reached.SetResult();
            _watchers.RemoveAll(watcher => watcher.Count <= _begun.Count);
        }

        OnBegin?.Invoke(segment);
    }

    void ISegmentFetcher.Raise(SegmentFlight flight)
    {
        lock (_gate)
            _raised.Add(flight);
    }

    string? ISegmentFetcher.TraceOf(SegmentFlight flight) => Story;

    string? ISegmentFetcher.SourceOf(SegmentFlight flight) => flight.Sent ? Source : null;

    void ISegmentFetcher.Completed(SegmentFlight flight)
    {
    }

    bool ISegmentFetcher.TryDrop(SegmentFlight flight)
    {
        OnTryDrop?.Invoke();
        lock (_gate)
        {
            if (flight.Sent || flight.IsEnded)
                return false;
            _dropped.Add(flight);
            return true;
        }
    }
}
