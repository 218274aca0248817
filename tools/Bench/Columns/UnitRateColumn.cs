using System.Globalization;
using BenchmarkDotNet.Reports;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Columns;

/// <summary>Units that a call processes (entries, segments, lookups), divided by its mean time.</summary>
internal sealed class UnitRateColumn() : FigureColumn("Units/s", "Entries, segments or lookups per second: what the budget is per")
{
    public override int PriorityInCategory => 1;

    public override bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(static benchmark => new BenchmarkInstance(benchmark).Budget?.Per is not null);

    protected override string? Text(BenchmarkInstance benchmark, double? mean) =>
        benchmark.Budget?.Per is null ? null : (benchmark.Units / mean * 1e9)?.ToString("#,0", CultureInfo.InvariantCulture);
}
