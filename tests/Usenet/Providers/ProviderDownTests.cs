using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Providers;

/// <summary>A provider becomes unusable more than once: what it was left each time goes to another.</summary>
public sealed class ProviderDownTests
{
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public ProviderDownTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task What_was_queued_while_it_seemed_to_come_back_goes_to_another_when_its_grace_is_over()
    {
        ScriptedPeer? first = null;
        var connections = 0;
        await using var server = new ScriptedServer(async peer =>
        {
            switch (Interlocked.Increment(ref connections))
            {
                case 1:
                    first = peer;
                    await peer.SayAsync("200 hello\r\n");
                    await peer.AnswerAsync("281 welcome\r\n");
                    break;
                case 2:
                    // Unusable at once.
                    await peer.SayAsync("200 hello\r\n");
                    await peer.AnswerAsync("481 account expired\r\n");
                    break;
                case 3:
                    // May pass: usable again for the rest of its grace.
                    peer.Close();
                    break;
                default:
                    // Silent.
                    break;
            }
        });
        await using var usenet = new UsenetFixture(
            [new(), new()],
            (options, index) => index == 0 ? options with { Port = server.Port, Username = "me", Password = "secret", MaxConnections = 1 } : options with { Priority = 1, MaxConnections = 1 },
            time: _clock);
        var file = usenet.Post(100_000);
        var (lost, other) = (usenet.Client.Providers[0], usenet.Client.Providers[1]);
        await Until.TrueAsync(() => lost.Status.OpenConnections == 1 && other.Status.OpenConnections == 1);
        _clock.Advance(TimeSpan.FromSeconds(30));
        first!.Close();
        await Until.TrueAsync(() => lost.Status is { Failure: NntpConnectFailure.BadGreeting, NextAttempt: not null } && _clock.ArmedTimers == 3);
        var probing = usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Health, CancellationToken.None);
        for (var second = 0; second < 8; second++)
        {
            Assert.Equal((1, false), (usenet.Client.QueuedRequests, probing.IsCompleted));
            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, usenet.Client.QueuedRequests);
        Assert.Equal(SegmentOutcome.Found, (await probing).Outcome);
    }
}
