using NzbDav.Api.Sab;

namespace NzbDav.Api.QBittorrent;

/// <summary><c>log/*</c>, and what dashboards ask of feeds, of which there are none. There is no search: it is answered with 404, as by an original without it.</summary>
internal sealed class LogCalls(WarningLog warnings) : IQbitCalls
{
    private const int Warning = 4;
    private const int Critical = 8;

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("log/main", (call, _) => new(Main(call))),
        QbitRoute.Read("log/peers", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Read("rss/items", static (_, _) => new(QbitReply.Json(new Dictionary<string, object>(StringComparer.Ordinal)))),
        QbitRoute.Read("rss/rules", static (_, _) => new(QbitReply.Json(new Dictionary<string, object>(StringComparer.Ordinal)))),
    ];

    /// <summary>Warnings and errors alone; the number of one is its place in time.</summary>
    private QbitReply Main(QbitCall call)
    {
        var last = call.Number("last_known_id") ?? -1;
        var lines = warnings.Latest.OrderBy(static line => line.At).Select(static line => new LogLine(line.At.ToUnixTimeMilliseconds(), line.Text, line.At.ToUnixTimeSeconds(), line.Type == "ERROR" ? Critical : Warning));
        return QbitReply.Json(lines.Where(line => line.id > last && (call.Flag(line.type == Critical ? "critical" : "warning") ?? true)).ToArray());
    }

#pragma warning disable IDE1006, SA1300 // The members' names on the wire.
    private sealed record LogLine(long id, string message, long timestamp, int type);
#pragma warning restore IDE1006, SA1300
}
