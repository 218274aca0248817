using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;

namespace NzbDav.Bench.Columns;

/// <summary>The defaults, plus allocations with their budgets, and bytes or units per second where a benchmark says how many it handles.</summary>
internal sealed class BenchConfig : ManualConfig
{
    public BenchConfig()
    {
        Add(DefaultConfig.Instance);
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumn(new ThroughputColumn(), new UnitRateColumn(), new BudgetColumn());
    }
}
