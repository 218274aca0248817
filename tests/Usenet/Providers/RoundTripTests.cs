using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

public sealed class RoundTripTests : IAsyncDisposable
{
    private readonly DispatchFixture _fixture = new(priorities: 0);

    private INntpAccount Account => _fixture.Provider(0);

    [Fact]
    public void A_pause_of_all_connections_is_not_taken_for_the_round_trip()
    {
        Measure(20, times: 10);
        Measure(1_000, times: 10);
        Assert.InRange(Account.RoundTrip.TotalMilliseconds, 20, 70);
        Measure(20, times: 20);
        Assert.InRange(Account.RoundTrip.TotalMilliseconds, 20, 25);
    }

    [Theory]
    [InlineData(20, 200)]
    [InlineData(200, 20)]
    public void A_changed_round_trip_is_learned(int before, int after)
    {
        Measure(before, times: 1);
        Assert.Equal(before, Account.RoundTrip.TotalMilliseconds);
        Measure(after, times: 50);
        Assert.InRange(Account.RoundTrip.TotalMilliseconds, after * 0.9, after * 1.1);
    }

    public ValueTask DisposeAsync() => _fixture.DisposeAsync();

    private void Measure(int milliseconds, int times)
    {
        for (var i = 0; i < times; i++)
            Account.RoundTripMeasured(TimeSpan.FromMilliseconds(milliseconds));
    }
}
