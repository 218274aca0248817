using Microsoft.Extensions.Logging;
using NzbDav.Fakes;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Torrents.Tests;

public sealed class SummaryTests
{
    [Theory]
    [InlineData(LogLevel.Debug)]
    [InlineData(LogLevel.Information)]
    public async Task One_debug_line_per_period_reports_the_traffic(LogLevel level)
    {
        var time = new ManualTimeProvider();
        var log = new Lines(level);
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(1_000_000), SwarmFixture.Seeders(1));
        using var summary = new TorrentSummary(fixture.Engine, time, log);
        var torrent = fixture.Add();
        time.Advance(TorrentSummary.Period);
        Assert.Empty(log.Said);

        await fixture.ReadAsync(torrent, 0, 1_000_000);
        time.Advance(TorrentSummary.Period);
        time.Advance(TorrentSummary.Period);
        if (level > LogLevel.Debug)
        {
            Assert.Empty(log.Said);
            return;
        }

        var line = Assert.Single(log.Said);
        Assert.StartsWith($"Torrent {torrent.Hash}: 1 peers, 16 of 16 pieces; 0.1 MB/s of blocks", line, StringComparison.Ordinal);
    }

    private sealed class Lines(LogLevel level) : ILogger<TorrentSummary>
    {
        public List<string> Said { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= level;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => Said.Add(formatter(state, exception));
    }
}
