using NzbDav.Catalog;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Status;

namespace NzbDav.Seeding;

/// <summary>
/// The torrents that the user has: what each does now, and what can be done with them. Info-hashes are 40 lower-case hexadecimal digits; those that the user does not have
/// are left out. Thread-safe.
/// </summary>
public sealed class TorrentShelf : IDisposable
{
    /// <summary>Changes that come within this are told together.</summary>
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(250);

    private readonly TorrentStore _store;
    private readonly TorrentPlaces _places;
    private readonly JobStore _jobs;
    private readonly TreeStore _tree;
    private readonly TorrentSessions _sessions;
    private readonly Live<SeedingOptions> _options;
    private readonly ShelfBook _book;
    private readonly HoldStore _holds;
    private readonly Rechecks _rechecks;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private HashSet<string> _changed = new(StringComparer.Ordinal);
    private bool _isTelling;

    /// <param name="store">What is stored of torrents.</param>
    /// <param name="places">Where they were published.</param>
    /// <param name="jobs">The jobs that bring them.</param>
    /// <param name="tree">Their files.</param>
    /// <param name="holds">Which files libraries have links to.</param>
    /// <param name="blobs">Their .torrent files.</param>
    /// <param name="sessions">Their swarms.</param>
    /// <param name="options">Policies; asked for at each use.</param>
    /// <param name="time">Clock.</param>
    public TorrentShelf(
        TorrentStore store, TorrentPlaces places, JobStore jobs, TreeStore tree, HoldStore holds, BlobStore blobs, TorrentSessions sessions, Live<SeedingOptions> options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(places);
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(tree);
        ArgumentNullException.ThrowIfNull(holds);
        ArgumentNullException.ThrowIfNull(blobs);
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (_store, _places, _jobs, _tree, _holds, _sessions, _options) = (store, places, jobs, tree, holds, sessions, options);
        Facts = new FactsCache(blobs);
        _rechecks = new Rechecks(sessions, Facts, Board);
        Trackers = new ShelfTrackers(this, sessions);
        _book = new ShelfBook(store, places, tree, Facts, time);
        _timer = time.CreateTimer(static self => ((TorrentShelf)self!).Tell(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _store.Changed += OnStored;
        _jobs.Changed += OnJob;
        _tree.Removed += OnRemoved;
    }

    /// <summary>
    /// Raised at most every quarter of a second with the info-hashes of torrents of which something stored changed: added, removed, completed, renamed, stopped, put elsewhere. Empty: perhaps all.
    /// Rates and counters change all the time and are not told. On a thread of its own.
    /// </summary>
    public event Action<IReadOnlyCollection<string>>? Changed;

    /// <summary>Their trackers.</summary>
    public ShelfTrackers Trackers { get; }

    internal FactsCache Facts { get; }

    internal RunBoard Board { get; } = new();

    /// <summary>All torrents, also those that are off the list.</summary>
    internal async ValueTask<IReadOnlyList<ShelfSlot>> ReadAsync(CancellationToken cancellationToken) => (await _book.ReadAsync(cancellationToken)).Values;

    /// <summary>All torrents in the list, by turn.</summary>
    public async ValueTask<IReadOnlyList<ShelfTorrent>> ListAsync(CancellationToken cancellationToken)
    {
        var slots = await _book.ReadAsync(cancellationToken);
        var listed = slots.Values.Where(static slot => slot.Entry.Removed is null).OrderBy(static slot => slot.Entry.Turn).ThenBy(static slot => slot.Entry.Hash, StringComparer.Ordinal);
        var position = 0;
        var torrents = new List<ShelfTorrent>(slots.Count);
        foreach (var torrent in listed.Select(View))
            torrents.Add(torrent.Entry.Completed is null && torrent.Progress < 1 ? torrent with { Position = ++position } : torrent);
        return torrents;
    }

    /// <summary>One of them; null if it is not in the list.</summary>
    public async ValueTask<ShelfTorrent?> FindAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return (await ListAsync(cancellationToken)).FirstOrDefault(torrent => torrent.Hash == hash);
    }

    /// <summary>The files of a torrent; empty while not described, null if it is not in the list.</summary>
    public async ValueTask<IReadOnlyList<ShelfFile>?> ListFilesAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        if (!(await _book.ReadAsync(cancellationToken)).TryGetValue(hash, out var slot) || slot.Entry.Removed is not null)
            return null;
        if (slot.Facts is not { } facts)
            return [];
        var items = (await _places.ListFilesAsync(hash, cancellationToken)).GroupBy(static file => file.Torrent!.File).ToDictionary(static group => group.Key, static group => group.First());
        var paths = await new ShelfPaths(_tree, slot).FindAsync(items.Values, cancellationToken);
        var held = GetDetails(hash)?.FileBytes ?? (InfoHash.TryParse(hash, out var known) ? _sessions.Engine.ReadKept(known, facts.Files) : null) ?? [];
        var isWhole = slot.Entry.Completed is not null && _options.Value.PolicyOf(slot.Entry).Keep;
        return
        [
            .. facts.Files.Index().Where(static file => !file.Item.IsPadding).Select(file => new ShelfFile
            {
                Index = file.Index,
                Path = file.Item.Path,
                Size = file.Item.Length,
                Held = file.Index < held.Count ? held[file.Index] : isWhole && slot.Entry.PriorityOf(file.Index) != FilePriority.Skip ? file.Item.Length : 0,
                Priority = slot.Entry.PriorityOf(file.Index),
                Pieces = ((int)(file.Item.Offset / facts.PieceLength), (int)(Math.Max(file.Item.Offset, file.Item.Offset + file.Item.Length - 1) / facts.PieceLength)),
                ItemId = items.TryGetValue(file.Index, out var item) ? item.Id : null,
                TreePath = item is not null && item.Size == file.Item.Length ? paths.GetValueOrDefault(item.Id) : null,
            }),
        ];
    }

    /// <summary>Peers, trackers and pieces of a torrent; null while it is not in its swarm.</summary>
    public TorrentDetails? GetDetails(string hash) => Find(hash)?.GetDetails();

    /// <summary>The .torrent of a torrent, to be written out; null while it is not described.</summary>
    public async ValueTask<Metainfo?> ReadMetainfoAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return (await _book.ReadAsync(cancellationToken)).GetValueOrDefault(hash)?.Source.Metainfo is { } blob ? await Facts.ReadAsync(blob, cancellationToken) : null;
    }

    /// <summary>What was published of torrents has been renamed: paths are read anew.</summary>
    public void Renamed() => Note([]);

    /// <summary>Changes what is stored of torrents: category, tags, name, policy, limits. Takes effect at once.</summary>
    /// <param name="hashes">Which.</param>
    /// <param name="change">Gives the new state for the old; may be called more than once.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <returns>How many were changed.</returns>
    public async Task<int> UpdateAsync(IReadOnlyCollection<string> hashes, Func<TorrentEntry, TorrentEntry> change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        var changed = await _store.UpdateAsync(hashes, entry => entry.Removed is null ? change(entry) : entry, cancellationToken);
        foreach (var entry in changed)
            Apply(entry);
        return changed.Count;
    }

    /// <summary>Lets torrents run again; what made one fail is forgotten.</summary>
    public Task<int> StartAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken) =>
        UpdateAsync(hashes, static entry => entry with { IsStopped = false, Error = null }, cancellationToken);

    /// <summary>Torrents leave their swarms; their files can be read.</summary>
    public Task<int> StopAsync(IReadOnlyCollection<string> hashes, CancellationToken cancellationToken) =>
        UpdateAsync(hashes, static entry => entry with { IsStopped = true, IsForced = false }, cancellationToken);

    /// <summary>Torrents run whatever the limits of active torrents and share limits say, or no longer do.</summary>
    public Task<int> ForceAsync(IReadOnlyCollection<string> hashes, bool force, CancellationToken cancellationToken) =>
        UpdateAsync(hashes, entry => entry with { IsForced = force, IsStopped = entry.IsStopped && !force, Error = force ? null : entry.Error }, cancellationToken);

    /// <summary>Sets the priority of files.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="files">Numbers of files, padding counted.</param>
    /// <param name="priority">From here on.</param>
    /// <param name="cancellationToken">Gives up waiting for the writer.</param>
    /// <returns>False if the torrent is not in the list, not described, or has no such file.</returns>
    public async Task<bool> SetFilePriorityAsync(string hash, IReadOnlyCollection<int> files, FilePriority priority, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(files);
        if (await ListFilesAsync(hash, cancellationToken) is not { Count: > 0 } known || files.Any(file => !known.Any(one => one.Index == file)))
            return false;
        var count = known[^1].Index + 1;
        await UpdateAsync(
            [hash],
            entry => entry with { Files = [.. Enumerable.Range(0, count).Select(file => files.Contains(file) ? priority : entry.PriorityOf(file))] },
            cancellationToken);
        return true;
    }

    /// <summary>Moves torrents in the queue; they keep their order among each other.</summary>
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

    /// <summary>Hashes all that is on disk of torrents, one after the other in the background. What is damaged is fetched anew if it is wanted.</summary>
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

    /// <summary>Takes torrents off the list. They leave their swarms; jobs that wait or run for them end.</summary>
    /// <param name="hashes">Which.</param>
    /// <param name="withData">
    /// True: their files go too, but for those that a library has a link to: these stay as long as it does. False: their files stay in the tree, and what is kept of them on disk.
    /// </param>
    /// <param name="cancellationToken">Gives up waiting for the writer; what was removed stays so.</param>
    /// <returns>How many were in the list.</returns>
    public async Task<int> RemoveAsync(IReadOnlyCollection<string> hashes, bool withData, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        _book.Invalidate();
        var slots = await _book.ReadAsync(cancellationToken);
        var removal = new TorrentRemoval(_store, _jobs, _tree, _places, _holds);
        var count = 0;
        foreach (var hash in hashes.Distinct(StringComparer.Ordinal))
        {
            if (!slots.TryGetValue(hash, out var slot) || slot.Entry.Removed is not null)
                continue;
            await removal.RemoveAsync(slot.Source, withData, cancellationToken);
            count++;
        }

        return count;
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

    private ShelfTorrent View(ShelfSlot slot) => ShelfView.Of(slot, _options.Value, Find(slot.Entry.Hash), Board.Find(slot.Entry.Hash));

    private Torrent? Find(string hash) => InfoHash.TryParse(hash, out var known) ? _sessions.Engine.Find(known) : null;

    /// <summary>What the engine can be told at once.</summary>
    private void Apply(TorrentEntry entry)
    {
        if (!InfoHash.TryParse(entry.Hash, out var hash))
            return;
        _sessions.Engine.LimitUpload(hash, entry.UploadLimit);
        _sessions.Engine.LimitDownload(hash, entry.DownloadLimit);
        ShelfTrackers.Apply(_sessions.Engine, hash, entry);
    }

    private void OnStored(IReadOnlyCollection<string> hashes) => Note(hashes);

    private void OnJob(JobChange change) => Note([]);

    private void OnRemoved() => Note([]);

    private void Note(IReadOnlyCollection<string> hashes)
    {
        _book.Invalidate();
        lock (_gate)
        {
            // None by name is perhaps all.
            if (hashes.Count == 0)
                _changed.Add("");
            _changed.UnionWith(hashes);
            if (_isTelling)
                return;
            _isTelling = true;
        }

        _timer.Change(Pace, Timeout.InfiniteTimeSpan);
    }

    private void Tell()
    {
        HashSet<string> changed;
        lock (_gate)
        {
            changed = _changed;
            _changed = new HashSet<string>(StringComparer.Ordinal);
            _isTelling = false;
        }

        Changed?.Invoke(changed.Contains("") ? [] : changed);
    }
}
