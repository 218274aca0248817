using System.Diagnostics.Metrics;

namespace NzbDav.Content;

/// <summary>
/// Measurements of reading, stage by stage: meter <c>NzbDav.Content</c>. Durations are histograms in seconds. Waits are recorded only while
/// somebody listens; counters always count. Thread-safe.
/// </summary>
public sealed class StreamMetrics
{
    /// <summary>Number of evicted segments remembered, to recognise those that are fetched again.</summary>
    private const int Remembered = 4096;

    private readonly Histogram<double> _readerWait;
    private readonly Histogram<double> _handOver;
    private readonly Counter<long> _lent;
    private readonly Counter<long> _fetchedAgain;
    private readonly Counter<long> _unread;
    private readonly int[] _evicted = new int[Remembered];

    /// <param name="meters">Makes the meter; null when nobody listens.</param>
    public StreamMetrics(IMeterFactory? meters)
    {
        var meter = Meters.Create(meters, "NzbDav.Content");
        Meter = meter;
        _readerWait = meter.CreateHistogram<double>("nzbdav.reader.wait", "s", "Time that a reader waited for bytes that had not arrived.");
        _handOver = meter.CreateHistogram<double>(
            "nzbdav.reader.hand_over", "s", "Time from the arrival of awaited bytes until the reader continued.");
        _lent = meter.CreateCounter<long>("nzbdav.reader.bytes", "By", "Bytes lent to consumers.");
        _fetchedAgain = meter.CreateCounter<long>(
            "nzbdav.segments.fetched_again", "{segment}", "Segments fetched again after they had left the cache.");
        _unread = meter.CreateCounter<long>(
            "nzbdav.segments.unread", "{segment}", "Segments that left the cache without having been read.");
    }

    internal Meter Meter { get; }

    internal bool TimesWaits => _readerWait.Enabled;

    internal void Waited(TimeSpan wait, TimeSpan handOver)
    {
        _readerWait.Record(wait.TotalSeconds);
        _handOver.Record(handOver.TotalSeconds);
    }

    internal void Lent(int bytes) => _lent.Add(bytes);

    internal void Evicted(string id, bool wasRead)
    {
        if (!wasRead)
            _unread.Add(1);
        var hash = string.GetHashCode(id, StringComparison.Ordinal);
        Volatile.Write(ref _evicted[(uint)hash % Remembered], hash);
    }

    internal void FetchStarted(string id)
    {
        var hash = string.GetHashCode(id, StringComparison.Ordinal);
        if (Volatile.Read(ref _evicted[(uint)hash % Remembered]) == hash)
            _fetchedAgain.Add(1);
    }

    /// <summary>Publishes a cache's state as gauges. Called once.</summary>
    /// <param name="held">Segments that a reader holds.</param>
    /// <param name="cached">Segments in memory, held or kept.</param>
    /// <param name="pool">The pool of their buffers.</param>
    internal void Observe(Func<int> held, Func<int> cached, BufferPool pool)
    {
        Meter.CreateObservableGauge(
            "nzbdav.budget.limit", () => pool.Budget.Limit, "By", "Limit of the buffers for articles and for bytes decrypted from them.");
        Meter.CreateObservableGauge("nzbdav.budget.reserved", () => pool.Budget.Reserved, "By", "Bytes reserved of the limit.");
        Meter.CreateObservableCounter(
            "nzbdav.budget.refusals", () => pool.Budget.Refusals, "{refusal}", "Read-ahead that had to wait for the budget.");
        Meter.CreateObservableGauge("nzbdav.buffers.rented", () => pool.Rented, "{buffer}", "Buffers in use, cached segments included.");
        Meter.CreateObservableGauge("nzbdav.buffers.idle", () => pool.IdleBytes, "By", "Buffers kept for reuse.");
        Meter.CreateObservableGauge("nzbdav.segments.held", () => held(), "{segment}", "Segments that a reader holds.");
        Meter.CreateObservableGauge("nzbdav.segments.cached", () => cached(), "{segment}", "Segments in memory, held or kept.");
        Meter.CreateObservableGauge("nzbdav.readers.open", () => pool.Budget.Readers, "{reader}", "Open readers.");
        Meter.CreateObservableGauge(
            "nzbdav.readers.resting", () => pool.Budget.IdleReaders, "{reader}",
            "Open readers from which nobody reads: they hold nothing.");
    }
}
