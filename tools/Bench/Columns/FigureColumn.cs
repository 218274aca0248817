using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Columns;

/// <summary>A column with one number for each benchmark; "-" if there is none.</summary>
/// <param name="name">The column's title.</param>
/// <param name="legend">Explains the title.</param>
internal abstract class FigureColumn(string name, string legend) : IColumn
{
    public string Id => GetType().Name;
    public string ColumnName => name;
    public virtual bool AlwaysShow => false;
    public virtual ColumnCategory Category => ColumnCategory.Custom;
    public abstract int PriorityInCategory { get; }
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;
    public string Legend => legend;

    public abstract bool IsAvailable(Summary summary);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) =>
        Text(new BenchmarkInstance(benchmarkCase), summary[benchmarkCase]?.ResultStatistics?.Mean) ?? "-";

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    /// <summary>The number as text; null if there is none.</summary>
    /// <param name="benchmark">The benchmark.</param>
    /// <param name="mean">Nanoseconds per call; null if it was not measured.</param>
    protected abstract string? Text(BenchmarkInstance benchmark, double? mean);
}
