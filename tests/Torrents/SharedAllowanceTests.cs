using NzbDav.Fakes;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents.Tests;

/// <summary>The engine's download limit among its torrents.</summary>
public sealed class SharedAllowanceTests
{
    private const int Block = PieceSlot.BlockSize;

    [Fact]
    public void Torrents_share_the_limit_evenly_however_often_one_of_them_asks()
    {
        var time = new ManualTimeProvider();
        using var shared = new SharedAllowance(time) { BytesPerSecond = 64 * Block };
        var torrents = new[] { new Asker(time, shared), new Asker(time, shared), new Asker(time, shared) };
        for (var i = 0; i < 1_000; i++)
        {
            time.Advance(TimeSpan.FromMilliseconds(10));

            // The first has many peers, each of which may ask when a block came.
            for (var often = 0; often < 10; often++)
                torrents[0].Ask();
            torrents[1].Ask();
            torrents[2].Ask();
        }

        Assert.InRange(torrents.Sum(static torrent => torrent.Asked), 635, 660);
        Assert.All(torrents, static torrent => Assert.InRange(torrent.Asked, 200, 230));
    }

    [Fact]
    public void A_torrent_that_is_read_goes_first()
    {
        var time = new ManualTimeProvider();
        using var shared = new SharedAllowance(time) { BytesPerSecond = 64 * Block };
        var (read, other) = (new Asker(time, shared) { IsRead = true, Needs = 100 }, new Asker(time, shared));
        for (var i = 0; i < 300; i++)
        {
            time.Advance(TimeSpan.FromMilliseconds(10));
            other.Ask();
            read.Ask();
            if (read.Asked < 100)
                Assert.InRange(other.Asked, 0, 16);
        }

        Assert.Equal(100, read.Asked);
        Assert.InRange(other.Asked, 80, 110);
    }

    [Fact]
    public void Lifting_the_limit_releases_waiting_torrents()
    {
        var time = new ManualTimeProvider();
        using var shared = new SharedAllowance(time) { BytesPerSecond = Block };
        var torrent = new Asker(time, shared) { Needs = 1_000 };
        torrent.Ask();
        Assert.InRange(torrent.Asked, 0, 2);
        shared.BytesPerSecond = 0;
        time.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(1_000, torrent.Asked);
    }

    [Fact]
    public void What_was_requested_without_a_limit_is_no_debt_of_a_later_one()
    {
        var time = new ManualTimeProvider();
        using var shared = new SharedAllowance(time);
        var other = new Asker(time, shared) { Needs = 5_000 };
        shared.BeginWait(time.GetElapsedTime(0).Ticks);
        for (var i = 0; i < 4_000; i++)
        {
            other.Ask();
            time.Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.Equal(5_000, other.Asked);
        shared.BytesPerSecond = Block;
        shared.EndWait(time.GetElapsedTime(0).Ticks);
        time.Advance(TimeSpan.FromTicks(2 * LineYield.Linger));
        other.Needs = 5_002;
        other.Ask();
        Assert.Equal(5_002, other.Asked);
    }

    [Fact]
    public async Task While_a_reader_waits_in_one_torrent_another_requests_only_what_is_left_of_the_line()
    {
        var time = new ManualTimeProvider();
        using var shared = new SharedAllowance(time);
        var (read, other) = (new Asker(time, shared) { IsRead = true, Needs = 10_000 }, new Asker(time, shared) { Needs = 20_000 });

        // 64 blocks come in a tenth of a second, all for the other.
        for (var i = 0; i < 20; i++)
            Receive(64, isFirst: false);
        shared.BeginWait(Now());
        await Until.TrueAsync(() => (read.Yields, other.Yields) == (1, 1));
        read.Ask();
        other.Ask();
        Assert.Equal((10_000, true), (read.Asked, other.Asked < 10));

        // The reader's peers are slow: what it takes comes off the line, the rest is the other's.
        var before = 0;
        for (var i = 0; i < 100; i++)
        {
            var asked = other.Asked;
            if (i == 50)
                before = asked;
            shared.Received(16 * Block, isFirst: true, Now());
            time.Advance(TimeSpan.FromTicks(LineYield.Slice));
            shared.Received(Math.Min(48, other.Asked - asked) * Block, isFirst: false, Now());
        }

        Assert.InRange(other.Asked - before, 40 * 50, 52 * 50);
        shared.EndWait(Now());
        time.Advance(TimeSpan.FromTicks(2 * LineYield.Linger));
        Assert.Equal(20_000, other.Asked);

        void Receive(int blocks, bool isFirst)
        {
            shared.Received(blocks * Block, isFirst, Now());
            time.Advance(TimeSpan.FromTicks(LineYield.Slice));
        }

        long Now() => time.GetElapsedTime(0).Ticks;
    }

    private sealed class Asker
    {
        private readonly RequestAllowance _allowance;
        private readonly ManualTimeProvider _time;

        public Asker(ManualTimeProvider time, SharedAllowance shared)
        {
            _time = time;
            _allowance = new RequestAllowance(
                time, shared, () => IsRead ? RequestRank.Reader : RequestRank.Background, Ask, () => Yields++);
        }

        public bool IsRead { get; init; }

        public int Needs { get; set; } = int.MaxValue;

        public int Asked { get; private set; }

        public int Yields { get; private set; }

        public void Ask()
        {
            while (
                Asked < Needs && _allowance.MayRequest(IsRead ? RequestRank.Reader : RequestRank.Background, _time.GetElapsedTime(0).Ticks))
            {
                _allowance.CountRequest(Block);
                Asked++;
            }
        }
    }
}
