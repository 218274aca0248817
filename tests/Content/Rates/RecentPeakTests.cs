using NzbDav.Content.Rates;

namespace NzbDav.Content.Tests.Rates;

public sealed class RecentPeakTests
{
    [Fact]
    public void A_peak_is_remembered_for_one_to_two_spans()
    {
        var peak = new RecentPeak(3);
        Assert.Equal(0, peak.Value);
        Assert.Equal([9, 9, 9, 9, 9, 2, 2], Values(ref peak, 9, 1, 2, 1, 1, 1, 1));
    }

    [Fact]
    public void A_higher_value_counts_at_once()
    {
        var peak = new RecentPeak(2);
        Assert.Equal([1, 2, 3, 4, 5], Values(ref peak, 1, 2, 3, 4, 5));
    }

    private static List<long> Values(ref RecentPeak peak, params long[] values)
    {
        var seen = new List<long>();
        foreach (var value in values)
        {
            peak.Add(value);
            seen.Add(peak.Value);
        }

        return seen;
    }
}
