using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Content.Checksums;

namespace NzbDav.Bench;

/// <summary>How fast is each CRC-32, on data in the first-level cache and on a whole part?</summary>
public class Checksums : IThroughput
{
    private byte[] _data = [];

    /// <summary>Bytes per call.</summary>
    [Params(12 << 10, YencSamples.PartSize)]
    public int Length { get; set; }

    public long Bytes => Length;

    [GlobalSetup]
    public void Setup() => _data = YencSamples.Data(Length);

    [Benchmark]
    [AllocationBudget(0)]
    public uint Slicing() => SlicingCrc32.Append(0, _data);

    [Benchmark]
    [AllocationBudget(0)]
    public uint Folding128() => FoldingCrc32.Append128(0, _data);

    [Benchmark]
    [AllocationBudget(0)]
    public uint Folding256() => FoldingCrc32.Append256(0, _data);

    [Benchmark]
    [AllocationBudget(0)]
    public uint Folding512() => FoldingCrc32.Append512(0, _data);
}
