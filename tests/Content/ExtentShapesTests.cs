using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>Maps of every shape against an array: extents that skip headers inside segments, share segments, come in any order.</summary>
public sealed class ExtentShapesTests
{
    [Fact]
    public async Task Random_maps_ranges_and_arrivals_give_the_right_bytes()
    {
        for (var seed = 0; seed < 150; seed++)
            await RunAsync(seed);
    }

    private static async Task RunAsync(int seed)
    {
        var random = new Random(seed);
        using var fixture = new SegmentFixture(RandomMap(random), budget: random.Next(3) == 0 ? 8 << 20 : 64 << 20);
        var oracle = SegmentFixture.Oracle(fixture.Map);
        for (var round = 0; round < 8; round++)
        {
            var start = random.Next(oracle.Length + 1);
            var end = random.Next(start, oracle.Length + 1);
            await using var reader = fixture.Open(start, end, (ReadIntent)random.Next(5));
            while (true)
            {
                var at = (int)reader.Position;
                using var lease = await NextAsync(reader, fixture.Fetcher, random);
                if (lease.IsEmpty)
                    break;
                Assert.True(oracle.AsSpan(at, lease.Length).SequenceEqual(lease.Memory.Span), $"seed {seed}: wrong bytes at {at}");
            }

            Assert.Equal(end, reader.Position);
        }

        while (fixture.Fetcher.Pending is [var left, ..])
            left.Complete();
    }

    private static async Task<ContentLease> NextAsync(SegmentPrefetcher reader, ManualSegmentFetcher fetcher, Random random)
    {
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        while (!next.IsCompleted)
        {
            var pending = fetcher.Pending;
            if (pending.Count == 0)
            {
                await Task.WhenAny(next, fetcher.WhenBegunAsync(fetcher.Begun.Count + 1));
                continue;
            }

            Step(pending[random.Next(pending.Count)], random);
        }

        return await next;
    }

    /// <summary>Something happens to a segment that can happen to one, and ends well in the end.</summary>
    private static void Step(ManualSegment segment, Random random)
    {
        switch (random.Next(5))
        {
            case 0:
                segment.Send();
                break;
            case 1:
                segment.Answer().Show(random.Next(segment.Key.Size)).Withdraw();
                break;
            case 2:
                var slow = segment.Answer().Show(random.Next(segment.Key.Size));
                segment.Complete();
                slow.Complete();
                break;
            default:
                segment.Answer().Show(random.Next(segment.Key.Size + 1)).Complete();
                break;
        }
    }

    private static ExtentMap RandomMap(Random random)
    {
        var table = new SegmentTable.Builder();
        var count = random.Next(1, 12);
        for (var i = 0; i < count; i++)
            table.Add($"s{i}", i * 10_000L, random.Next(1, 10_000));
        var segments = table.Build();
        var extents = new List<Extent>();
        long start = 0;
        for (var i = random.Next(1, 30); i > 0; i--)
        {
            var segment = random.Next(count);
            var offset = random.Next(segments.Size(segment));
            var length = random.Next(1, segments.Size(segment) - offset + 1);
            extents.Add(new Extent(start, segment, offset, length));
            start += length;
        }

        return new ExtentMap([.. extents], segments);
    }
}
