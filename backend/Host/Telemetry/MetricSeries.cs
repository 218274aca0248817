using System.Diagnostics.Metrics;

namespace NzbDav.Host.Telemetry;

/// <summary>One metric with one set of labels: its sum, and for a histogram its count and buckets. Thread-safe.</summary>
internal sealed class MetricSeries
{
    /// <summary>Upper bounds in seconds: from a cached lookup to a client that gave up. Prometheus wants them cumulative; they are counted apart and added up when shown.</summary>
    public static readonly double[] Bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

    private readonly Lock _gate = new();
    private readonly long[] _buckets = new long[Bounds.Length + 1];
    private double _sum;
    private long _count;

    public MetricSeries(Instrument instrument, string name, string labels)
    {
        Instrument = instrument;
        Name = name;
        Labels = labels;
    }

    /// <summary>One that measures it: of the same kind as all others of that name.</summary>
    public Instrument Instrument { get; }

    /// <summary>As Prometheus writes it.</summary>
    public string Name { get; }

    /// <summary>As Prometheus writes them, without braces; empty for none.</summary>
    public string Labels { get; }

    /// <summary>When it was last observed.</summary>
    public long Round { get; private set; }

    /// <summary>Adds to a counter or a histogram.</summary>
    public void Add(double value)
    {
        lock (_gate)
        {
            _sum += value;
            _count++;
            var bucket = Array.BinarySearch(Bounds, value);
            _buckets[bucket >= 0 ? bucket : ~bucket]++;
        }
    }

    /// <summary>Sets a gauge.</summary>
    public void Set(double value)
    {
        lock (_gate)
            _sum = value;
    }

    /// <summary>Takes what an instrument observed. Several of one name and labels are added up.</summary>
    public void Observe(double value, long round)
    {
        lock (_gate)
        {
            _sum = Round == round ? _sum + value : value;
            Round = round;
        }
    }

    public (double Sum, long Count, long[] Buckets) Read()
    {
        lock (_gate)
            return (_sum, _count, [.. _buckets]);
    }
}
