using Microsoft.Extensions.Logging;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Archives.Recovery;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Filling;
using NzbDav.Library.Gateways;
using NzbDav.Library.Items;
using NzbDav.Library.Pins;
using NzbDav.Library.Readers;
using NzbDav.Usenet;
using NzbDav.Usenet.Files;

namespace NzbDav.Library.Opening;

/// <summary>Opens files of the catalog. Keeps the maps of recently opened files, and stores corrected maps. Thread-safe.</summary>
public sealed partial class ContentOpener
{
    /// <summary>Most segments of all kept maps: about 80 bytes each, so 24 MB. One file is kept whatever its size.</summary>
    private const int KeptSegments = 300_000;

    private readonly Lock _gate = new();
    private readonly LinkedList<Opened> _recent = new();
    private readonly Dictionary<long, LinkedListNode<Opened>> _byItem = [];
    private readonly ExtentMapStore _maps;
    private readonly TreeStore _tree;
    private readonly TorrentOpener _torrents;
    private readonly UsenetClient _usenet;
    private readonly WarmReaders _readers;
    private readonly BufferPool _pool;
    private readonly ILogger<ContentOpener> _logger;
    private readonly ILayoutCorrector _layoutCorrector;
    private readonly PinStore? _pins;
    private readonly IPostRepairer? _posts;
    private readonly Live<LibraryOptions>? _options;
    private readonly SharedTorrents? _shared;
    private readonly IFileCopies? _copies;
    private readonly TimeProvider _time;
    private int _kept;

    public ContentOpener(
        ExtentMapStore maps, TreeStore tree, UsenetClient usenet, BufferPool pool, WarmReaders readers, ILogger<ContentOpener> logger,
        ILayoutCorrector layoutCorrector, TorrentOpener? torrents = null,
        PinStore? pins = null, IPostRepairer? posts = null, Live<LibraryOptions>? options = null, SharedTorrents? shared = null,
        IFileCopies? copies = null, TimeProvider? time = null)
    {
        (_copies, _time) = (copies, time ?? TimeProvider.System);
        _shared = shared;
        _options = options;
        _layoutCorrector = layoutCorrector;
        _pins = pins;
        _posts = posts;
        _torrents = torrents ?? new TorrentOpener();
        _maps = maps;
        _tree = tree;
        _usenet = usenet;
        _pool = pool;
        _readers = readers;
        _logger = logger;
    }

    /// <summary>Raised with a file's id when its corrected map was stored. On any thread.</summary>
    public event Action<long>? Corrected;

    /// <summary>The bytes of a file. All readers of a file share its corrected layout.</summary>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    /// <exception cref="ContentException">The file belongs to a torrent, and torrents are switched off or its .torrent is
    /// damaged.</exception>
    public async ValueTask<IContent> OpenAsync(CatalogItem item, CancellationToken cancellationToken) =>
        (await FindAsync(item, cancellationToken)).Content;

    /// <summary>
    /// Like <see cref="OpenAsync"/>, but reads nothing from another gateway: readers of a torrent that another one owns fail.
    /// </summary>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    /// <exception cref="ContentException">The file belongs to a torrent, and torrents are switched off or its .torrent is
    /// damaged.</exception>
    internal async ValueTask<IContent> OpenOwnAsync(CatalogItem item, CancellationToken cancellationToken) =>
        (await FindAsync(item, cancellationToken)).Own;

    /// <summary>Like <see cref="OpenAsync"/>, but what is lost is not read from another copy.</summary>
    private async ValueTask<IContent> OpenCopyAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        var opened = await FindAsync(item, cancellationToken);
        return opened.Alone ?? opened.Content;
    }

    private async ValueTask<Opened> FindAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        var hash = item.ExtentMap ?? throw new ArgumentException("A collection has no bytes.", nameof(item));
        if (Find(item.Id, hash) is { } known)
            return known;
        if (item.Torrent is not null && _shared is not null)
        {
            var owned = new OwnedTorrent(item, _shared, _torrents.IsEnabled, stop => OpenTorrentAsync(item, stop));
            return Keep(new Opened(item.Id, hash, _readers.Keep(new OwnedContent(owned, forwards: true)), Segments: 1)
            { Own = new OwnedContent(owned, forwards: false) });
        }

        if (item.Torrent is not null)
            return Keep(new Opened(item.Id, hash, _readers.Keep(await OpenTorrentAsync(item, cancellationToken)), Segments: 1));

        var stored = await _maps.ReadAsync(hash, cancellationToken);
        var inferred = stored.Inferred.Count > 0 ? new InferredLayout(item, stored.Inferred, _layoutCorrector) : null;
        var opened = _usenet.Open(stored.Map, corrected => Store(item, new StoredExtentMap(
            corrected, SizesVerified: inferred is null or { Volumes.Count: 0 })
        { Inferred = inferred?.Volumes ?? [] }), inferred);
        if (_posts is not null)
        {
            opened = new RepairingContent(opened, item, _usenet, _posts);
            _posts.Open(item);
        }

        var plain = Decrypted(opened, item.Encryption);
        var alone = Pinned(plain);
        if (_copies is not null)
            plain = new ReplacingContent(plain, alone, item, _copies, OpenCopyAsync, _time, _logger);
        if (_posts is not null && _options is not null)
            plain = new FillingContent(plain, Pinned(plain), item, () => _options.Value.Holes == HolePolicy.Zeros, _logger);
        var content = _readers.Keep(Pinned(plain));
        return Keep(new Opened(item.Id, hash, content, stored.Map.Segments.Count) { Alone = alone });

        IContent Pinned(IContent whole) => _pins is null ? whole : new PinnedContent(whole, new PinKey(item.Id, hash, whole.Length), _pins);
    }

    private async ValueTask<IContent> OpenTorrentAsync(CatalogItem item, CancellationToken cancellationToken) =>
        Decrypted(await _torrents.OpenAsync(item, () => Forget(item.Id), cancellationToken), item.Encryption);

    /// <summary>The file itself, decrypted if its map holds an encrypted form.</summary>
    private IContent Decrypted(IContent stored, FileEncryption? encryption)
    {
        if (encryption is null)
            return stored;
        var parts = new IContent[encryption.Spans.Count];
        long at = 0;
        for (var i = 0; i < parts.Length; i++)
        {
            var span = encryption.Spans[i];
            IContent slice = new SliceContent(stored, at, span.Stored);
            at += span.Stored;
            if (span.IsEncrypted)
                slice = new SliceContent(
                    new AesCbcContent(slice, new ArchiveCipher(span.Key, span.Iv), span.Skip + span.Length, _pool), span.Skip, span.Length);
            parts[i] = slice;
        }

        return parts is [var only] ? only : new ConcatenatedContent(parts);
    }

    private Opened? Find(long item, BlobHash hash)
    {
        lock (_gate)
        {
            if (!_byItem.TryGetValue(item, out var node))
                return null;
            _recent.Remove(node);
            if (node.Value.Hash != hash)
            {
                _byItem.Remove(item);
                _kept -= node.Value.Segments;
                return null;
            }

            _recent.AddFirst(node);
            return node.Value;
        }
    }

    /// <summary>Makes the next call open the file again.</summary>
    private void Forget(long item)
    {
        lock (_gate)
        {
            if (!_byItem.Remove(item, out var node))
                return;
            _recent.Remove(node);
            _kept -= node.Value.Segments;
        }
    }

    private Opened Keep(Opened opened)
    {
        lock (_gate)
        {
            if (_byItem.TryGetValue(opened.Item, out var other))
                return other.Value;
            _byItem.Add(opened.Item, _recent.AddFirst(opened));
            _kept += opened.Segments;
            while (_kept > KeptSegments && _recent.Count > 1)
            {
                var oldest = _recent.Last!.Value;
                _recent.RemoveLast();
                _byItem.Remove(oldest.Item);
                _kept -= oldest.Segments;
            }

            return opened;
        }
    }

    private void Store(CatalogItem item, StoredExtentMap map)
    {
        // Drop the pins at once: the corrected map is already in use.
        _pins?.Drop(item.Id);
        _ = StoreAsync(item, map);
    }

    private async Task StoreAsync(CatalogItem item, StoredExtentMap stored)
    {
        try
        {
            await Task.Yield();
            var hash = await _maps.PutAsync(stored, CancellationToken.None);
            await _tree.UpdateExtentMapAsync(
                item.Id, hash, item.Encryption is null ? stored.Map.Length : item.Size, CancellationToken.None);
            LogCorrected(_logger, item.Name);
            Corrected?.Invoke(item.Id);
        }
        catch (Exception e) when (e is CatalogException or ObjectDisposedException)
        {
            // Reading continues with the corrected map in memory; the next process has to correct it again.
            LogNotStored(_logger, item.Name, e.Message);
        }
    }

    [LoggerMessage(301, LogLevel.Information, "The layout of {File} was corrected: its articles are not where they were expected.")]
    private static partial void LogCorrected(ILogger logger, string file);

    [LoggerMessage(302, LogLevel.Warning, "The corrected layout of {File} could not be stored: {Reason}")]
    private static partial void LogNotStored(ILogger logger, string file, string reason);

    private sealed record Opened(long Item, BlobHash Hash, IContent Content, int Segments)
    {
        /// <summary>The same without bytes from other gateways.</summary>
        public IContent Own { get; init; } = Content;

        /// <summary>The same without bytes from another copy of the release; null: it has none.</summary>
        public IContent? Alone { get; init; }
    }
}

/// <summary>
/// The volumes of a file's map that an import inferred. Compares them with the bytes that readers find, and has the map rebuilt when one
/// differs. Thread-safe.
/// </summary>
internal sealed class InferredLayout(CatalogItem item, IReadOnlyList<InferredVolume> volumes, ILayoutCorrector corrector) : IInferredLayout
{
    private volatile IReadOnlyList<InferredVolume> _volumes = volumes;

    /// <summary>Empty once the map has been rebuilt.</summary>
    public IReadOnlyList<InferredVolume> Volumes => _volumes;

    public async ValueTask<bool> AgreesAsync(InferredVolume volume, ReadOnlyMemory<byte> head)
    {
        if (!volume.HeadHash.IsEmpty && !volume.HeadHash.Span.SequenceEqual(Par2File.HashOfHead(head.Span)))
            return false;
        try
        {
            return volume.Header.IsEmpty || await ExpectedHeader.Parse(volume.Header).AgreesAsync(head);
        }
        catch (InvalidDataException)
        {
            // The expectation was stored by another version: read the volume instead.
            return false;
        }
    }

    public async Task<ExtentMap> RebuildMapAsync(ExtentMap map, string reason)
    {
        try
        {
            var corrected = await corrector.LayOutAsync(item, map, CancellationToken.None);
            _volumes = [];
            return corrected;
        }
        catch (ContentException fault)
        {
            throw new ContentException(fault.Fault, $"{fault.Message} ({reason})", fault);
        }
    }
}
