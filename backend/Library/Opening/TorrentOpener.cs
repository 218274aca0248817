using NzbDav.Archives.Rar;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Library.Opening;

/// <summary>Opens files of torrents. Files of one torrent share its metainfo while one of them is open. Thread-safe.</summary>
public sealed class TorrentOpener
{
    /// <summary>Number of known torrents from which on those no longer in use are removed.</summary>
    private const int TidyAt = 256;

    /// <summary>
    /// Gaps between two parts of a file up to this many bytes are read over, not skipped: headers of volumes have some hundred.
    /// </summary>
    private const int LeastGap = 256 << 10;

    private readonly Lock _gate = new();
    private readonly Dictionary<BlobHash, WeakReference<Metainfo>> _known = [];
    private readonly BlobStore? _blobs;
    private readonly TorrentSessions? _sessions;
    private readonly TorrentLayouts? _layouts;
    private readonly ITorrentLayoutCorrector? _layoutCorrector;

    /// <summary>Creates an opener for torrents that are switched off.</summary>
    public TorrentOpener()
    {
    }

    /// <param name="blobs">Stores the .torrent files.</param>
    /// <param name="sessions">Open torrents.</param>
    /// <param name="layouts">Places of files in archives.</param>
    /// <param name="layoutCorrector">Finds the right place of a file where an inferred one is wrong.</param>
    public TorrentOpener(BlobStore blobs, TorrentSessions sessions, TorrentLayouts layouts, ITorrentLayoutCorrector layoutCorrector)
    {
        _blobs = blobs;
        _sessions = sessions;
        _layouts = layouts;
        _layoutCorrector = layoutCorrector;
    }

    /// <summary>False if torrents are switched off.</summary>
    internal bool IsEnabled => _sessions is not null;

    /// <summary>The bytes of a file. Those of an encrypted file are as stored.</summary>
    /// <param name="item">A file with a <see cref="CatalogItem.Torrent"/>.</param>
    /// <param name="forget">Called when the file turned out to lie elsewhere in the torrent and must be opened again.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">Torrents are switched off, or the .torrent is damaged.</exception>
    /// <exception cref="CatalogException">The .torrent cannot be read.</exception>
    internal async ValueTask<IContent> OpenAsync(CatalogItem item, Action forget, CancellationToken cancellationToken)
    {
        var (torrent, part) = (item.ExtentMap!.Value, item.Torrent!);
        if (_sessions is null || _blobs is null || _layouts is null || _layoutCorrector is null)
            throw new ContentException(
                ContentFault.Unavailable, "This file comes from a torrent, and torrents are switched off (NzbDav__Torrents__Enabled).");
        var metainfo = Find(torrent) ?? Keep(torrent, await ReadAsync(_blobs, torrent, cancellationToken));
        if (part.File >= metainfo.Info.Files.Count || metainfo.Info.Hash.ToString() != part.InfoHash)
            throw NotInTorrent();
        if (await _layouts.FindAsync(item.Id, cancellationToken) is not { } layout)
            return _sessions.Open(metainfo, metainfo.Info.Files[part.File]);
        try
        {
            // Padding between two volumes is less than a piece (BEP 47) and lies in pieces that are read anyway.
            var gap = Math.Max(LeastGap, metainfo.Info.PieceLength);
            var proof = layout.Spans.Any(static span => !span.Header.IsEmpty) ? new TorrentSpanProof(item, layout, _layoutCorrector, forget)
                : null;
            return new SpannedContent(
                _sessions.OpenAll(metainfo), layout.Spans.Select(static span => span.Bytes), gap, proof);
        }
        catch (ArgumentException)
        {
            throw NotInTorrent();
        }
    }

    private static ContentException NotInTorrent() =>
        new(ContentFault.Corrupt, "The stored .torrent does not hold this file: add the torrent again.");

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

/// <summary>
/// Checks the inferred spans of a file in a torrent's archive, and has the layout corrected when one differs. Thread-safe.
/// </summary>
/// <param name="item">The file.</param>
/// <param name="layout">Its inferred layout.</param>
/// <param name="corrector">Finds the right layout.</param>
/// <param name="forget">Called when the layout was corrected: this content must not be used for new readers.</param>
internal sealed class TorrentSpanProof(CatalogItem item, TorrentLayout layout, ITorrentLayoutCorrector corrector, Action forget)
    : ISpanProof
{
    private readonly int[] _lengths = [.. layout.Spans.Select(LengthOf)];
    private readonly Lock _gate = new();
    private Task? _correcting;

    public int HeaderLengthOf(int span) => Volatile.Read(ref _lengths[span]);

    public async ValueTask ProveAsync(int span, ReadOnlyMemory<byte> header, CancellationToken cancellationToken)
    {
        if (await ExpectedHeader.Parse(layout.Spans[span].Header).AgreesAsync(header))
        {
            Volatile.Write(ref _lengths[span], 0);
            return;
        }

        Task correction;
        lock (_gate)
        {
            if (_correcting is not { IsFaulted: false })
                _correcting = Task.Run(CorrectAsync, CancellationToken.None);
            correction = _correcting;
        }

        await correction.WaitAsync(cancellationToken);
        throw new ContentException(
            ContentFault.Corrupt, $"'{item.Name}' lies elsewhere in its torrent than was expected. Its place was found: open it again.");
    }

    private async Task CorrectAsync()
    {
        await corrector.CorrectAsync(item, layout, CancellationToken.None);
        forget();
    }

    private static int LengthOf(TorrentSpan span)
    {
        try
        {
            return span.Header.IsEmpty || ExpectedHeader.Parse(span.Header).HeaderLength is var length && length > span.Bytes.Start
                ? 0 : length;
        }
        catch (InvalidDataException)
        {
            // Written by another version: already proven, or to be proven by a reader of the volume's bytes.
            return 0;
        }
    }
}
