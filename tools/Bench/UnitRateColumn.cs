using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace NzbDav.Bench;

/// <summary>Units that a call handles (entries, segments, lookups) over its mean time.</summary>
internal sealed class UnitRateColumn : IColumn
{
    public string Id => nameof(UnitRateColumn);
    public string ColumnName => "Units/s";
    public bool AlwaysShow => false;
    public ColumnCategory Category => ColumnCategory.Custom;
    public int PriorityInCategory => 1;
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;
    public string Legend => "Entries, segments or lookups per second: what the budget is per";

    public bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(static benchmark => new BenchmarkInstance(benchmark).Budget?.Per is not null);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        var benchmark = new BenchmarkInstance(benchmarkCase);
        return benchmark.Budget?.Per is null || summary[benchmarkCase]?.ResultStatistics is not { } statistics
            ? "-"
            : (benchmark.Units / statistics.Mean * 1e9).ToString("#,0", CultureInfo.InvariantCulture);
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);
}
