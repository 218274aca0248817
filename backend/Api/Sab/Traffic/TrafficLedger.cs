using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Sab.Traffic;

/// <summary>Counts the bytes from the providers across restarts. Stored once a minute and when the server stops: a crash loses up to a minute. Thread-safe.</summary>
internal sealed partial class TrafficLedger(SettingStore settings, ISabTraffic traffic, TimeProvider time, ILogger<TrafficLedger> logger) : BackgroundService
{
    private const string Key = "usenet.traffic";
    private const int DaysKept = 60;

    private static readonly TimeSpan Every = TimeSpan.FromMinutes(1);

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly Dictionary<string, TrafficDay> _counted = new(StringComparer.Ordinal);
    private Dictionary<string, TrafficRecord>? _records;
    private bool _unsaved;

    /// <summary>The traffic so far, by host.</summary>
    public async Task<IReadOnlyDictionary<string, TrafficRecord>> ReadAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            await CountAsync(cancellationToken);
            return _records!.ToDictionary(
                record => record.Key, record => new TrafficRecord(record.Value.Total, new SortedDictionary<string, TrafficDay>(record.Value.Days, StringComparer.Ordinal)), StringComparer.Ordinal);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <inheritdoc/>
    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        await SaveAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _turn.Dispose();
        base.Dispose();
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Every, time);
        while (await timer.WaitForNextTickAsync(stoppingToken))
            await SaveAsync(stoppingToken);
    }

    private async Task SaveAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            await CountAsync(cancellationToken);
            if (!_unsaved)
                return;
            await settings.SetAsync(Key, JsonSerializer.Serialize(_records), cancellationToken);
            _unsaved = false;
        }
        catch (CatalogException e)
        {
            LogStorage(logger, e.Message);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Adds the traffic since the last call to today's.</summary>
    private async Task CountAsync(CancellationToken cancellationToken)
    {
        _records ??= await settings.GetAsync(Key, cancellationToken) is { } kept ? JsonSerializer.Deserialize<Dictionary<string, TrafficRecord>>(kept)! : [];
        var today = time.GetUtcNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        foreach (var host in traffic.Servers.GroupBy(server => server.Host, StringComparer.OrdinalIgnoreCase))
        {
            var now = new TrafficDay(host.Sum(server => server.Bytes), host.Sum(server => server.Tried), host.Sum(server => server.Articles));
            var before = _counted.GetValueOrDefault(host.Key, new TrafficDay(0, 0, 0));
            var more = new TrafficDay(now.Bytes - before.Bytes, now.Tried - before.Tried, now.Success - before.Success);
            var record = _records.GetValueOrDefault(host.Key) ?? new TrafficRecord(0, new SortedDictionary<string, TrafficDay>(StringComparer.Ordinal));
            _counted[host.Key] = now;
            if (more is { Bytes: 0, Tried: 0, Success: 0 } && _records.ContainsKey(host.Key))
                continue;
            record.Days[today] = record.Days.GetValueOrDefault(today, new TrafficDay(0, 0, 0)) + more;
            while (record.Days.Count > DaysKept)
                record.Days.Remove(record.Days.First().Key);
            _records[host.Key] = record with { Total = record.Total + more.Bytes };
            _unsaved = true;
        }
    }

    [LoggerMessage(404, LogLevel.Warning, "The providers' traffic counters cannot be stored: {Reason}")]
    private static partial void LogStorage(ILogger logger, string reason);
}
