using BenchmarkDotNet.Configs;

namespace NzbDav.Bench;

/// <summary>The defaults, plus bytes per second where a benchmark says how many bytes it handles.</summary>
internal sealed class ThroughputConfig : ManualConfig
{
    public ThroughputConfig()
    {
        Add(DefaultConfig.Instance);
        AddColumn(new ThroughputColumn());
    }
}
