using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Status;

namespace NzbDav.Seeding;

/// <summary>
/// The user's torrents: their current state, and operations on them. Info-hashes are 40 lower-case hexadecimal digits; unknown ones are
/// ignored. Thread-safe.
/// </summary>
public sealed partial class TorrentShelf : IDisposable
{
    /// <summary>Changes within this time are reported together.</summary>
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(250);

    private readonly TorrentStore _store;
    private readonly TorrentPlaces _places;
    private readonly JobStore _jobs;
    private readonly TreeStore _tree;
    private readonly TorrentSessions _sessions;
    private readonly Live<SeedingOptions> _options;
    private readonly ShelfBook _book;
    private readonly HoldStore _holds;
    private readonly UnwantedItems _unwanted;
    private readonly Rechecks _rechecks;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private HashSet<string> _changed = new(StringComparer.Ordinal);
    private bool _raiseScheduled;

    /// <param name="store">The stored torrents.</param>
    /// <param name="places">Where torrents were published.</param>
    /// <param name="jobs">The jobs that add torrents.</param>
    /// <param name="tree">Their files.</param>
    /// <param name="holds">Knows to which files libraries have links.</param>
    /// <param name="unwanted">Receives the files that are no longer wanted.</param>
    /// <param name="blobs">Their .torrent files.</param>
    /// <param name="sessions">Their swarms.</param>
    /// <param name="options">Policies; read at each use.</param>
    /// <param name="time">Clock.</param>
    /// <param name="owners">The torrents that this gateway owns; null: all, because no other gateway shares the catalog.</param>
    public TorrentShelf(
        TorrentStore store, TorrentPlaces places, JobStore jobs, TreeStore tree, HoldStore holds, UnwantedItems unwanted, BlobStore blobs,
        TorrentSessions sessions, Live<SeedingOptions> options, TimeProvider time,
        TorrentOwnership? owners = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(places);
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(tree);
        ArgumentNullException.ThrowIfNull(holds);
        ArgumentNullException.ThrowIfNull(unwanted);
        ArgumentNullException.ThrowIfNull(blobs);
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (_store, _places, _jobs, _tree, _holds, _unwanted) = (store, places, jobs, tree, holds, unwanted);
        (_sessions, _options) = (sessions, options);
        Facts = new FactsCache(blobs);
        _rechecks = new Rechecks(sessions, Facts, Board, owners);
        Trackers = new ShelfTrackers(this, sessions);
        _book = new ShelfBook(store, places, tree, Facts, time);
        WebSeeds = new ShelfWebSeeds(store, _book, Facts, sessions.Engine);
        _timer = time.CreateTimer(
            static self => ((TorrentShelf)self!).RaiseChanged(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _store.Changed += OnStored;
        _jobs.Changed += OnJob;
        _tree.Removed += OnRemoved;
    }

    /// <summary>
    /// Raised at most every quarter of a second, on a timer thread, with the info-hashes of torrents whose stored data changed: added,
    /// removed, completed, renamed, stopped, moved. Empty: any torrent may have changed. Rates and counters change constantly and are not
    /// reported.
    /// </summary>
    public event Action<IReadOnlyCollection<string>>? Changed;

    /// <summary>Their trackers.</summary>
    public ShelfTrackers Trackers { get; }

    /// <summary>Their web seeds.</summary>
    public ShelfWebSeeds WebSeeds { get; }

    internal FactsCache Facts { get; }

    internal RunBoard Board { get; } = new();

    /// <summary>All torrents, including those that were removed from the list.</summary>
    internal async ValueTask<IReadOnlyList<ShelfSlot>> ReadAsync(CancellationToken cancellationToken) =>
        (await _book.ReadAsync(cancellationToken)).Values;

    /// <summary>Makes the next read see what other gateways have stored.</summary>
    internal void Reload() => _book.Invalidate();

    /// <summary>All torrents in the list, in queue order.</summary>
    public async ValueTask<IReadOnlyList<TorrentView>> ListAsync(CancellationToken cancellationToken)
    {
        var slots = await _book.ReadAsync(cancellationToken);
        var listed = slots.Values.Where(static slot => slot.Entry.Removed is null).OrderBy(static slot => slot.Entry.QueuePosition)
            .ThenBy(static slot => slot.Entry.Hash, StringComparer.Ordinal);
        var position = 0;
        var torrents = new List<TorrentView>(slots.Count);
        foreach (var torrent in listed.Select(View))
            torrents.Add(torrent.Entry.Completed is null && torrent.Progress < 1 ? torrent with { Position = ++position } : torrent);
        return torrents;
    }

    /// <summary>One torrent; null if it is not in the list.</summary>
    public async ValueTask<TorrentView?> FindAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return (await ListAsync(cancellationToken)).FirstOrDefault(torrent => torrent.Hash == hash);
    }

    /// <summary>The files of a torrent; empty while its metadata is unknown, null if it is not in the list.</summary>
    public async ValueTask<IReadOnlyList<ShelfFile>?> ListFilesAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        if (!(await _book.ReadAsync(cancellationToken)).TryGetValue(hash, out var slot) || slot.Entry.Removed is not null)
            return null;
        if (slot.Facts is not { } facts)
            return [];
        var items = (await _places.ListFilesAsync(hash, cancellationToken)).GroupBy(static file => file.Torrent!.File)
            .ToDictionary(static group => group.Key, static group => group.First());
        var paths = await new ShelfPaths(_tree, slot).FindAsync(items.Values, cancellationToken);
        var held = GetDetails(hash)?.FileBytes
            ?? (InfoHash.TryParse(hash, out var known) ? _sessions.Engine.ReadKept(known, facts.Files) : null) ?? [];
        var isWhole = slot.Entry.Completed is not null && _options.Value.PolicyOf(slot).Keep;
        return
        [
            .. facts.Files.Index().Where(static file => !file.Item.IsPadding).Select(file => new ShelfFile
            {
                Index = file.Index,
                Path = file.Item.Path,
                Size = file.Item.Length,
                Held = file.Index < held.Count
                    ? held[file.Index] : isWhole && slot.Entry.PriorityOf(file.Index) != FilePriority.Skip ? file.Item.Length : 0,
                Priority = slot.Entry.PriorityOf(file.Index),
                Pieces = ((int)(file.Item.Offset / facts.PieceLength),
                    (int)(Math.Max(file.Item.Offset, file.Item.Offset + file.Item.Length - 1) / facts.PieceLength)),
                ItemId = items.TryGetValue(file.Index, out var item) ? item.Id : null,
                TreePath = item is not null && item.Size == file.Item.Length ? paths.GetValueOrDefault(item.Id) : null,
            }),
        ];
    }

    /// <summary>Peers, trackers and pieces of a torrent; null while it is not in its swarm.</summary>
    public TorrentDetails? GetDetails(string hash) => Find(hash)?.GetDetails();

    /// <summary>The .torrent of a torrent, for export; null while its metadata is unknown.</summary>
    public async ValueTask<Metainfo?> ReadMetainfoAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return (await _book.ReadAsync(cancellationToken)).GetValueOrDefault(hash)?.Source.Metainfo is { } blob
            ? await Facts.ReadAsync(blob, cancellationToken) : null;
    }

    /// <summary>Call when published files or folders of torrents were renamed: their paths are then read again.</summary>
    public void Renamed() => Note([]);

    /// <summary>Changes the stored data of torrents: category, tags, name, policy, limits. Takes effect at once.</summary>
    /// <param name="hashes">The torrents.</param>
    /// <param name="change">Returns the new state, given the old one. May be called more than once.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    /// <returns>Number of torrents that were changed.</returns>
    public async Task<int> UpdateAsync(
        IReadOnlyCollection<string> hashes, Func<TorrentEntry, TorrentEntry> change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        var changed = await _store.UpdateAsync(hashes, entry => entry.Removed is null ? change(entry) : entry, cancellationToken);
        foreach (var entry in changed)
            Apply(entry);
        return changed.Count;
    }

    /// <summary>Sets the priority of files.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="files">Indexes of files, counting padding files.</param>
    /// <param name="priority">The new priority.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    /// <returns>False if the torrent is not in the list, its metadata is unknown, or it has no such file.</returns>
    public async Task<bool> SetFilePriorityAsync(
        string hash, IReadOnlyCollection<int> files, FilePriority priority, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(files);
        if (await ListFilesAsync(hash, cancellationToken) is not { Count: > 0 } known
            || (await _book.ReadAsync(cancellationToken)).GetValueOrDefault(hash)?.Facts is not { } facts
            || files.Any(file => !known.Any(one => one.Index == file)))
        {
            return false;
        }

        var count = known[^1].Index + 1;
        await UpdateAsync(
            [hash],
            stored =>
            {
                var entry = facts.Resolve(stored);
                return entry with
                {
                    Files = [.. Enumerable.Range(0, count).Select(file => files.Contains(file) ? priority : entry.PriorityOf(file))],
                };
            },
            cancellationToken);
        return true;
    }

    /// <summary>Moves torrents in the queue; their relative order stays the same.</summary>
    public Task MoveAsync(IReadOnlyCollection<string> hashes, QueueMove move, CancellationToken cancellationToken)
    {
        var moved = hashes.ToHashSet(StringComparer.Ordinal);
        return _store.ArrangeAsync(order => QueueMoves.Arrange(order, moved, move), cancellationToken);
    }

    /// <summary>Asks trackers for peers now. Torrents that are not in their swarms are left out.</summary>
    public void Reannounce(IReadOnlyCollection<string> hashes)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        foreach (var hash in hashes)
            Find(hash)?.Reannounce();
    }

    /// <summary>
    /// Hashes the data of torrents on disk, one torrent after the other in the background, and clears their errors. Damaged data that is
    /// wanted is fetched again. Torrents that another gateway owns are skipped.
    /// </summary>
    public async Task RecheckAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        var slots = await _book.ReadAsync(cancellationToken);
        foreach (var hash in hashes)
        {
            if (slots.GetValueOrDefault(hash) is { Entry.Removed: null, Source.Metainfo: { } metainfo })
                _ = _rechecks.BeginAsync(hash, metainfo);
        }

        await UpdateAsync(hashes, static entry => entry.Error is null ? entry : entry with { Error = null }, cancellationToken);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _store.Changed -= OnStored;
        _jobs.Changed -= OnJob;
        _tree.Removed -= OnRemoved;
        _timer.Dispose();
        _rechecks.Dispose();
        _book.Dispose();
    }

    private TorrentView View(ShelfSlot slot) => TorrentView.Of(slot, _options.Value, Find(slot.Entry.Hash), Board.Find(slot.Entry.Hash));

    private Torrent? Find(string hash) => InfoHash.TryParse(hash, out var known) ? _sessions.Engine.Find(known) : null;

    /// <summary>Applies the settings that take effect in the engine at once: rate limits, trackers and web seeds.</summary>
    private void Apply(TorrentEntry entry)
    {
        if (!InfoHash.TryParse(entry.Hash, out var hash))
            return;
        _sessions.Engine.LimitUpload(hash, entry.UploadLimit);
        _sessions.Engine.LimitDownload(hash, entry.DownloadLimit);
        ShelfTrackers.Apply(_sessions.Engine, hash, entry);
        ShelfWebSeeds.Apply(_sessions.Engine, entry);
    }

    private void OnStored(IReadOnlyCollection<string> hashes) => Note(hashes);

    private void OnJob(JobChange change) => Note([]);

    private void OnRemoved() => Note([]);

    private void Note(IReadOnlyCollection<string> hashes)
    {
        _book.Invalidate();
        lock (_gate)
        {
            // An empty collection means that any torrent may have changed.
            if (hashes.Count == 0)
                _changed.Add("");
            _changed.UnionWith(hashes);
            if (_raiseScheduled)
                return;
            _raiseScheduled = true;
        }

        _timer.Change(Pace, Timeout.InfiniteTimeSpan);
    }

    private void RaiseChanged()
    {
        HashSet<string> changed;
        lock (_gate)
        {
            changed = _changed;
            _changed = new HashSet<string>(StringComparer.Ordinal);
            _raiseScheduled = false;
        }

        Changed?.Invoke(changed.Contains("") ? [] : changed);
    }
}
