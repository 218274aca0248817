using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;

namespace NzbDav.Bench;

/// <summary>The defaults, plus what is allocated and may be, and bytes or units per second where a benchmark says how many it handles.</summary>
internal sealed class ThroughputConfig : ManualConfig
{
    public ThroughputConfig()
    {
        Add(DefaultConfig.Instance);
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumn(new ThroughputColumn(), new UnitRateColumn(), new BudgetColumn());
    }
}
