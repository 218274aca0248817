using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Reports;
using NzbDav.Bench.Contract;

namespace NzbDav.Bench.Columns;

/// <summary>
/// The default columns, plus allocations with their budgets, and bytes or units per second if a benchmark declares how many it processes.
/// </summary>
internal sealed class BenchConfig : ManualConfig
{
    public BenchConfig()
    {
        Add(DefaultConfig.Instance);
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumn(new ThroughputColumn(), new UnitRateColumn(), new BudgetColumn());
    }
}

/// <summary>Bytes that a call may allocate, beside the bytes it does allocate.</summary>
internal sealed class BudgetColumn() : FigureColumn("Budget, B", "Bytes that a call may allocate; checked by --contract")
{
    public override bool AlwaysShow => true;
    public override ColumnCategory Category => ColumnCategory.Metric;
    public override int PriorityInCategory => int.MaxValue;

    public override bool IsAvailable(Summary summary) => true;

    protected override string? Text(BenchmarkInstance benchmark, double? mean) =>
        benchmark.Allowed?.ToString("#,0", CultureInfo.InvariantCulture);
}

/// <summary>Bytes that one call processes, divided by its mean time, in GB/s.</summary>
internal sealed class ThroughputColumn() : FigureColumn("GB/s", "10⁹ bytes per second")
{
    public override int PriorityInCategory => 0;

    public override bool IsAvailable(Summary summary) =>
        summary.BenchmarksCases.Any(static benchmark => typeof(IThroughput).IsAssignableFrom(benchmark.Descriptor.Type));

    protected override string? Text(BenchmarkInstance benchmark, double? mean) =>
        (benchmark.Bytes / mean)?.ToString("0.00", CultureInfo.InvariantCulture);
}

/// <summary>Units that a call processes (entries, segments, lookups), divided by its mean time.</summary>
internal sealed class UnitRateColumn() : FigureColumn("Units/s", "Entries, segments or lookups per second: what the budget is per")
{
    public override int PriorityInCategory => 1;

    public override bool IsAvailable(Summary summary) =>
        summary.BenchmarksCases.Any(static benchmark => new BenchmarkInstance(benchmark).Budget?.Per is not null);

    protected override string? Text(BenchmarkInstance benchmark, double? mean) =>
        benchmark.Budget?.Per is null ? null : (benchmark.Units / mean * 1e9)?.ToString("#,0", CultureInfo.InvariantCulture);
}
