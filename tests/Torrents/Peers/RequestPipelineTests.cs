using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Tests.Peers;

/// <summary>The queue's size, against a simulated line: a clock, a rate and a round trip, nothing real.</summary>
public sealed class RequestPipelineTests
{
    [Theory]
    [InlineData(10_000_000, 0.001)]
    [InlineData(10_000_000, 0.1)]
    [InlineData(100_000, 0.1)]
    [InlineData(50_000_000, 0.05)]
    public void The_queue_fills_the_line_without_growing_far_beyond_it(double rate, double trip)
    {
        var (pipeline, reached) = Simulate(rate, trip, seconds: 8, bulk: true, burst: 0);
        // Two seconds hold a whole number of blocks.
        Assert.InRange(reached, (0.95 * rate) - PieceSlot.BlockSize, rate + PieceSlot.BlockSize);
        var worth = pipeline.Limit(bulk: true) * (double)PieceSlot.BlockSize / rate;
        if (pipeline.Limit(bulk: true) is > RequestPipeline.Floor and < RequestPipeline.Cap)
            Assert.InRange(worth, trip + 0.9, trip + 3.2);
    }

    [Fact]
    public void Pieces_that_a_reader_needs_have_a_short_queue()
    {
        var (pipeline, reached) = Simulate(10_000_000, 0.1, seconds: 8, bulk: false, burst: 0);
        Assert.InRange(reached, 9_000_000, 10_500_000);
        Assert.InRange(pipeline.Limit(bulk: false) * (double)PieceSlot.BlockSize / 10_000_000, 0.3, 0.8);
        Assert.True(pipeline.Limit(bulk: true) > 2 * pipeline.Limit(bulk: false));
    }

    [Fact]
    public void A_peer_that_serves_in_half_second_bursts_does_not_collapse_the_queue()
    {
        var (_, reached) = Simulate(5_000_000, 0.01, seconds: 15, bulk: false, burst: 0.5);
        Assert.InRange(reached, 4_000_000, 5_300_000);
    }

    [Fact]
    public void The_peers_own_queue_limit_is_respected()
    {
        var pipeline = new RequestPipeline { PeerQueue = 3 };
        Assert.Equal(3, pipeline.Limit(bulk: true));
        Assert.Equal(3, pipeline.Limit(bulk: false));
    }

    [Fact]
    public void The_connect_time_is_the_round_trip_only_until_a_block_arrives()
    {
        var pipeline = new RequestPipeline();
        pipeline.SeedRtt(Ticks(0.0002));
        Assert.Equal(0.0002, pipeline.RoundTrip, 6);
        pipeline.OnRequestSent(0);
        pipeline.OnBlockReceived(Ticks(0.1), PieceSlot.BlockSize, requestedAt: 0);
        Assert.Equal(0.1, pipeline.RoundTrip, 6);
        pipeline.SeedRtt(Ticks(0.0002));
        Assert.Equal(0.1, pipeline.RoundTrip, 6);
    }

    [Fact]
    public void A_distant_peer_starts_with_twice_the_queue()
    {
        var pipeline = new RequestPipeline();
        pipeline.SeedRtt(Ticks(0.01));
        Assert.Equal(RequestPipeline.Start, pipeline.Limit(bulk: false));
        pipeline.SeedRtt(Ticks(0.1));
        Assert.Equal(2 * RequestPipeline.Start, pipeline.Limit(bulk: false));
    }

    [Theory]
    [InlineData(10_000_000, 0.1)]
    [InlineData(200_000, 0.1)]
    [InlineData(50_000_000, 0.01)]
    public void Slow_start_ends_when_the_line_is_full(double rate, double trip)
    {
        var (pipeline, _) = Simulate(rate, trip, seconds: 2, bulk: false, burst: 0);
        Assert.False(pipeline.IsStarting);
        Assert.True(Simulate(rate, trip, seconds: trip + 0.01, bulk: false, burst: 0).Pipeline.IsStarting);
    }

    /// <summary>A peer behind a line. Returns the rate over the last two seconds.</summary>
    private static (RequestPipeline Pipeline, double Rate) Simulate(double rate, double trip, double seconds, bool bulk, double burst)
    {
        var pipeline = new RequestPipeline { PeerQueue = RequestPipeline.Cap };
        var queue = new Queue<(double Ready, long Asked)>();
        double now = 0;
        double lineFree = 0;
        long late = 0;
        pipeline.OnRequestSent(0);
        Ask();
        while (now < seconds)
        {
            var (ready, asked) = queue.Dequeue();
            var start = Math.Max(lineFree, ready);

            // A peer that looks at its queue only now and then serves what had come by then.
            if (burst > 0)
                start = Math.Max(lineFree, Math.Ceiling(ready / burst) * burst);
            lineFree = start + (PieceSlot.BlockSize / (burst > 0 ? rate * 4 : rate));
            now = lineFree;
            pipeline.OnBlockReceived(Ticks(now), PieceSlot.BlockSize, asked);
            if (now > seconds - 2)
                late += PieceSlot.BlockSize;
            if (burst > 0)
                lineFree = Math.Max(lineFree, 0);
            Ask();
        }

        return (pipeline, Math.Min(late / 2.0, burst > 0 ? rate : double.MaxValue));

        void Ask()
        {
            while (queue.Count < pipeline.Limit(bulk))
                queue.Enqueue((now + trip, Ticks(now)));
        }
    }

    private static long Ticks(double seconds) => (long)(seconds * TimeSpan.TicksPerSecond);
}
