using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Library;

/// <summary>Opens files of torrents. Files of one torrent share what is known of it, as long as one of them is kept. Thread-safe.</summary>
public sealed class TorrentOpener
{
    /// <summary>So many that nobody needs any more are looked for now and then.</summary>
    private const int TidyAt = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<BlobHash, WeakReference<Metainfo>> _known = [];
    private readonly BlobStore? _blobs;
    private readonly TorrentSessions? _sessions;

    /// <param name="blobs">Where the .torrent files are.</param>
    /// <param name="sessions">Open torrents; null when torrents are switched off.</param>
    public TorrentOpener(BlobStore? blobs = null, TorrentSessions? sessions = null)
    {
        _blobs = blobs;
        _sessions = sessions;
    }

    /// <summary>The bytes of a file.</summary>
    /// <exception cref="ContentException">Torrents are switched off, or the .torrent is damaged.</exception>
    /// <exception cref="CatalogException">The .torrent cannot be read.</exception>
    internal async ValueTask<IContent> OpenAsync(BlobHash torrent, TorrentPart part, CancellationToken cancellationToken)
    {
        if (_sessions is null || _blobs is null)
            throw new ContentException(ContentFault.Unavailable, "This file comes from a torrent, and torrents are switched off (NzbDav__Torrents__Enabled).");
        var metainfo = Find(torrent) ?? Keep(torrent, await ReadAsync(_blobs, torrent, cancellationToken));
        return part.File < metainfo.Info.Files.Count && metainfo.Info.Hash.ToString() == part.InfoHash
            ? _sessions.Open(metainfo, metainfo.Info.Files[part.File])
            : throw new ContentException(ContentFault.Corrupt, "The stored .torrent does not hold this file: add the torrent again.");
    }

    private static async ValueTask<Metainfo> ReadAsync(BlobStore blobs, BlobHash torrent, CancellationToken cancellationToken)
    {
        var bytes = await blobs.ReadAsync(torrent, cancellationToken);
        var read = await Task.Run(() => Metainfo.Read(bytes.Span), cancellationToken);
        return read.Value ?? throw new ContentException(ContentFault.Corrupt, $"The stored .torrent cannot be read: {read.Error}");
    }

    private Metainfo? Find(BlobHash torrent)
    {
        lock (_gate)
            return _known.TryGetValue(torrent, out var known) && known.TryGetTarget(out var metainfo) ? metainfo : null;
    }

    private Metainfo Keep(BlobHash torrent, Metainfo metainfo)
    {
        lock (_gate)
        {
            if (_known.TryGetValue(torrent, out var known) && known.TryGetTarget(out var other))
                return other;
            if (_known.Count >= TidyAt)
            {
                foreach (var (hash, reference) in _known)
                {
                    if (!reference.TryGetTarget(out _))
                        _known.Remove(hash);
                }
            }

            _known[torrent] = new WeakReference<Metainfo>(metainfo);
            return metainfo;
        }
    }
}
