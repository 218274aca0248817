using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Tests;

public sealed class StageRunnerTests
{
    private readonly LevelFixture _fixture = new("WebDAV", length: 1);

    [Fact]
    public async Task A_hanging_stage_fails_under_its_name()
    {
        var run = _fixture.Stages.RunAsync("seek", (_, token) => Task.Delay(Timeout.Infinite, token), CancellationToken.None);
        await _fixture.Time.WhenArmedAsync(1);
        _fixture.Time.Advance(TimeSpan.FromMinutes(3));

        Assert.False(await run);
        Assert.Equal("seek (WebDAV): did not end within 180 s.", _fixture.Failure.ToString());
    }

    [Fact]
    public async Task An_exception_of_a_stage_becomes_its_failure()
    {
        Assert.False(await _fixture.Stages.RunAsync("seek", (_, _) => throw new IOException("no."), CancellationToken.None));
        Assert.Equal("seek (WebDAV): no.", _fixture.Failure.ToString());
    }

    [Fact]
    public async Task Cancellation_by_the_user_is_not_a_failure()
    {
        using var stop = new CancellationTokenSource();
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _fixture.Stages.RunAsync("seek", (_, token) => Task.FromCanceled(token), stop.Token));
        Assert.Empty(_fixture.Findings.Failures);
    }

    [Fact]
    public async Task Many_failures_of_one_stage_are_summarised()
    {
        await _fixture.Stages.RunAsync("seek", (stage, _) =>
        {
            for (var i = 0; i < 10; i++)
                stage.Fail($"{i}");
            return Task.CompletedTask;
        }, CancellationToken.None);

        Assert.Equal(["0", "1", "2", "and 7 more of this kind."], _fixture.Findings.Failures.Select(failure => failure.Message));
    }

    [Theory]
    [InlineData(1000, 4, new long[] { 0, 250, 500, 750 }, 250)]
    [InlineData(1000, 1, new long[] { 0 }, 1000)]
    [InlineData(11, 2, new long[] { 0, 5 }, 5)]
    [InlineData(2, 3, new long[] { 0, 1, 1 }, 1)]
    public void Each_stream_reads_its_own_part(long length, int count, long[] starts, long each)
    {
        var (begin, read) = SeekPlaces.Apart(length, count);

        Assert.Equal(starts, begin);
        Assert.Equal(each, read);
    }
}
