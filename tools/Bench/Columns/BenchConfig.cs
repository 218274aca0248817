using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;

namespace NzbDav.Bench.Columns;

/// <summary>The default columns, plus allocations with their budgets, and bytes or units per second if a benchmark declares how many it processes.</summary>
internal sealed class BenchConfig : ManualConfig
{
    public BenchConfig()
    {
        Add(DefaultConfig.Instance);
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumn(new ThroughputColumn(), new UnitRateColumn(), new BudgetColumn());
    }
}
