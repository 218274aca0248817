using NzbDav.MockUsenet.Pacing;

namespace NzbDav.MockUsenet.Tests;

public sealed class PacerTests
{
    private const long Second = TimeSpan.TicksPerSecond;

    [Fact]
    public void Bytes_take_their_time_at_the_rate()
    {
        var pacer = new Pacer(1_000);
        Assert.Equal(Second / 2, pacer.Pass(500, ready: 0, now: 0));
        Assert.Equal(Second, pacer.Pass(500, ready: 0, now: 0));
    }

    [Fact]
    public void A_late_wake_up_is_compensated()
    {
        var pacer = new Pacer(1_000_000);
        long ready = 0, now = 0;
        for (var i = 0; i < 1_000; i++)
        {
            ready = pacer.Pass(10_000, ready, now);
            now = ready + (TimeSpan.TicksPerMillisecond * 3);
        }

        Assert.Equal(10 * Second, ready);
    }

    [Fact]
    public void An_idle_or_blocked_line_saves_up_nothing()
    {
        var pacer = new Pacer(1_000);
        pacer.Pass(500, ready: 0, now: 0);
        Assert.Equal((10 * Second) + (Second / 2), pacer.Pass(500, ready: 10 * Second, now: 10 * Second));
        var blocked = pacer.Pass(500, ready: 11 * Second, now: 20 * Second);
        Assert.InRange(blocked, (20 * Second) + (Second * 4 / 10), (20 * Second) + (Second / 2));
    }

    [Fact]
    public void Without_a_rate_there_is_no_wait() => Assert.Equal(77, new Pacer(0).Pass(1 << 30, ready: 77, now: 99));

    [Fact]
    public void Pieces_start_small_and_grow_with_the_rate()
    {
        var pacer = new Pacer(10_000_000);
        Assert.Equal(4_096, pacer.Piece(0));
        Assert.Equal(200_000, pacer.Piece(4_096));
        Assert.Equal(4_096, new Pacer(1).Piece(1_000_000));
    }

    [Fact]
    public void Pieces_on_a_shared_line_are_smaller()
    {
        var pacer = new Pacer(10_000_000, Pacer.SharedPieces);
        Assert.Equal(4_096, pacer.Piece(0));
        Assert.Equal(25_000, pacer.Piece(4_096));
    }

    [Fact]
    public void Later_pieces_of_all_connections_wake_up_together()
    {
        Assert.Equal(100_001, Pacer.WakeUp(100_001, sent: 0));
        Assert.Equal(120_000, Pacer.WakeUp(100_001, sent: 1));
        Assert.Equal(120_000, Pacer.WakeUp(120_000, sent: 1));
    }
}
