using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Bench;

/// <summary>How fast is an .nzb parsed, and how much memory does the document keep per segment?</summary>
public class NzbReading : IThroughput
{
    private byte[] _xml = [];

    /// <summary>A film, and a pack of 70 GB.</summary>
    [Params(1_000, 100_000)]
    public int Segments { get; set; }

    /// <summary>Bytes of XML.</summary>
    public long Bytes => NzbSamples.Document(Segments).Length;

    [GlobalSetup]
    public void Setup() => _xml = NzbSamples.Document(Segments);

    [Benchmark]
    [AllocationBudget(112, Per = nameof(Segments), Once = 400_000)]
    public int Read()
    {
        using var stream = new MemoryStream(_xml, writable: false);
        var result = NzbReader.Read(stream);
        return result.Document is { } document && document.SegmentCount == Segments
            ? document.SegmentCount : throw new InvalidOperationException("Not read.");
    }
}
