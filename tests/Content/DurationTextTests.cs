namespace NzbDav.Content.Tests;

/// <summary>Durations in messages.</summary>
public sealed class DurationTextTests
{
    [Theory]
    [InlineData(7200, "2 hours")]
    [InlineData(5400, "1.5 hours")]
    [InlineData(3600, "1 hour")]
    [InlineData(3540, "59 minutes")]
    [InlineData(150, "2.5 minutes")]
    [InlineData(60, "1 minute")]
    [InlineData(59, "59 seconds")]
    [InlineData(0, "0 seconds")]
    public void A_duration_is_shown_in_its_largest_unit(int seconds, string expected) =>
        Assert.Equal(expected, DurationText.Of(TimeSpan.FromSeconds(seconds)));
}
