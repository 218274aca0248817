using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Providers;

public class LineLimitTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void Without_a_limit_no_connection_waits()
    {
        var limit = new LineLimit(_time);
        Assert.Null(limit.BytesPerSecond);
        Assert.Equal(TimeSpan.Zero, limit.Received(100 << 20).Wait);
        Assert.Equal(ReceiveBuffers.Size, limit.ReadSize(ReceiveBuffers.Size));
        limit.BytesPerSecond = 5;
        limit.BytesPerSecond = 0;
        Assert.Null(limit.BytesPerSecond);
    }

    [Theory]
    [InlineData(100_000)]
    [InlineData(5_000_000)]
    [InlineData(200_000_000)]
    public void Connections_together_get_what_the_limit_allows(long rate)
    {
        var limit = new LineLimit(_time) { BytesPerSecond = rate };
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
                var size = limit.ReadSize(ReceiveBuffers.Size);
                received += size;
                var wait = limit.Received(size).Wait;

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
        var limit = new LineLimit(_time) { BytesPerSecond = rate };
        foreach (var left in new[] { 1, 100, 2047, 2048 })
            Assert.Equal(left, limit.ReadSize(left));
    }

    [Fact]
    public void Lifting_the_limit_takes_effect_at_once()
    {
        var limit = new LineLimit(_time) { BytesPerSecond = 1000 };
        Assert.True(limit.Received(100_000).Wait > TimeSpan.FromSeconds(90));
        limit.BytesPerSecond = null;
        Assert.Equal(TimeSpan.Zero, limit.Received(100_000).Wait);
    }

    [Fact]
    public void Raising_the_limit_forgives_what_was_received_under_the_old_one()
    {
        var limit = new LineLimit(_time) { BytesPerSecond = 1000 };
        Assert.True(limit.Received(1_000_000).Wait > TimeSpan.FromMinutes(15));
        limit.BytesPerSecond = 1_000_000;
        Assert.Equal(TimeSpan.FromMilliseconds(200), limit.Received(200_000).Wait);

        // Setting it to what it is changes nothing.
        limit.BytesPerSecond = 1_000_000;
        Assert.Equal(TimeSpan.FromMilliseconds(400), limit.Received(200_000).Wait);
    }
}
