using System.Collections.Concurrent;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents;

/// <summary>What holds for single torrents, open or not: limits and trackers; and which limits of the engine's hold.</summary>
public sealed partial class TorrentEngine
{
    private readonly ConcurrentDictionary<InfoHash, long> _uploadLimits = new();
    private readonly ConcurrentDictionary<InfoHash, long> _downloadLimits = new();

    private readonly ConcurrentDictionary<InfoHash, IReadOnlyList<IReadOnlyList<Uri>>> _trackers = new();

    /// <summary>The alternative limits hold at present.</summary>
    public bool UsesAlternativeRates => _rates.IsAlternative;

    /// <summary>It is one of the times of the alternative limits, whether these count or not (<see cref="TorrentOptions.AlternativeLimits"/>).</summary>
    public bool IsAlternativeTime => _rates.IsTime;

    /// <summary>Gives a torrent other trackers than its .torrent or link names. Open or not; holds for the engine's life.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="tiers">By tier (BEP 12); may be empty.</param>
    public void UseTrackers(InfoHash hash, IReadOnlyList<IReadOnlyList<Uri>> tiers)
    {
        ArgumentNullException.ThrowIfNull(tiers);
        _trackers[hash] = tiers;
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.UseTrackers(tiers);
    }

    /// <summary>Bounds what one torrent sends to its peers, beside <see cref="TorrentOptions.Rates"/>. Open or not; holds for the engine's life.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="bytesPerSecond">Null: no bound of its own.</param>
    public void LimitUpload(InfoHash hash, long? bytesPerSecond)
    {
        if (bytesPerSecond is > 0)
            _uploadLimits[hash] = bytesPerSecond.Value;
        else
            _uploadLimits.TryRemove(hash, out _);
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.Swarm.UploadLimit.BytesPerSecond = bytesPerSecond ?? 0;
    }

    /// <summary>See <see cref="LimitUpload"/>; null: none.</summary>
    public long? UploadLimitOf(InfoHash hash) => _uploadLimits.TryGetValue(hash, out var limit) ? limit : null;

    /// <summary>
    /// Bounds what one torrent fetches from its peers, for readers too: what one waits for goes first, and a limit below what a film needs makes it wait. Open or not; holds for the
    /// engine's life. An average: up to a quarter of a second's worth may come at once.
    /// </summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="bytesPerSecond">Null: no bound.</param>
    public void LimitDownload(InfoHash hash, long? bytesPerSecond)
    {
        if (bytesPerSecond is > 0)
            _downloadLimits[hash] = bytesPerSecond.Value;
        else
            _downloadLimits.TryRemove(hash, out _);
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.Swarm.LimitDownload(DownloadLimitOf(hash) ?? 0);
    }

    /// <summary>See <see cref="LimitDownload"/>; null: none.</summary>
    public long? DownloadLimitOf(InfoHash hash) => _downloadLimits.TryGetValue(hash, out var limit) ? limit : null;

    private static ConnectionBounds BoundsOf(TorrentOptions options) => new(options.MostConnections, options.MostHalfOpen, options.MostPeers, options.MostDials);
}
