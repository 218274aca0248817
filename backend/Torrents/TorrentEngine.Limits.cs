using System.Collections.Concurrent;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents;

/// <summary>Settings of single torrents, open or not (limits and trackers), and which of the engine's limits are in force.</summary>
public sealed partial class TorrentEngine
{
    private readonly ConcurrentDictionary<InfoHash, long> _uploadLimits = new();
    private readonly ConcurrentDictionary<InfoHash, long> _downloadLimits = new();

    private readonly ConcurrentDictionary<InfoHash, IReadOnlyList<IReadOnlyList<Uri>>> _trackers = new();

    /// <summary>True while the alternative limits are in force.</summary>
    public bool UsesAlternativeRates => _rates.IsAlternative;

    /// <summary>True during the alternative limits' schedule, whether they are in force or not
    /// (<see cref="TorrentOptions.AlternativeLimits"/>).</summary>
    public bool IsAlternativeTime => _rates.IsTime;

    /// <summary>Replaces the trackers that a torrent's .torrent or link names. It need not be open; holds for the engine's life.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="tiers">By tier (BEP 12); may be empty.</param>
    public void UseTrackers(InfoHash hash, IReadOnlyList<IReadOnlyList<Uri>> tiers)
    {
        ArgumentNullException.ThrowIfNull(tiers);
        _trackers[hash] = tiers;
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.UseTrackers(tiers);
    }

    /// <summary>Limits one torrent's upload, in addition to <see cref="TorrentOptions.Rates"/>. It need not be open; holds for the engine's life.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="bytesPerSecond">Null: no limit of its own.</param>
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
    /// Limits one torrent's download, for readers too: blocks that a reader waits for go first, but a limit below the bitrate of a film makes it stall. The
    /// torrent need not be open; holds for the engine's life. The limit is an average: up to a quarter of a second's worth may arrive at once.
    /// </summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="bytesPerSecond">Null: no limit.</param>
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
