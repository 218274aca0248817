using NzbDav.Content.Rates;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>The speed limit of all connections, where they receive.</summary>
public class SpeedLimitTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void Without_a_limit_no_connection_waits()
    {
        var buffers = new ReceiveBuffers(new RateLimit(_time));
        Assert.Equal(TimeSpan.Zero, buffers.Received(100 << 20).Wait);
        Assert.Equal(ReceiveBuffers.Size, buffers.ReadSize(ReceiveBuffers.Size));
    }

    [Theory]
    [InlineData(100_000)]
    [InlineData(5_000_000)]
    [InlineData(200_000_000)]
    public void Connections_together_get_what_the_limit_allows(long rate)
    {
        var buffers = new ReceiveBuffers(new RateLimit(_time, burst: 0.1) { BytesPerSecond = rate });
        _time.Advance(TimeSpan.FromSeconds(5));

        // Twenty connections, each receives as soon as it may.
        var next = new TimeSpan[20];
        var started = _time.GetTimestamp();
        long received = 0;
        while (_time.GetElapsedTime(started) is var now && now < TimeSpan.FromSeconds(10))
        {
            for (var i = 0; i < next.Length; i++)
            {
                if (next[i] > now)
                    continue;
                var size = buffers.ReadSize(ReceiveBuffers.Size);
                received += size;
                var wait = buffers.Received(size).Wait;

                // Long before a connection counts as stalled.
                Assert.InRange(wait, TimeSpan.Zero, TimeSpan.FromSeconds(5));
                next[i] = now + wait;
            }

            _time.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.InRange(received / 10.0, rate * 0.95, rate * 1.1);
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(5_000_000)]
    public void A_read_never_exceeds_the_room_that_is_left(long rate)
    {
        var buffers = new ReceiveBuffers(new RateLimit(_time) { BytesPerSecond = rate });
        foreach (var left in new[] { 1, 100, 2047, 2048 })
            Assert.Equal(left, buffers.ReadSize(left));
    }
}
