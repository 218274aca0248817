using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Tests.Streams;

/// <summary>Distinguishes clients that scan from clients that play, by how they read.</summary>
public sealed class ScanDetectorTests
{
    /// <summary>A film of two hours and 8 GB: 1.1 MB/s.</summary>
    private const long Size = 8_000_000_000;

    private static readonly TimeSpan Length = TimeSpan.FromHours(2);
    private static readonly double Rate = Size / Length.TotalSeconds;

    private readonly ScanDetector _judge = new(Size) { Length = Length };
    private double _now;
    private double _sent;
    private double _waited;
    private double _position;

    [Fact]
    public void Sustained_reading_at_thirty_times_the_films_rate_is_a_scan()
    {
        Open(0);
        Read(seconds: 9, pace: 30);
        Assert.Equal(ScanSign.None, _judge.Sign);
        Read(seconds: 3, pace: 30);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
        Read(seconds: 120, pace: 30);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void The_next_scan_of_the_same_client_is_recognised_sooner()
    {
        _judge.IsSeries = true;
        Open(0);
        Read(seconds: 5, pace: 30);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Theory]
    [InlineData(1, 600)]
    [InlineData(30, 8)]
    [InlineData(100, 4)]
    public void A_player_that_fills_its_buffer_and_then_plays_is_never_taken_for_a_scanner(double pace, int seconds)
    {
        Open(0);
        for (var i = 0; i < seconds; i++)
        {
            Read(1, pace);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }

        // In bursts, as players do: nothing for some seconds, then much at once.
        for (var i = 0; i < 60; i++)
        {
            Read(8, 0);
            Read(2, 5);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }
    }

    [Fact]
    public void A_misjudged_player_is_served_normally_once_it_reads_at_the_films_rate()
    {
        Open(0);
        Read(seconds: 30, pace: 30);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
        Read(seconds: 5, pace: 1);
        Assert.Equal(ScanSign.None, _judge.Sign);
        Read(seconds: 600, pace: 1);
        Assert.Equal(ScanSign.None, _judge.Sign);
    }

    [Fact]
    public void A_throttled_client_is_served_normally_while_it_still_has_ten_seconds_of_film()
    {
        Open(0);
        Read(seconds: 15, pace: 6);
        Assert.Equal(ScanSign.Fast, _judge.Sign);

        // The most the client got: twice what a person can have watched. Then nothing more arrives.
        var lead = (_sent / _judge.Pace) - _now;
        Read(seconds: (int)(lead - 11), pace: 0, waits: true);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
        Read(seconds: 2, pace: 0, waits: true);
        Assert.Equal(ScanSign.None, _judge.Sign);
        Assert.True((_sent / Rate) - _now >= 10);
    }

    [Fact]
    public void A_scanner_throttled_beside_a_player_stays_a_scanner()
    {
        Open(0);
        Read(seconds: 60, pace: 30);
        Read(seconds: 300, pace: 0.8, waits: true);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void A_scanner_on_a_bursty_line_is_recognised()
    {
        Open(0);
        for (var i = 0; i < 10; i++)
        {
            Read(seconds: 1, pace: 0, waits: true);
            Read(seconds: 1, pace: 10);
        }

        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void After_a_jump_a_scanner_counts_as_a_player()
    {
        Open(0);
        Read(seconds: 30, pace: 30);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
        Open(5_000_000_000);
        Assert.Equal(ScanSign.None, _judge.Sign);
    }

    [Fact]
    public void Consecutive_ranges_count_as_one_read()
    {
        Open(0);
        for (var i = 0; i < 12; i++)
        {
            Read(seconds: 1, pace: 30);
            _judge.Ended((long)_position);
            Open((long)_position);
        }

        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void A_film_of_unknown_length_has_a_higher_threshold()
    {
        _judge.Length = null;
        Open(0);
        Read(seconds: 60, pace: 5);
        Assert.Equal(ScanSign.None, _judge.Sign);
        Read(seconds: 15, pace: 50);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void Thumbnails_with_one_process_each_are_recognised_at_the_fifth_jump()
    {
        for (var i = 1; i <= 6; i++)
        {
            Assert.Equal(ScanSign.None, _judge.Sign);
            Picture(i * 300_000_000L);
        }

        Assert.Equal(ScanSign.Steps, _judge.Sign);
        Picture(7 * 300_000_000L);
        Assert.Equal(ScanSign.Steps, _judge.Sign);
        Read(seconds: 11, pace: 0);
        Assert.Equal(ScanSign.None, _judge.Sign);
    }

    [Fact]
    public void Short_reads_at_even_steps_are_recognised_at_the_eighth_jump()
    {
        for (var i = 1; i <= 9; i++)
        {
            Assert.Equal(ScanSign.None, _judge.Sign);
            Open(i * 300_000_000L);
            Read(1, pace: 5);
        }

        Assert.Equal(ScanSign.Steps, _judge.Sign);
    }

    [Fact]
    public void Ffmpeg_taking_a_picture_every_twelve_seconds_is_recognised()
    {
        // Recorded from "ffmpeg -ss 12, 24, … -i http://… -frames:v 1" (5.1) on a film of three minutes and 272 MB: start and end time of
        // each request, its offset, and the bytes that sockets accepted.
        (double Began, long Start, long Sent, double Ended)[] requests =
        [
            (15.12, 0, 4128768, 15.16), (15.16, 271525119, 1862, 15.16), (15.16, 138295, 4128768, 15.17), (15.16, 14966919, 7077888, 15.91),
            (16.88, 0, 4128768, 16.91), (16.91, 271525119, 1862, 16.91), (16.91, 138295, 4128768, 16.91), (16.91, 33076618, 6946816, 17.93),
            (18.98, 0, 4128768, 19.06), (19.04, 271525119, 1862, 19.04), (19.05, 138295, 4128768, 19.08), (19.08, 51186643, 7077888, 20.19),
            (20.96, 0, 4128768, 20.98), (20.98, 271525119, 1862, 20.98), (20.98, 138295, 4128768, 20.99), (20.99, 69296640, 7077888, 21.74),
            (23.02, 0, 4128768, 23.10), (23.08, 271525119, 1862, 23.08), (23.09, 138295, 4128768, 23.12), (23.10, 87406672, 7012352, 24.28),
            (25.50, 0, 4128768, 25.57), (25.56, 271525119, 1862, 25.56), (25.56, 138295, 4128768, 25.60),
            (25.59, 105516448, 7077888, 26.38),
            (27.54, 0, 4128768, 27.68), (27.60, 271525119, 1862, 27.60), (27.67, 138295, 4128768, 27.71),
            (27.68, 123626495, 7012352, 29.31),
        ];
        var signs = Replay(271_526_981, requests);
        Assert.Equal(ScanSign.None, signs[^8]);
        Assert.Equal(ScanSign.Steps, signs[^1]);
    }

    [Fact]
    public void Ffmpeg_decoding_a_whole_film_on_a_slow_machine_is_recognised()
    {
        // Recorded from "ffmpeg -i http://… -vf fps=1/10" on the same film: 2.8 times its playing speed.
        var signs = Replay(271_526_981, [(42.84, 0, 252116992, 101.75)]);
        Assert.Equal(ScanSign.Fast, signs[^1]);
    }

    [Fact]
    public void A_client_that_keeps_reading_after_a_jump_is_watching()
    {
        for (var i = 1; i <= 10; i++)
            Picture(i * 100_000_000L);
        Assert.Equal(ScanSign.Steps, _judge.Sign);
        Open(2_000_000_000);
        Read(seconds: 11, pace: 1);
        Assert.Equal(ScanSign.None, _judge.Sign);
    }

    [Fact]
    public void A_user_looking_for_a_scene_is_not_taken_for_a_scanner()
    {
        // Half a minute ahead, a look, half a minute ahead; at each place the player reads ten seconds ahead.
        var step = (long)(30 * Rate);
        for (var i = 1; i <= 40; i++)
        {
            Open(1_000_000_000 + (i * step));
            Read(seconds: 2, pace: 10);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }
    }

    [Fact]
    public void Jumps_back_and_forth_are_not_even_steps()
    {
        long[] places = [3, 1, 5, 2, 7, 4, 9, 6, 8, 1, 3, 2, 5, 4];
        foreach (var place in places)
        {
            Picture(place * 500_000_000);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }
    }

    /// <summary>The verdict after each request of a recording, for a film of three minutes.</summary>
    private static List<ScanSign> Replay(long size, (double Began, long Start, long Sent, double Ended)[] requests)
    {
        var judge = new ScanDetector(size) { Length = TimeSpan.FromMinutes(3) };
        var signs = new List<ScanSign>();
        var tick = Math.Floor(requests[0].Began) + 1;
        long before = 0;
        foreach (var (began, start, sent, ended) in requests)
        {
            for (; tick < began; tick++)
                judge.Tick(TimeSpan.FromSeconds(tick), before, TimeSpan.Zero, position: 0);
            judge.Opened(start, TimeSpan.FromSeconds(began), before);
            for (; tick < ended; tick++)
            {
                var read = (long)(sent * (tick - began) / (ended - began));
                judge.Tick(TimeSpan.FromSeconds(tick), before + read, TimeSpan.Zero, start + read);
            }

            before += sent;
            judge.Ended(start + sent);
            signs.Add(judge.Sign);
        }

        return signs;
    }

    private void Picture(long place)
    {
        Open(0);
        Read(1, pace: 0.2);
        Open(Size - 1_000_000);
        Open(place);
        Read(1, pace: 1);
    }

    private void Open(long position)
    {
        _judge.Opened(position, TimeSpan.FromSeconds(_now), (long)_sent);
        _position = position;
    }

    private void Read(int seconds, double pace, bool waits = false)
    {
        for (var i = 0; i < seconds; i++)
        {
            _now++;
            _sent += pace * Rate;
            _position += pace * Rate;
            _waited += waits ? 0.9 : 0;
            _judge.Tick(TimeSpan.FromSeconds(_now), (long)_sent, TimeSpan.FromSeconds(_waited), (long)_position);
        }
    }
}
