using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.Sab.Warnings;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>
/// <c>log/*</c>: warnings and errors. Lines are numbered from 0, as in qBittorrent, and clients ask for the lines after a number.
/// </summary>
internal sealed class LogCalls(WarningLog warnings) : IQbitCalls
{
    private const int Warning = 4;
    private const int Critical = 8;

    private readonly Lock _gate = new();
    private readonly Dictionary<LoggedWarning, int> _numbers = new(ReferenceEqualityComparer.Instance);
    private int _next;

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("log/main", (call, _) => new(Main(call))),
        QbitRoute.Read("log/peers", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
    ];

    private QbitReply Main(QbitCall call)
    {
        var last = call.Number("last_known_id") ?? -1;
        return QbitReply.Json(
            Number().Where(line => line.id > last && (call.Flag(line.type == Critical ? "critical" : "warning") ?? true)).ToArray());
    }

    /// <summary>Oldest first. A line keeps its number; numbers are not reused.</summary>
    private List<LogLine> Number()
    {
        lock (_gate)
        {
            var latest = warnings.Latest;
            foreach (var line in latest)
            {
                if (!_numbers.ContainsKey(line))
                    _numbers[line] = _next++;
            }

            foreach (var gone in _numbers.Keys.Except(latest, (IEqualityComparer<LoggedWarning>)ReferenceEqualityComparer.Instance)
                .ToList())
                _numbers.Remove(gone);
            return [.. latest.Select(
                line => new LogLine(_numbers[line], line.Text, line.At.ToUnixTimeSeconds(), line.Type == "ERROR" ? Critical : Warning))];
        }
    }

#pragma warning disable IDE1006, SA1300 // The members' names on the wire.
    private sealed record LogLine(int id, string message, long timestamp, int type);
#pragma warning restore IDE1006, SA1300
}
