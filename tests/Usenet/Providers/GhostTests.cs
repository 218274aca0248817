using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>Connections that were lost and that the provider still counts.</summary>
public sealed class GhostTests
{
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public GhostTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Theory]
    [InlineData(3)]
    [InlineData(0)]
    public async Task Connections_are_retried_every_few_seconds_and_all_return_once_the_server_released_the_lost_ones(int left)
    {
        var log = new StubLog(LogLevel.Debug);
        await using var usenet = new UsenetFixture(
            [new() { MaxConnections = 10 }], static (options, _) => options with { MaxConnections = 10 }, time: _clock, log: log);
        var provider = usenet.Client.Providers[0];
        await OpenAsync(10);
        _clock.Advance(TimeSpan.FromSeconds(10));

        // The server still counts what it has lost.
        usenet.Mock.MaxConnections = left;
        usenet.Mock.DropConnections(keep: left);
        await OpenAsync(left);

        // One refusal, or another at once if the first came before all losses were noticed.
        var refused = await RefusedAsync(0);
        foreach (var seconds in (int[])[1, 2, 4, 8, 8])
        {
            if (seconds > 1)
            {
                _clock.Advance(TimeSpan.FromSeconds(seconds - 1));
                Assert.Equal(refused, usenet.Mock.Stats.ConnectionsRefused);
            }

            _clock.Advance(TimeSpan.FromSeconds(1));
            refused = await RefusedAsync(refused);
        }

        Assert.Equal(10, provider.Status.MaxConnections);
        usenet.Mock.MaxConnections = 10;
        _clock.Advance(TimeSpan.FromSeconds(8));
        await OpenAsync(10);
        Assert.Equal(refused, usenet.Mock.Stats.ConnectionsRefused);

        Task OpenAsync(int count) => Until.TrueAsync(() => provider.Status.OpenConnections == count);

        // More than before, each of them known to the pool.
        async Task<int> RefusedAsync(int before)
        {
            var told = 0;
            await Until.TrueAsync(() => (told = log.Entries.Count(entry => entry.Text.Contains(
                "tried again within seconds", StringComparison.Ordinal))) > before && told == usenet.Mock.Stats.ConnectionsRefused);
            return told;
        }
    }

    [Fact]
    public async Task Requests_in_the_meantime_are_served_by_another_provider_at_once()
    {
        await using var usenet = new UsenetFixture(
            [new(), new()], static (options, index) => options with { MaxConnections = 4, Priority = index }, time: _clock);
        var file = usenet.Post(100_000);
        var provider = usenet.Client.Providers[0];
        await Until.TrueAsync(() => usenet.Client.Providers.All(each => each.Status.OpenConnections == 4));
        _clock.Advance(TimeSpan.FromSeconds(10));
        usenet.Mock.MaxConnections = 0;
        usenet.Mock.DropConnections();
        await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsRefused > 0 && provider.Status.State == ProviderState.Failing);
        var probe = await usenet.Client.ProbeAsync(file.Segments[0].MessageId, FetchPriority.Health, CancellationToken.None);
        Assert.Null(probe.Fault);

        // The probe ends with the first bytes; the server counts an article once it has sent all of them.
        await Until.TrueAsync(() => usenet.Mocks[1].Stats.ArticlesServed == 1);
    }
}
