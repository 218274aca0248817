using System.Collections.Concurrent;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents;

/// <summary>
/// Settings of single torrents, open or not (limits, trackers and web seeds), and which of the engine's limits are in force.
/// </summary>
public sealed partial class TorrentEngine
{
    private readonly ConcurrentDictionary<InfoHash, long> _uploadLimits = new();
    private readonly ConcurrentDictionary<InfoHash, long> _downloadLimits = new();

    private readonly ConcurrentDictionary<InfoHash, IReadOnlyList<IReadOnlyList<Uri>>> _trackers = new();
    private readonly ConcurrentDictionary<InfoHash, IReadOnlyList<Uri>> _webSeeds = new();

    /// <summary>True while the alternative limits are in force.</summary>
    public bool UsesAlternativeRates => _rates.IsAlternative;

    /// <summary>True during the alternative limits' schedule, whether they are in force or not
    /// (<see cref="TorrentOptions.AlternativeLimits"/>).</summary>
    public bool IsAlternativeTime => _rates.IsTime;

    /// <summary>Replaces the trackers that a .torrent or link names. The torrent need not be open; holds for the engine's life.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="tiers">By tier (BEP 12); may be empty.</param>
    public void UseTrackers(InfoHash hash, IReadOnlyList<IReadOnlyList<Uri>> tiers)
    {
        ArgumentNullException.ThrowIfNull(tiers);
        _trackers[hash] = tiers;
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.UseTrackers(tiers);
    }

    /// <summary>
    /// Replaces the web seeds that a .torrent or link names. The torrent need not be open; holds for the engine's life. Requests to removed
    /// ones end.
    /// </summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="addresses">HTTP and HTTPS servers; may be empty. Null: those of its .torrent or link again, the next time it is
    /// opened.</param>
    public void UseWebSeeds(InfoHash hash, IReadOnlyList<Uri>? addresses)
    {
        if (addresses is null)
        {
            _webSeeds.TryRemove(hash, out _);
            return;
        }

        _webSeeds[hash] = addresses;
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.Swarm.UseWebSeeds(addresses);
    }

    /// <summary>
    /// Limits one torrent's upload, in addition to <see cref="TorrentOptions.Rates"/>. The torrent need not be open; holds for the engine's
    /// life.
    /// </summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="bytesPerSecond">Null or 0: no limit of its own.</param>
    public void LimitUpload(InfoHash hash, long? bytesPerSecond)
    {
        if (bytesPerSecond is > 0)
            _uploadLimits[hash] = bytesPerSecond.Value;
        else
            _uploadLimits.TryRemove(hash, out _);
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.Swarm.UploadLimit.BytesPerSecond = bytesPerSecond ?? 0;
    }

    /// <summary>The torrent's limit (<see cref="LimitUpload"/>); null: none.</summary>
    public long? UploadLimitOf(InfoHash hash) => _uploadLimits.TryGetValue(hash, out var limit) ? limit : null;

    /// <summary>
    /// Limits one torrent's download, for readers too. Blocks that a reader waits for go first, but a limit below the bitrate of a film
    /// makes it stall. The torrent need not be open; holds for the engine's life. The limit is an average: up to a quarter of a second's
    /// worth may arrive at once.
    /// </summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="bytesPerSecond">Null or 0: no limit.</param>
    public void LimitDownload(InfoHash hash, long? bytesPerSecond)
    {
        if (bytesPerSecond is > 0)
            _downloadLimits[hash] = bytesPerSecond.Value;
        else
            _downloadLimits.TryRemove(hash, out _);
        if (_torrents.TryGetValue(hash, out var torrent))
            torrent.Swarm.LimitDownload(DownloadLimitOf(hash) ?? 0);
    }

    /// <summary>The torrent's limit (<see cref="LimitDownload"/>); null: none.</summary>
    public long? DownloadLimitOf(InfoHash hash) => _downloadLimits.TryGetValue(hash, out var limit) ? limit : null;

    private static ConnectionBounds BoundsOf(TorrentOptions options) =>
        new(options.MostConnections, options.MostHalfOpen, options.MostPeers, options.MostDials);
}
