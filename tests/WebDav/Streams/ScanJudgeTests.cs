using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Tests.Streams;

/// <summary>Who scans and who watches, by how they read.</summary>
public sealed class ScanJudgeTests
{
    /// <summary>A film of two hours and 8 GB: 1.1 MB/s.</summary>
    private const long Size = 8_000_000_000;

    private static readonly TimeSpan Length = TimeSpan.FromHours(2);
    private static readonly double Rate = Size / Length.TotalSeconds;

    private readonly ScanJudge _judge = new(Size) { Length = Length };
    private double _now;
    private double _sent;
    private double _waited;
    private double _position;

    [Fact]
    public void Whoever_reads_on_and_on_at_thirty_times_the_pace_of_the_film_scans()
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
    public void The_next_file_of_the_same_client_is_recognised_sooner()
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

        // In bursts, as players do: some seconds nothing, then much.
        for (var i = 0; i < 60; i++)
        {
            Read(8, 0);
            Read(2, 5);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }
    }

    [Fact]
    public void A_player_that_was_taken_for_a_scanner_is_served_as_ever_when_it_reads_at_the_pace_of_the_film()
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
    public void Whoever_is_starved_is_served_as_ever_while_he_still_has_ten_seconds_of_film()
    {
        Open(0);
        Read(seconds: 15, pace: 6);
        Assert.Equal(ScanSign.Fast, _judge.Sign);

        // What he got at most: twice of which a person can have watched; nothing comes any more.
        var lead = (_sent / _judge.Pace) - _now;
        Read(seconds: (int)(lead - 11), pace: 0, waits: true);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
        Read(seconds: 2, pace: 0, waits: true);
        Assert.Equal(ScanSign.None, _judge.Sign);
        Assert.True((_sent / Rate) - _now >= 10);
    }

    [Fact]
    public void A_scanner_that_gets_little_beside_a_player_stays_one()
    {
        Open(0);
        Read(seconds: 60, pace: 30);
        Read(seconds: 300, pace: 0.8, waits: true);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void A_jump_makes_a_scanner_a_player()
    {
        Open(0);
        Read(seconds: 30, pace: 30);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
        Open(5_000_000_000);
        Assert.Equal(ScanSign.None, _judge.Sign);
    }

    [Fact]
    public void Ranges_that_follow_each_other_are_one_reading()
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
    public void A_film_of_unknown_length_must_be_read_faster()
    {
        _judge.Length = null;
        Open(0);
        Read(seconds: 60, pace: 5);
        Assert.Equal(ScanSign.None, _judge.Sign);
        Read(seconds: 15, pace: 50);
        Assert.Equal(ScanSign.Fast, _judge.Sign);
    }

    [Fact]
    public void Pictures_at_even_steps_are_recognised_with_the_eighth_jump_and_head_and_index_do_not_count()
    {
        for (var i = 1; i <= 9; i++)
        {
            Assert.Equal(ScanSign.None, _judge.Sign);
            Picture(i * 300_000_000L);
        }

        Assert.Equal(ScanSign.Steps, _judge.Sign);
        Picture(10 * 300_000_000L);
        Assert.Equal(ScanSign.Steps, _judge.Sign);
    }

    [Fact]
    public void Whoever_reads_on_after_a_jump_watches()
    {
        for (var i = 1; i <= 10; i++)
            Picture(i * 100_000_000L);
        Assert.Equal(ScanSign.Steps, _judge.Sign);
        Open(2_000_000_000);
        Read(seconds: 11, pace: 1);
        Assert.Equal(ScanSign.None, _judge.Sign);
    }

    [Fact]
    public void A_person_who_looks_for_a_scene_is_not_taken_for_a_scanner()
    {
        // Half a minute on, a look, half a minute on; a player reads ten seconds ahead at each place.
        var step = (long)(30 * Rate);
        for (var i = 1; i <= 40; i++)
        {
            Open(1_000_000_000 + (i * step));
            Read(seconds: 2, pace: 10);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }
    }

    [Fact]
    public void Jumps_to_and_fro_are_no_steps()
    {
        long[] places = [3, 1, 5, 2, 7, 4, 9, 6, 8, 1, 3, 2, 5, 4];
        foreach (var place in places)
        {
            Picture(place * 500_000_000);
            Assert.Equal(ScanSign.None, _judge.Sign);
        }
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
