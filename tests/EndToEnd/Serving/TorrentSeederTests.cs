using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Serving;
using NzbDav.Seeding;
using NzbDav.Torrents.Sessions;

namespace NzbDav.EndToEnd.Tests.Serving;

public sealed class TorrentSeederTests
{
    [Fact]
    public async Task An_internal_error_is_logged_once_and_does_not_end_it()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var services = gateway.Services;
        var (clock, time, log) = (new ManualTimeProvider(), new FailingTime(), new RecordingLogger<TorrentSeeder>());
        await using var runner = new SeedingRunner(
            services.GetRequiredService<TorrentShelf>(), services.GetRequiredService<TorrentStore>(),
            services.GetRequiredService<TorrentSessions>(), services.GetRequiredService<Live<SeedingOptions>>(), time);
        using var seeder = new TorrentSeeder(runner, clock, log);
        time.Failures = 2;
        await seeder.StartAsync(Deadline.Token);
        await Until.TrueAsync(() =>
        {
            clock.Advance(SeedingRunner.Pace);
            return time is { Failures: 0, Calls: > 3 };
        });
        await seeder.StopAsync(Deadline.Token);
        Assert.Equal([LogLevel.Error], log.Entries.Select(static entry => entry.Level));
    }
}
