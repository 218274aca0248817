using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Bench;

/// <summary>How many decoded bytes per second does each decoder produce, fed as a connection feeds it?</summary>
public class YencDecoding : IThroughput
{
    private byte[] _source = [];
    private byte[] _destination = [];

    /// <summary>Bytes per feed.</summary>
    [Params(16 << 10, 256 << 10)]
    public int Feed { get; set; }

    public long Bytes => YencSamples.PartSize;

    [GlobalSetup]
    public void Setup()
    {
        _source = YencSamples.Lines(YencSamples.Data());
        _destination = new byte[YencSamples.PartSize];
    }

    [Benchmark]
    [AllocationBudget(0)]
    public int Scalar()
    {
        var state = default(YencDecoderState);
        var total = 0;
        for (var position = 0; position < _source.Length; position += Feed)
        {
            ScalarYencDecoder.Decode(
                ref state, _source.AsSpan(position, Math.Min(Feed, _source.Length - position)), _destination.AsSpan(total), out _,
                out var written);
            total += written;
        }

        return Check(total);
    }

    [Benchmark]
    [AllocationBudget(0)]
    public int Vector128() => Run<YencBlock128>();

    [Benchmark]
    [AllocationBudget(0)]
    public int Vector256() => Run<YencBlock256>();

    [Benchmark]
    [AllocationBudget(0)]
    public int Vector512() => Run<YencBlock512>();

    private int Run<TBlock>()
        where TBlock : struct, IYencBlock
    {
        if (!TBlock.IsSupported)
            throw new PlatformNotSupportedException();
        var state = default(YencDecoderState);
        var total = 0;
        for (var position = 0; position < _source.Length; position += Feed)
        {
            VectorYencDecoder.Decode<TBlock>(
                ref state, _source.AsSpan(position, Math.Min(Feed, _source.Length - position)), _destination.AsSpan(total), out _,
                out var written);
            total += written;
        }

        return Check(total);
    }

    private static int Check(int total) => total == YencSamples.PartSize ? total : throw new InvalidOperationException($"{total} bytes.");
}
