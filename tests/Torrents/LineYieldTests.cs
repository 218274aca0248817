using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents.Tests;

/// <summary>How much of the line is left to others while a reader waits: on a made-up line that connections share evenly.</summary>
public sealed class LineYieldTests
{
    private const double Megabyte = 1e6;

    [Fact]
    public void A_reader_that_waits_gets_the_line_from_others_that_have_many_more_connections()
    {
        var line = new Line { Rate = 10 * Megabyte, OtherConnections = 60, ReaderConnections = 5, ReaderCan = 100 * Megabyte };
        line.Run(5);
        Assert.Equal(10, line.Others / 5 / Megabyte, 0.5);
        line.Begin();
        line.Run(0.5);
        Assert.InRange(line.Run(3).Reader, 0.9 * line.Rate, line.Rate);
        line.End();
        line.Run(2);
        Assert.False(line.Yield.IsYielding);
        Assert.InRange(line.Run(2).Others, 0.9 * line.Rate, line.Rate);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0.5, 0)]
    [InlineData(0.5, 0.4)]
    [InlineData(3, 0)]
    [InlineData(3, 0.4)]
    [InlineData(8, 0)]
    public void What_a_reader_with_slow_peers_cannot_use_is_used_by_others(double megabytes, double bursts)
    {
        var line = new Line
        { Rate = 10 * Megabyte, OtherConnections = 60, ReaderConnections = 5, ReaderCan = megabytes * Megabyte, Bursts = bursts };
        line.Run(5);
        line.Begin();
        var (reader, others) = line.Run(20);
        Assert.InRange(reader, 0.8 * megabytes * Megabyte, 1.05 * megabytes * Megabyte);
        Assert.InRange(reader + others, 0.85 * line.Rate, 1.05 * line.Rate);
    }

    [Fact]
    public void A_line_that_is_wider_than_it_ever_seemed_is_filled_all_the_same()
    {
        var line = new Line
        { Rate = 10 * Megabyte, OtherConnections = 60, ReaderConnections = 5, ReaderCan = Megabyte, OthersCan = Megabyte };
        line.Run(5);
        line.Begin();
        line.OthersCan = 100 * Megabyte;
        line.Run(15);
        var (reader, others) = line.Run(10);
        Assert.InRange(reader, 0.75 * Megabyte, Megabyte);
        Assert.InRange(reader + others, 0.85 * line.Rate, line.Rate);
    }

    [Fact]
    public void Whoever_waits_soon_again_is_given_what_it_could_use_and_no_more()
    {
        var line = new Line { Rate = 10 * Megabyte, OtherConnections = 60, ReaderConnections = 5, ReaderCan = Megabyte };
        line.Run(5);
        line.Begin();
        line.Run(3);
        line.End();
        line.Run(2);
        line.Begin();
        Assert.InRange(line.Yield.Room, 0.75 * line.Rate, 0.95 * line.Rate);
    }

    /// <summary>Each connection gets the same while the line is full; a reader's requests pick up speed by doubling.</summary>
    private sealed class Line
    {
        private const double Step = 0.02;
        private readonly Random _random = new(1);
        private double _ramp;
        private double _first;
        private double _rest;
        private long _now;
        private bool _waits;

        public LineYield Yield { get; } = new();

        public double Rate { get; init; }

        public int OtherConnections { get; init; }

        public int ReaderConnections { get; init; }

        public double ReaderCan { get; init; }

        /// <summary>How much what a reader gets varies, as a share.</summary>
        public double Bursts { get; init; }

        public double OthersCan { get; set; } = double.MaxValue;

        public double Others { get; private set; }

        public void Begin()
        {
            Yield.Begin(_now);
            (_waits, _ramp) = (true, 0.01 * Rate);
        }

        public void End()
        {
            Yield.End(_now);
            _waits = false;
        }

        public (double Reader, double Others) Run(double seconds)
        {
            var (reader, others) = (0.0, 0.0);
            var steps = (int)Math.Round(seconds / Step);
            for (var i = 0; i < steps; i++)
            {
                var wanted = _waits ? Math.Min(ReaderCan, _ramp) : 0;
                var offered = Math.Min(OthersCan, Yield.IsYielding ? Yield.Room : Rate);
                var fair = Rate * ReaderConnections / (ReaderConnections + OtherConnections);
                var got = Math.Min(wanted, Math.Max(fair, Rate - offered));
                var rest = Math.Min(offered, Rate - got);
                got *= 1 + (Bursts * ((2 * _random.NextDouble()) - 1));
                _ramp = Math.Min(Rate, Math.Max(got, 0.01 * Rate) * 1.5);
                (reader, others) = (reader + (got * Step), others + (rest * Step));
                (_first, _rest) = (_first + (got * Step), _rest + (rest * Step));
                _now += (long)(Step * TimeSpan.TicksPerSecond);
                if (Yield.Decide(_now, (long)_first, (long)_rest))
                    (_first, _rest) = (0, 0);
            }

            Others += others;
            return (reader / seconds, others / seconds);
        }
    }
}
