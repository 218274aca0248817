using NzbDav.Content.Rates;

namespace NzbDav.Content.Tests.Rates;

public sealed class MovingAverageTests
{
    [Fact]
    public void The_first_sample_counts_whole_and_later_ones_by_their_weight()
    {
        var average = default(MovingAverage);
        Assert.False(average.IsKnown);
        average.Add(80);
        Assert.Equal((true, 80.0), (average.IsKnown, average.Value));
        average.Add(160);
        Assert.Equal(90, average.Value);
        average.Add(0, weight: 0.5);
        Assert.Equal(45, average.Value);
    }

    [Fact]
    public void A_rate_starts_at_0()
    {
        var average = default(MovingAverage);
        average.Follow(100, 0.5);
        average.Follow(100, 0.5);
        average.Follow(0, 0.5);
        average.Follow(0, 0.5);
        Assert.Equal(18.75, average.Value);
    }

    [Fact]
    public void A_round_trip_that_varies_is_waited_for_longer()
    {
        var trip = default(RoundTripAverage);
        Assert.Equal(0, trip.Value);
        trip.Add(800);
        Assert.Equal((800L, 2_400L), (trip.Value, trip.Timeout));
        for (var i = 0; i < 100; i++)
            trip.Add(800);
        Assert.Equal((800L, 800L), (trip.Value, trip.Timeout));
        trip.Add(1_600);
        Assert.Equal((900L, 1_700L), (trip.Value, trip.Timeout));
    }
}
