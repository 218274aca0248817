using System.Globalization;
using BenchmarkDotNet.Reports;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Columns;

/// <summary>Bytes that one call processes, divided by its mean time, in GB/s.</summary>
internal sealed class ThroughputColumn() : FigureColumn("GB/s", "10⁹ bytes per second")
{
    public override int PriorityInCategory => 0;

    public override bool IsAvailable(Summary summary) =>
        summary.BenchmarksCases.Any(static benchmark => typeof(IThroughput).IsAssignableFrom(benchmark.Descriptor.Type));

    protected override string? Text(BenchmarkInstance benchmark, double? mean) =>
        (benchmark.Bytes / mean)?.ToString("0.00", CultureInfo.InvariantCulture);
}
