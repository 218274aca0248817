namespace NzbDav.FullNzbTester.Findings;

/// <summary>Durations of reads, in milliseconds. Not thread-safe.</summary>
internal sealed class ReadTimes
{
    /// <summary>Without data for about this long, the picture freezes.</summary>
    public const double StallMs = 500;

    private readonly List<double> _all = [];
    private double[]? _sorted;

    /// <summary>Called with each time in milliseconds as it is added; may be null.</summary>
    public Action<double>? Added { get; init; }

    public int Count => _all.Count;

    public double? Mean => _all.Count == 0 ? null : _all.Average();

    public double Slowest { get; private set; }

    /// <summary>Offset of the byte that the slowest read waited for.</summary>
    public long SlowestAt { get; private set; }

    /// <summary>Reads that took longer than <see cref="StallMs"/>.</summary>
    public int Stalls { get; private set; }

    public void Add(TimeSpan took, long offset)
    {
        var ms = took.TotalMilliseconds;
        _all.Add(ms);
        _sorted = null;
        Added?.Invoke(ms);
        if (ms > StallMs)
            Stalls++;
        if (ms <= Slowest)
            return;
        (Slowest, SlowestAt) = (ms, offset);
    }

    /// <summary>Combines the times of several readers, which must have finished.</summary>
    public static ReadTimes Of(IEnumerable<ReadTimes> readers)
    {
        var all = new ReadTimes();
        foreach (var reader in readers)
        {
            all._all.AddRange(reader._all);
            all.Stalls += reader.Stalls;
            if (reader.Slowest > all.Slowest)
                (all.Slowest, all.SlowestAt) = (reader.Slowest, reader.SlowestAt);
        }

        return all;
    }

    /// <summary>A quantile of all reads; null when there were none.</summary>
    public double? Quantile(double share)
    {
        if (_all.Count == 0)
            return null;
        if (_sorted is null)
        {
            _sorted = [.. _all];
            Array.Sort(_sorted);
        }

        return _sorted[Math.Min(_sorted.Length - 1, (int)(_sorted.Length * share))];
    }

    /// <summary>p50 and p95 as two figures.</summary>
    public Figure[] P50AndP95(string name) => [new($"{name}_p50_ms", Quantile(0.5)), new($"{name}_p95_ms", Quantile(0.95))];
}
