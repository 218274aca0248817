using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace NzbDav.Bench;

/// <summary>Bytes that one call handles over its mean time, in GB/s.</summary>
internal sealed class ThroughputColumn : IColumn
{
    public string Id => nameof(ThroughputColumn);
    public string ColumnName => "GB/s";
    public bool AlwaysShow => false;
    public ColumnCategory Category => ColumnCategory.Custom;
    public int PriorityInCategory => 0;
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;
    public string Legend => "10⁹ bytes per second";

    public bool IsAvailable(Summary summary) =>
        summary.BenchmarksCases.Any(static benchmark => typeof(IThroughput).IsAssignableFrom(benchmark.Descriptor.Type));

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        var bytes = new BenchmarkInstance(benchmarkCase).Bytes;
        return bytes is null || summary[benchmarkCase]?.ResultStatistics is not { } statistics
            ? "-"
            : (bytes.Value / statistics.Mean).ToString("0.00", CultureInfo.InvariantCulture);
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);
}
