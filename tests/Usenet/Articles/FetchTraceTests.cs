using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>The explanation of a wait that users see.</summary>
public sealed class FetchTraceTests
{
    private static readonly ManualTimeProvider Clock = new();

    [Theory]
    [InlineData(0, 0.0, 1.6, AttemptOutcome.Found, "a took 1.6 s")]
    [InlineData(1, 1.7, 2, AttemptOutcome.Found, "no connection was free for 0.7 s, a took 0.3 s")]
    [InlineData(1, 1.1, 1.2, AttemptOutcome.Missing, "a answered after 0.1 s that it does not have it")]
    [InlineData(1, 1.1, 2.2, AttemptOutcome.Corrupt, "a sent a damaged copy in 1.1 s")]
    [InlineData(1, 1.1, 2.2, AttemptOutcome.Mismatch, "a sent another part in 1.1 s")]
    [InlineData(1, 1.1, 2.2, AttemptOutcome.Foreign, "a sent another encoding in 1.1 s")]
    [InlineData(1, 1.1, 2.2, AttemptOutcome.Lost, "the connection to a was lost after 1.1 s")]
    [InlineData(1, 1.1, 2.2, AttemptOutcome.Refused, "a refused after 1.1 s")]
    [InlineData(1, 1.1, 2.2, AttemptOutcome.Superseded, "a had not sent it after 1.1 s")]
    [InlineData(1, null, 3, AttemptOutcome.NotSent, "no connection was free for 2.0 s")]
    [InlineData(1, null, 1.2, AttemptOutcome.NotSent, null)]
    internal void Each_attempt_is_described(double queued, double? sent, double ended, AttemptOutcome outcome, string? story)
    {
        static long At(double seconds) => (long)((seconds + 1) * TimeSpan.TicksPerSecond);
        Assert.Equal(story,
            FetchTrace.Report([new FetchAttempt("a", At(queued), sent is { } one ? At(one) : 0, At(ended), outcome)], Clock));
    }

    [Fact]
    public async Task A_long_wait_names_providers_without_the_article_and_slow_ones()
    {
        var time = new ManualTimeProvider();
        time.Advance(TimeSpan.FromSeconds(1));
        using var asked = new ManualResetEventSlim();
        using var gate = new ManualResetEventSlim();
        await using var usenet = new UsenetFixture(
            [
                new MockProviderOptions { Name = "first", Holds = segment => segment.Index != 2 },
                new MockProviderOptions
                {
                    Name = "second",
                    Holds = _ =>
                    {
                        asked.Set();
                        return gate.Wait(TimeSpan.FromSeconds(60));
                    },
                },
            ],
            // Another connection, or one that replaces a silent one after more than a second, would ask again, at whatever this clock shows
            // once it is open.
            (options, provider) => options with { Priority = provider, MaxConnections = 1 }, time: time);
        var file = usenet.Post(5_000_000);
        await using var reader = usenet.Client.Open(UsenetFixture.TrueMap(file))
            .OpenReader(file.Segments[2].Offset, file.Segments[2].Offset + 1_000, ReadIntent.Playback);
        var reading = UsenetFixture.AssertReadsAsync(reader, file, 1_000);
        await Until.TrueAsync(() => asked.IsSet);
        for (var i = 0; i < 10; i++)
            time.Advance(TimeSpan.FromMilliseconds(100));
        gate.Set();
        await reading;

        var wait = reader.Observe().LastWait!;
        Assert.Equal((2, TimeSpan.FromSeconds(1)), (wait.Segment, wait.Waited));
        Assert.Equal("first answered after 0.0 s that it does not have it, second took 1.0 s", wait.Trace);
    }
}
