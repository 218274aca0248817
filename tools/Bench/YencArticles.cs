using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Bench;

/// <summary>What does a whole article cost, from header to terminator, with its checksum, and does decoding allocate?</summary>
public class YencArticles : IThroughput
{
    private readonly YencArticleDecoder _decoder = new();
    private byte[] _article = [];
    private byte[] _destination = [];

    /// <summary>Bytes per feed.</summary>
    [Params(16 << 10, 32 << 10, 256 << 10)]
    public int Feed { get; set; }

    public long Bytes => YencSamples.PartSize;

    [GlobalSetup]
    public void Setup()
    {
        _article = YencSamples.Article();
        _destination = new byte[YencSamples.PartSize];
    }

    [Benchmark]
    [AllocationBudget(0)]
    public int Decode()
    {
        _decoder.Reset();
        var position = 0;
        var end = 0;
        while (true)
        {
            var feed = _decoder.Feed(_article.AsSpan(position, end - position), out var consumed);
            position += consumed;
            if (feed == ArticleFeed.Complete)
                break;
            if (feed == ArticleFeed.HeaderReady)
                _decoder.SetDestination(_destination, 0, _destination.Length);
            else
                end = Math.Min(_article.Length, end + Feed);
        }

        return _decoder.CrcVerified ? _decoder.Written : throw new InvalidOperationException("Not decoded.");
    }
}
