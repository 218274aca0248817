using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>Whether one more connection may be dialled, beside those that are dialled or have just ended.</summary>
public sealed class ProviderHealthTests
{
    private static readonly NntpConnectResult Refused = NntpConnectResult.Failed(NntpConnectFailure.Refused, "refused");

    private readonly ManualTimeProvider _clock = new();
    private readonly ProviderHealth _health;

    public ProviderHealthTests()
    {
        // No real clock shows 0, and 0 means never in some places.
        _clock.Advance(TimeSpan.FromSeconds(1));
        _health = new ProviderHealth([], _clock);
    }

    [Fact]
    public void One_connection_is_dialled_at_a_time_until_one_has_opened()
    {
        Assert.True(_health.MayDial(active: 0));
        Assert.False(_health.MayDial(active: 1));
        Assert.True(_health.Opened(isEarly: false));
        Assert.True(_health.MayDial(active: 3));
    }

    [Fact]
    public void One_connection_is_dialled_at_a_time_after_a_break()
    {
        _health.Opened(isEarly: false);
        for (var i = 0; i < 2; i++)
        {
            _health.DialFailed(isEarly: false);
            Assert.Equal(i == 0, _health.Failed(Refused));
        }

        _clock.Advance(ProviderBreaker.FirstBreak);
        Assert.Equal(TimeSpan.Zero, _health.Breaker.Left);
        Assert.True(_health.MayDial(active: 0));
        Assert.False(_health.MayDial(active: 1));
        Assert.True(_health.Opened(isEarly: false));
        Assert.True(_health.MayDial(active: 1));
    }

    [Fact]
    public void A_full_account_casts_no_doubt_on_its_provider()
    {
        _health.Opened(isEarly: false);
        for (var i = 0; i < 5; i++)
            _health.Capped(isEarly: false);
        Assert.Equal(TimeSpan.Zero, _health.Breaker.Left);
        Assert.True(_health.MayDial(active: 1));
    }

    [Fact]
    public void A_failed_dial_that_readers_demanded_does_not_prolong_the_break()
    {
        for (var i = 0; i < 2; i++)
        {
            _health.DialFailed(isEarly: false);
            _health.Failed(Refused);
        }

        Assert.False(_health.TryDemand());
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.True(_health.TryDemand());
        Assert.False(_health.TryDemand());
        Assert.False(_health.DialFailed(isEarly: true));
        _health.Failed(Refused);
        Assert.False(_health.IsDemanded);
        Assert.Equal(ProviderBreaker.FirstBreak - TimeSpan.FromSeconds(1), _health.Breaker.Left);
    }
}
