using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Tests.Providers;

public sealed class ProviderReliabilityTests
{
    private readonly ManualTimeProvider _time = new(new DateTimeOffset(2030, 1, 4, 12, 30, 0, TimeSpan.Zero));
    private readonly ProviderReliability _reliability;

    public ProviderReliabilityTests() => _reliability = new ProviderReliability(_time);

    [Fact]
    public void Counts_requests_by_outcome()
    {
        foreach (var outcome in Enum.GetValues<AttemptOutcome>())
            _reliability.Add(outcome);

        // Another part or encoding is what was posted; what was not sent or not needed any more says nothing.
        Assert.Equal(new ReliabilityCounts(Found: 3, Missing: 1, Damaged: 1, TimedOut: 1, Lost: 2), _reliability.LastDay);
        Assert.Equal((8, 4), (_reliability.LastDay.Asked, _reliability.LastDay.Broken));
    }

    [Fact]
    public void Forgets_counts_after_a_day_hour_by_hour()
    {
        for (var hour = 0; hour < 30; hour++)
        {
            for (var i = 0; i <= hour; i++)
                _reliability.Add(AttemptOutcome.Found);
            _time.Advance(TimeSpan.FromHours(1));
        }

        // The hour that has begun is empty; the 23 before it had 8 … 30.
        Assert.Equal(Enumerable.Range(8, 23).Sum(), _reliability.LastDay.Found);
        _time.Advance(TimeSpan.FromHours(22));
        Assert.Equal(30, _reliability.LastDay.Found);
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(default, _reliability.LastDay);
    }

    [Fact]
    public void Is_unreliable_from_one_broken_article_in_ten_with_at_least_twenty()
    {
        Add(AttemptOutcome.Corrupt, 19);
        Assert.False(_reliability.IsUnreliable);
        Add(AttemptOutcome.Lost, 1);
        Assert.True(_reliability.IsUnreliable);
        Add(AttemptOutcome.Found, 180);
        Assert.True(_reliability.IsUnreliable);
        Add(AttemptOutcome.Found, 1);
        Assert.False(_reliability.IsUnreliable);

        // What it does not have it does not break.
        Add(AttemptOutcome.Missing, 1_000);
        Assert.False(_reliability.IsUnreliable);
    }

    [Fact]
    public void Is_trusted_again_after_the_bad_hour_and_the_next()
    {
        Add(AttemptOutcome.Refused, 20);
        _time.Advance(TimeSpan.FromMinutes(89));
        _reliability.Tick();
        Assert.True(_reliability.IsUnreliable);
        _time.Advance(TimeSpan.FromMinutes(1));
        _reliability.Tick();
        Assert.False(_reliability.IsUnreliable);
        Assert.Equal(20, _reliability.LastDay.Lost);
    }

    private void Add(AttemptOutcome outcome, int count)
    {
        for (var i = 0; i < count; i++)
            _reliability.Add(outcome);
    }
}
