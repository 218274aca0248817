using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;

namespace NzbDav.Api.Sab.Status;

/// <summary><c>mode=server_stats</c>: bytes by provider and by day.</summary>
internal sealed class ServerStatsMode(TrafficLedger ledger, TimeProvider time) : ISabMode
{
    public IReadOnlyList<string> Names => ["server_stats"];

    public ApiRights Needs(SabCall call) => ApiRights.Read;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        var now = time.GetUtcNow();
        var servers = (await ledger.ReadAsync(cancellationToken))
            .ToDictionary(record => record.Key, record => Of(record.Value, now), StringComparer.Ordinal);
        return new ServerStatsAnswer(
            servers.Values.Sum(server => server.Total), servers.Values.Sum(server => server.Month),
            servers.Values.Sum(server => server.Week), servers.Values.Sum(server => server.Day), servers);
    }

    private static ServerStats Of(TrafficRecord record, DateTimeOffset now) => new(
        record.Total,
        Since(record, now.AddDays(1 - now.Day)),
        Since(record, now.AddDays(-(((int)now.DayOfWeek + 6) % 7))),
        Since(record, now),
        record.Days.ToDictionary(day => day.Key, day => day.Value.Bytes, StringComparer.Ordinal),
        record.Days.ToDictionary(day => day.Key, day => day.Value.Tried, StringComparer.Ordinal),
        record.Days.ToDictionary(day => day.Key, day => day.Value.Success, StringComparer.Ordinal));

    private static long Since(TrafficRecord record, DateTimeOffset day)
    {
        var first = day.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        return record.Days.Where(one => string.CompareOrdinal(one.Key, first) >= 0).Sum(one => one.Value.Bytes);
    }
}
