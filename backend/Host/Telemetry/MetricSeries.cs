using System.Diagnostics.Metrics;
using System.Numerics;

namespace NzbDav.Host.Telemetry;

/// <summary>
/// One metric with one set of labels: its sum, and for a histogram its count and buckets. Each processor adds to a part of its own, because
/// every article of every stream is counted here; the parts are added up when they are read. Thread-safe.
/// </summary>
internal sealed class MetricSeries
{
    /// <summary>
    /// Upper bounds of the buckets in seconds: from a cached lookup to a client that gave up. Buckets are counted separately and added up
    /// when shown, because Prometheus wants cumulative ones.
    /// </summary>
    public static readonly double[] Bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

    /// <summary>
    /// A power of two, so that a mask of the processor's number selects a part. With more processors than this, some share a part.
    /// </summary>
    private static readonly int Parts = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Min(64, Environment.ProcessorCount));

    private readonly Part?[] _parts = new Part?[Parts];
    private readonly Lock _gate = new();
    private double _level;

    public MetricSeries(Instrument instrument, string name, string labels)
    {
        Instrument = instrument;
        Name = name;
        Labels = labels;
    }

    /// <summary>One instrument that measures it. All others of that name are of the same kind.</summary>
    public Instrument Instrument { get; }

    /// <summary>In Prometheus format.</summary>
    public string Name { get; }

    /// <summary>In Prometheus format, without braces; empty for none.</summary>
    public string Labels { get; }

    /// <summary>The number of the collection in which it was last observed.</summary>
    public long Round { get; private set; }

    /// <summary>Adds to a counter or a histogram.</summary>
    public void Add(double value)
    {
        ref var place = ref _parts[Thread.GetCurrentProcessorId() & (Parts - 1)];
        var part = Volatile.Read(ref place) ?? Interlocked.CompareExchange(ref place, new Part(), null) ?? place!;
        part.Add(value);
    }

    /// <summary>Sets a gauge.</summary>
    public void Set(double value)
    {
        lock (_gate)
            _level = value;
    }

    /// <summary>Adds the value that an instrument observed. Several with the same name and labels are added up.</summary>
    public void Observe(double value, long round)
    {
        lock (_gate)
        {
            _level = Round == round ? _level + value : value;
            Round = round;
        }
    }

    /// <summary>The totals so far. While others add, the parts may be from slightly different moments.</summary>
    public (double Sum, long Count, long[] Buckets) Read()
    {
        double sum;
        lock (_gate)
            sum = _level;
        var count = 0L;
        var buckets = new long[Bounds.Length + 1];
        foreach (ref var place in _parts.AsSpan())
            Volatile.Read(ref place)?.AddTo(ref sum, ref count, buckets);
        return (sum, count, buckets);
    }

    /// <summary>
    /// The totals of one processor. The lock covers a thread that moves to another processor midway: it is hardly ever contended.
    /// </summary>
    private sealed class Part
    {
        private readonly Lock _gate = new();
        private readonly long[] _buckets = new long[Bounds.Length + 1];
        private double _sum;
        private long _count;

        public void Add(double value)
        {
            var bucket = Array.BinarySearch(Bounds, value);
            lock (_gate)
            {
                _sum += value;
                _count++;
                _buckets[bucket >= 0 ? bucket : ~bucket]++;
            }
        }

        public void AddTo(ref double sum, ref long count, long[] buckets)
        {
            lock (_gate)
            {
                sum += _sum;
                count += _count;
                for (var i = 0; i < buckets.Length; i++)
                    buckets[i] += _buckets[i];
            }
        }
    }
}
