using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace NzbDav.Bench;

/// <summary>What a call may allocate, beside what it does.</summary>
internal sealed class BudgetColumn : IColumn
{
    public string Id => nameof(BudgetColumn);
    public string ColumnName => "Budget, B";
    public bool AlwaysShow => true;
    public ColumnCategory Category => ColumnCategory.Metric;
    public int PriorityInCategory => int.MaxValue;
    public bool IsNumeric => true;
    public UnitType UnitType => UnitType.Dimensionless;
    public string Legend => "Bytes that a call may allocate; checked by --contract";

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        var benchmark = new BenchmarkInstance(benchmarkCase);
        return benchmark.Budget is { } budget ? (budget.Once + (budget.Bytes * benchmark.Units)).ToString("#,0", CultureInfo.InvariantCulture) : "-";
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);
}
