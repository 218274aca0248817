namespace NzbDav.Content.Tests;

/// <summary>Every arrow of the drawing in <see cref="ReadAheadWindow"/>.</summary>
public sealed class ReadAheadPhaseTests
{
    private readonly ReadAheadWindow _window = new(ReadIntent.Playback);

    public ReadAheadPhaseTests()
    {
        for (var i = 0; i < 3; i++)
            Take(ready: 1);
    }

    [Fact]
    public void A_reader_that_takes_its_first_segments_is_on_trial() => Assert.Equal(ReadAheadPhase.Trial, _window.Phase);

    [Fact]
    public void A_reader_that_waits_and_stays_widens_the_window()
    {
        _window.WidenAfterGrace(20);
        Assert.Equal(ReadAheadPhase.Widening, _window.Phase);
        Take(ready: 3);
        Assert.Equal((ReadAheadPhase.Widening, 21), (_window.Phase, _window.Segments));
    }

    [Fact]
    public void A_starved_reader_widens_the_window()
    {
        Take(ready: 0);
        Assert.Equal((ReadAheadPhase.Widening, 6), (_window.Phase, _window.Segments));
    }

    [Fact]
    public void A_window_that_was_filled_before_it_was_widened_is_covered()
    {
        Take(ready: 4);
        Assert.Equal((ReadAheadPhase.Covered, 3), (_window.Phase, _window.Segments));
        Take(ready: 3);
        Assert.Equal((ReadAheadPhase.Covered, 3), (_window.Phase, _window.Segments));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_covered_reader_that_waits_or_is_starved_is_steady(bool starved)
    {
        Take(ready: 4);
        if (starved)
            Take(ready: 0);
        else
            _window.WidenAfterGrace(3);
        Assert.Equal(ReadAheadPhase.Steady, _window.Phase);
    }

    [Fact]
    public void A_widened_window_that_is_filled_is_steady_and_widens_only_while_the_reader_is_starved()
    {
        _window.WidenAfterGrace(20);
        Take(ready: 4);
        Assert.Equal((ReadAheadPhase.Steady, 20), (_window.Phase, _window.Segments));
        Take(ready: 3);
        Assert.Equal((ReadAheadPhase.Steady, 20), (_window.Phase, _window.Segments));
        Take(ready: 2);
        Assert.Equal((ReadAheadPhase.Steady, 23), (_window.Phase, _window.Segments));
    }

    [Theory]
    [InlineData(ReadAheadPhase.Trial)]
    [InlineData(ReadAheadPhase.Covered)]
    [InlineData(ReadAheadPhase.Widening)]
    [InlineData(ReadAheadPhase.Steady)]
    public void A_reader_that_resumes_is_on_trial_again(ReadAheadPhase from)
    {
        if (from is ReadAheadPhase.Widening or ReadAheadPhase.Steady)
            _window.WidenAfterGrace(20);
        if (from is ReadAheadPhase.Covered or ReadAheadPhase.Steady)
            Take(ready: 4);
        Assert.Equal(from, _window.Phase);
        _window.Resumed(TimeSpan.FromMinutes(1));
        Assert.Equal((ReadAheadPhase.Trial, 3), (_window.Phase, _window.Segments));
    }

    private void Take(int ready) => _window.OnSegmentRead(700_000, 4, ready, lastSent: true, TimeSpan.FromSeconds(1));
}
