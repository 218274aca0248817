using NzbDav.Torrents.Discovery;

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
}
