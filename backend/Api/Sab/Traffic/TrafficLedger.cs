using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Sab.Traffic;

/// <summary>
/// Counts the bytes from the providers across restarts, with those of all gateways of the catalog. Stored once a minute and when the server
/// stops: a crash loses up to a minute. Thread-safe.
/// </summary>
internal sealed partial class TrafficLedger(
    SettingStore settings, ISabTraffic traffic, TimeProvider time, ILogger<TrafficLedger> logger) : BackgroundService
{
    private const string Key = "usenet.traffic";
    private const int DaysKept = 60;

    private static readonly TimeSpan Every = TimeSpan.FromMinutes(1);

    private readonly SemaphoreSlim _mutex = new(1, 1);
    private readonly Dictionary<string, TrafficDay> _counted = new(StringComparer.Ordinal);

    /// <summary>Traffic that is not stored yet, by host.</summary>
    private Dictionary<string, TrafficRecord> _new = new(StringComparer.Ordinal);

    /// <summary>The traffic so far, by host.</summary>
    public async Task<IReadOnlyDictionary<string, TrafficRecord>> ReadAsync(CancellationToken cancellationToken)
    {
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            Count();
            var all = Add(Parse(await settings.GetAsync(Key, cancellationToken)), _new);
            foreach (var server in traffic.Servers)
                all.TryAdd(server.Host,
                    new TrafficRecord(0, new SortedDictionary<string, TrafficDay>(StringComparer.Ordinal) { [Today] = new(0, 0, 0) }));
            return all;
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <inheritdoc/>
    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        try
        {
            await SaveAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            // The stop took too long: the traffic of the last minute is not counted.
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _mutex.Dispose();
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
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            Count();
            if (_new.Count == 0)
                return;
            await settings.UpdateAsync(Key, before => JsonSerializer.Serialize(Add(Parse(before), _new)), cancellationToken);
            _new = new(StringComparer.Ordinal);
        }
        catch (CatalogException e)
        {
            LogStorage(logger, e.Message);
        }
        finally
        {
            _mutex.Release();
        }
    }

    private string Today => time.GetUtcNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    private static Dictionary<string, TrafficRecord> Parse(string? stored) =>
        stored is null ? [] : JsonSerializer.Deserialize<Dictionary<string, TrafficRecord>>(stored)!;

    /// <summary>The sum of both, with its latest days only.</summary>
    private static Dictionary<string, TrafficRecord> Add(Dictionary<string, TrafficRecord> left, Dictionary<string, TrafficRecord> right)
    {
        foreach (var (host, more) in right)
        {
            var days = left.TryGetValue(host, out var before)
                ? new SortedDictionary<string, TrafficDay>(before.Days, StringComparer.Ordinal) : new(StringComparer.Ordinal);
            foreach (var (day, traffic) in more.Days)
                days[day] = days.GetValueOrDefault(day, new TrafficDay(0, 0, 0)) + traffic;
            while (days.Count > DaysKept)
                days.Remove(days.First().Key);
            left[host] = new TrafficRecord((before?.Total ?? 0) + more.Total, days);
        }

        return left;
    }

    /// <summary>Adds the traffic since the last call to today's.</summary>
    private void Count()
    {
        foreach (var host in traffic.Servers.GroupBy(server => server.Host, StringComparer.OrdinalIgnoreCase))
        {
            var now = new TrafficDay(
                host.Sum(server => server.Bytes), host.Sum(server => server.Tried), host.Sum(server => server.Articles));
            var before = _counted.GetValueOrDefault(host.Key, new TrafficDay(0, 0, 0));
            var more = new TrafficDay(now.Bytes - before.Bytes, now.Tried - before.Tried, now.Success - before.Success);
            _counted[host.Key] = now;
            if (more is { Bytes: 0, Tried: 0, Success: 0 })
                continue;
            Add(_new, new(StringComparer.Ordinal)
            {
                [host.Key] = new TrafficRecord(
                more.Bytes, new SortedDictionary<string, TrafficDay>(StringComparer.Ordinal) { [Today] = more })
            });
        }
    }

    [LoggerMessage(404, LogLevel.Warning, "The providers' traffic counters cannot be stored: {Reason}")]
    private static partial void LogStorage(ILogger logger, string reason);
}

/// <summary>Traffic of one provider in total, and on each of the latest days (UTC, <c>2026-01-31</c>).</summary>
internal sealed record TrafficRecord(long Total, SortedDictionary<string, TrafficDay> Days);

/// <summary>Traffic of one provider on one day.</summary>
internal sealed record TrafficDay(long Bytes, long Tried, long Success)
{
    public static TrafficDay operator +(TrafficDay left, TrafficDay right) =>
        new(left.Bytes + right.Bytes, left.Tried + right.Tried, left.Success + right.Success);
}
