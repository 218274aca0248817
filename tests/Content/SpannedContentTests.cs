using NzbDav.Fakes;
using static NzbDav.Fakes.ContentReads;

namespace NzbDav.Content.Tests;

public sealed class SpannedContentTests
{
    private readonly byte[] _bytes = SeededBytes.Make(7, 5_000);

    [Theory]
    [InlineData(0)]
    [InlineData(64)]
    [InlineData(10_000)]
    public async Task Every_range_has_the_bytes_of_the_spans_in_order(long mostGap)
    {
        var random = new Random(3);
        for (var round = 0; round < 60; round++)
        {
            var spans = Spans(random);
            var expected = Expected(spans);
            var content = new SpannedContent(new MemoryContent(_bytes, segmentSize: random.Next(1, 400)), spans, mostGap);
            Assert.Equal(expected.Length, content.Length);
            for (var range = 0; range < 5; range++)
            {
                var start = random.Next(expected.Length + 1);
                var end = random.Next(start, expected.Length + 1);
                Assert.Equal(expected[start..end], await ReadAsync(content, start, end));
            }

            Assert.Equal(expected, await ReadAsync(content, 0, expected.Length));
        }
    }

    [Fact]
    public async Task Nearby_spans_share_a_reader_and_distant_ones_do_not()
    {
        var source = new MemoryContent(_bytes);
        var content = new SpannedContent(source,
            [new(100, 150), new(160, 200), new(1_000, 1_010), new(900, 910)], mostGap: 100);

        await ReadAsync(content, 20, 105);

        Assert.Equal([new MemoryRequest(120, 200, ReadIntent.Playback), new MemoryRequest(1_000, 1_010, ReadIntent.Playback),
            new MemoryRequest(900, 905, ReadIntent.Playback)], source.Requests);
    }

    [Fact]
    public async Task An_inferred_span_is_proven_by_the_bytes_before_it_when_a_reader_enters_it()
    {
        var proof = new Proof([0, 10, 7]);
        var content = new SpannedContent(new MemoryContent(_bytes, segmentSize: 9),
            [new(100, 150), new(180, 230), new(300, 350)], mostGap: 100, proof);

        Assert.Equal(_bytes[340..350], await ReadAsync(content, 140, 150));
        Assert.Empty(proof.Seen);

        Assert.Equal(Expected([new(120, 150), new(180, 230)]), await ReadAsync(content, 20, 100));
        Assert.Equal((1, Convert.ToHexString(_bytes[170..180])), Assert.Single(proof.Seen));

        Assert.Equal(_bytes[300..310], await ReadAsync(content, 100, 110));
        Assert.Equal((2, Convert.ToHexString(_bytes[293..300])), proof.Seen[^1]);
    }

    [Fact]
    public async Task An_unproven_span_is_not_lent_and_is_checked_again_on_retry()
    {
        var proof = new Proof([0, 10]) { Refuses = true };
        var content = new SpannedContent(
            new MemoryContent(_bytes), [new(100, 150), new(180, 230)], mostGap: 100, proof);
        await using var reader = content.OpenReader(0, 100, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();

        await Reads.FailsAsync(reader);
        Assert.Equal(50, reader.Position);
        await Reads.FailsAsync(reader);
        Assert.Equal(2, proof.Seen.Count);
        proof.Refuses = false;
        using var lease = await reader.NextAsync(CancellationToken.None);
        Assert.Equal(_bytes[180..230], lease.Memory.ToArray());
    }

    [Theory]
    [InlineData(-1, 10)]
    [InlineData(10, 0)]
    [InlineData(4_990, 11)]
    [InlineData(1, long.MaxValue)]
    public void A_span_must_lie_inside_the_content(long start, long length) =>
        Assert.Throws<ArgumentException>(() => new SpannedContent(new MemoryContent(_bytes), [ByteSpan.OfLength(start, length)], 0));

    private static List<ByteSpan> Spans(Random random)
    {
        var spans = new List<ByteSpan>();
        for (long at = random.Next(100); at < 4_500; at += random.Next(0, 200))
        {
            var length = random.Next(1, 400);
            spans.Add(ByteSpan.OfLength(at, length));
            at += length;
        }

        if (random.Next(3) == 0)
            spans.Reverse();
        return spans;
    }

    private byte[] Expected(IEnumerable<ByteSpan> spans) => [.. spans.SelectMany(span => _bytes[(int)span.Start..(int)span.End])];

    private sealed class Proof(int[] lengths) : ISpanProof
    {
        public List<(int Span, string Header)> Seen { get; } = [];

        public bool Refuses { get; set; }

        public int HeaderLengthOf(int span) => lengths[span];

        public ValueTask ProveAsync(int span, ReadOnlyMemory<byte> header, CancellationToken cancellationToken)
        {
            Seen.Add((span, Convert.ToHexString(header.Span)));
            return Refuses ? throw new ContentException(ContentFault.Corrupt, "It lies elsewhere.") : ValueTask.CompletedTask;
        }
    }
}
