using Microsoft.Extensions.Logging;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Sessions;

/// <summary>
/// Logs one line per period at debug level for each open torrent that transferred bytes: peers, pieces, and bytes by kind.
/// </summary>
public sealed partial class TorrentSummary : IDisposable
{
    /// <summary>Interval of the lines.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromSeconds(10);

    private readonly TorrentEngine _engine;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private Dictionary<InfoHash, Totals> _before = [];
    private long _loggedAt;

    /// <summary>Logs from now on, until disposed.</summary>
    /// <param name="engine">The engine whose torrents are logged.</param>
    /// <param name="time">Drives the periods.</param>
    /// <param name="logger">Nothing is collected while its debug level is off.</param>
    public TorrentSummary(TorrentEngine engine, TimeProvider time, ILogger<TorrentSummary> logger)
    {
        ArgumentNullException.ThrowIfNull(engine);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(logger);
        _engine = engine;
        _time = time;
        _logger = logger;
        _loggedAt = time.GetTimestamp();
        _timer = time.CreateTimer(static state => ((TorrentSummary)state!).LogSummary(), this, Period, Period);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private void LogSummary()
    {
        if (!_logger.IsEnabled(LogLevel.Debug))
            return;
        lock (_gate)
        {
            var now = new Dictionary<InfoHash, Totals>();
            var seconds = Math.Max(0.001, _time.GetElapsedTime(_loggedAt).TotalSeconds);
            _loggedAt = _time.GetTimestamp();
            foreach (var torrent in _engine.Torrents)
            {
                var status = torrent.GetStatus();
                var moved = now[torrent.Hash] = Totals.Of(status.Bytes);
                var since = moved - _before.GetValueOrDefault(torrent.Hash);
                if (since.Payload == 0 && since.Wasted == 0 && since.Uploaded == 0)
                    continue;
                LogTorrent(
                    _logger, torrent.Hash, status.Peers, status.Have, status.Pieces, since.Payload / seconds / 1e6, since.Protocol / 1e3,
                    since.Wasted / 1e3, since.Failed / 1e3,
                    since.Uploaded / seconds / 1e6, _engine.Pool.Budget.Reserved >> 20, _engine.CachedBytes >> 20);
            }

            _before = now;
        }
    }

    [LoggerMessage(
        271,
        LogLevel.Debug,
        "Torrent {Hash}: {Peers} peers, {Have} of {Pieces} pieces; {Rate:0.0} MB/s of blocks, {Protocol:0} kB of messages, {Vain:0} kB " +
        "unneeded, {Failed:0} kB bad, {Uploaded:0.0} MB/s to peers; all torrents: {Buffered} MiB in memory, {Cached} MiB on disk.")]
    private static partial void LogTorrent(
        ILogger logger, InfoHash hash, int peers, int have, int pieces, double rate, double protocol, double vain, double failed,
        double uploaded, long buffered, long cached);

    private readonly record struct Totals(long Payload, long Protocol, long Wasted, long Failed, long Uploaded)
    {
        public static Totals Of(SwarmCounters bytes) =>
            new(bytes.Payload, bytes.Protocol, bytes.Duplicate + bytes.Discarded, bytes.Failed, bytes.Uploaded);

        public static Totals operator -(Totals left, Totals right) => new(
            left.Payload - right.Payload, left.Protocol - right.Protocol, left.Wasted - right.Wasted, left.Failed - right.Failed,
            left.Uploaded - right.Uploaded);
    }
}
