using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Columns;

/// <summary>Bytes that a call may allocate, beside the bytes it does allocate.</summary>
internal sealed class BudgetColumn() : FigureColumn("Budget, B", "Bytes that a call may allocate; checked by --contract")
{
    public override bool AlwaysShow => true;
    public override ColumnCategory Category => ColumnCategory.Metric;
    public override int PriorityInCategory => int.MaxValue;

    public override bool IsAvailable(Summary summary) => true;

    protected override string? Text(BenchmarkInstance benchmark, double? mean) => benchmark.Allowed?.ToString("#,0", CultureInfo.InvariantCulture);
}
