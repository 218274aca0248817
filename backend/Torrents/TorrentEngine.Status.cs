using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents;

/// <summary>The engine's state, for display.</summary>
public sealed partial class TorrentEngine
{
    /// <summary>The current state of its network.</summary>
    public NetworkStatus GetNetwork()
    {
        var options = _context.Options;
        var (downloaded, uploaded) = Payload;
        var (downRate, upRate) = (0.0, 0.0);
        foreach (var torrent in _torrents.Values)
        {
            var activity = torrent.Swarm.View.Activity;
            downRate += activity.DownRate;
            upRate += activity.UpRate;
        }

        return _network.Describe() with
        {
            UsesDht = options.Dht,
            Dht = Dht,
            UsesExchange = options.PeerExchange,
            UsesLocal = PeerSearch.UsesLocal(options),
            Limits = UsesAlternativeRates ? options.AlternativeRates : options.Rates,
            IsAlternative = UsesAlternativeRates,
            Connections = _context.Connections.Connections,
            MostConnections = options.MostConnections,
            DownRate = downRate,
            UpRate = upRate,
            Downloaded = downloaded,
            Uploaded = uploaded,
        };
    }

    private void Observe(TorrentMetrics metrics)
    {
        var meter = metrics.Meter;
        meter.CreateObservableGauge("nzbdav.torrents.open", () => _torrents.Count, "{torrent}", "Torrents that are open.");
        meter.CreateObservableGauge("nzbdav.torrents.peers", () => _torrents.Values.Sum(static torrent => torrent.Swarm.PeerCount), "{peer}", "Connected peers.");
        meter.CreateObservableGauge("nzbdav.torrents.cached", () => CachedBytes, "By", "Bytes of pieces on disk.");
        meter.CreateObservableGauge("nzbdav.torrents.buffered", () => Pool.Budget.Reserved, "By", "Bytes of memory for pieces in use.");
        meter.CreateObservableCounter("nzbdav.torrents.payload", () => Total(0), "By", "Bytes of blocks that were accepted.");
        meter.CreateObservableCounter("nzbdav.torrents.duplicate", () => Total(1), "By", "Bytes of blocks that were received and not needed.");
        meter.CreateObservableCounter("nzbdav.torrents.failed", () => Total(2), "By", "Bytes of pieces whose hash was wrong.");
        meter.CreateObservableCounter("nzbdav.torrents.uploaded", () => Total(3), "By", "Bytes of blocks sent to peers.");
        meter.CreateObservableCounter("nzbdav.torrents.copied", () => Total(4), "By", "Bytes of blocks copied in memory on their way in.");
    }

    /// <summary>Bytes of one kind, over the engine's life.</summary>
    private long Total(int kind)
    {
        lock (_past)
            return _past[kind] + _torrents.Values.Sum(torrent => Totals(torrent.Swarm.Counters)[kind]);
    }

    private static long[] Totals(SwarmCounters bytes) => [bytes.Payload, bytes.Duplicate + bytes.Discarded, bytes.Failed, bytes.Uploaded, bytes.Copied];
}
