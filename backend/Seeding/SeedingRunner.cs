using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>
/// Keeps the user's torrents in their swarms according to their policies: checks whether they can be read, fetches those that are kept,
/// seeds them up to their limits, and adds up their transfers. Where several gateways share a catalog, runs only the torrents that this one
/// owns. Works in steps over all torrents, one step at a time. Disposing it stores unsaved totals.
/// </summary>
public sealed partial class SeedingRunner : IAsyncDisposable
{
    /// <summary>Interval between two steps.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(2);

    /// <summary>Interval at which totals are stored. A crash loses what was counted since the last time.</summary>
    private static readonly TimeSpan StoreEvery = TimeSpan.FromSeconds(30);

    /// <summary>Time without transfers after which a torrent no longer counts towards the limits.</summary>
    private static readonly TimeSpan SlowAfter = TimeSpan.FromMinutes(1);

    private readonly TorrentShelf _shelf;
    private readonly TorrentStore _store;
    private readonly TorrentSessions _sessions;
    private readonly Live<SeedingOptions> _options;
    private readonly TimeProvider _time;
    private readonly Dictionary<string, RunningTorrent> _running = new(StringComparer.Ordinal);
    private readonly RoomWatch _room;
    private readonly KeepRoom _keeping;
    private readonly MissingWatch _missing;
    private readonly OwnTorrents? _own;
    private long _stepped;
    private long _stored;

    /// <param name="shelf">The torrents.</param>
    /// <param name="store">Stores their totals.</param>
    /// <param name="sessions">Their swarms.</param>
    /// <param name="options">Policies; read at each step.</param>
    /// <param name="time">Clock for seeding times.</param>
    /// <param name="owners">The torrents that this gateway owns; null: all, because no other gateway shares the catalog.</param>
    public SeedingRunner(TorrentShelf shelf, TorrentStore store, TorrentSessions sessions, Live<SeedingOptions> options, TimeProvider time,
        TorrentOwnership? owners = null)
    {
        ArgumentNullException.ThrowIfNull(shelf);
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (_shelf, _store, _sessions, _options, _time) = (shelf, store, sessions, options, time);
        _room = new RoomWatch(time);
        _keeping = new KeepRoom(sessions, time);
        _missing = new MissingWatch(time);
        _own = owners is null ? null : new OwnTorrents(shelf, owners, sessions, time);
        _stepped = _stored = time.GetTimestamp();
    }

    /// <summary>
    /// Raised for each torrent that fails because no whole copy was found, on the thread that runs the step. Handlers must return quickly.
    /// </summary>
    public event Action<StalledTorrent>? Stalled;

    /// <summary>
    /// Raised when a step fails for a torrent, once per new reason, on the thread that runs the step. Other torrents are not affected, and
    /// the next step tries again.
    /// </summary>
    public event Action<FailedTorrent>? Failed;

    /// <summary>Runs one step: checks all torrents and does what is due.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read or written; the next step tries again.</exception>
    public async Task StepAsync(CancellationToken cancellationToken)
    {
        var since = _time.GetElapsedTime(_stepped);
        _stepped = _time.GetTimestamp();
        var options = _options.Value;
        var slots = await ReadAsync(options, cancellationToken);
        Forget(slots.Select(static slot => slot.Entry.Hash).ToHashSet(StringComparer.Ordinal));
        foreach (var slot in slots)
            Measure(slot, options, since);
        _keeping.Update(slots, options, Find);
        if (await ResumeWaitingAsync(slots, options, cancellationToken))
            slots = await ReadAsync(options, cancellationToken);
        var running = SeedingPlan.Decide(
            slots.Select(slot => new PlannedTorrent(
                slot.Entry.Hash, NeedOf(slot, options), slot.Entry.IsForced, Find(slot.Entry.Hash)?.Meter.Still >= SlowAfter)),
            options.MaxActiveDownloads,
            options.MaxActiveSeeds);
        foreach (var slot in slots)
            await TryRunAsync(slot, options, running.Contains(slot.Entry.Hash), cancellationToken);
        if (_time.GetElapsedTime(_stored) >= StoreEvery)
            await StoreAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var torrent in _running.Values)
            torrent.Lease?.Dispose();
        await StoreAsync(CancellationToken.None);
        _running.Clear();
    }

    /// <summary>The torrents that this gateway runs, in queue order.</summary>
    private async Task<List<ShelfSlot>> ReadAsync(SeedingOptions options, CancellationToken cancellationToken)
    {
        var slots = await (_own?.ReadAsync(slot => NeedOf(slot, options) != TorrentNeed.None, _running.ContainsKey, cancellationToken)
            ?? _shelf.ReadAsync(cancellationToken));
        return [.. slots.OrderBy(static slot => slot.Entry.QueuePosition).ThenBy(static slot => slot.Entry.Hash, StringComparer.Ordinal)];
    }

    private TorrentNeed NeedOf(ShelfSlot slot, SeedingOptions options)
    {
        // A torrent without metadata, or one not yet published, is left to the import.
        if (slot.Entry is not { Removed: null, IsStopped: false, Error: null } || slot.Facts is null || slot.Source.ItemId is null)
            return TorrentNeed.None;
        if (!options.PolicyOf(slot).Keep)
            return slot.Entry.Ready is null
                ? TorrentNeed.Probe : Find(slot.Entry.Hash) is { IsOnDisk: true } ? TorrentNeed.ReturnToCache : TorrentNeed.None;
        if (Find(slot.Entry.Hash) is { WaitsFor: not null })
            return TorrentNeed.Await;
        return slot.Entry.Completed is null ? TorrentNeed.Download : TorrentNeed.Seed;
    }

    /// <summary>
    /// Clears the errors of torrents that waited for disk space and have it now, and of those whose missing files are back. True if there
    /// were any.
    /// </summary>
    private async Task<bool> ResumeWaitingAsync(IReadOnlyList<ShelfSlot> slots, SeedingOptions options, CancellationToken cancellationToken)
    {
        var waiting = new List<WaitingTorrent>();
        var away = new List<(string, BlobHash)>();
        foreach (var slot in slots)
        {
            var (entry, facts) = (slot.Entry, slot.Facts);
            if (facts is null || entry is not { Removed: null, IsStopped: false, Error: { } error } || !options.PolicyOf(slot).Keep)
                continue;
            if (error.StartsWith(TorrentView.DiskFull, StringComparison.Ordinal))
                waiting.Add(new WaitingTorrent(entry.Hash, Find(entry.Hash)?.Held ?? 0, facts.Size - (Find(entry.Hash)?.Held ?? 0)));
            else if (error.StartsWith(TorrentView.FilesMissing, StringComparison.Ordinal) && slot.Source.Metainfo is { } metainfo)
                away.Add((entry.Hash, metainfo));
        }

        var full = _room.Due(waiting, hash => InfoHash.TryParse(hash, out var known) ? _sessions.Engine.ReadFree(known) : null);
        IReadOnlyList<string> due = [.. full, .. _missing.Due(away, IsBackAsync)];
        if (due.Count > 0)
            await _store.UpdateAsync(due, static entry => entry with { Error = null }, cancellationToken);
        return due.Count > 0;
    }

    /// <summary>True if no kept file of a torrent is missing any more.</summary>
    private async Task<bool> IsBackAsync(BlobHash metainfo) =>
        await _shelf.Facts.ReadAsync(metainfo, CancellationToken.None) is { } read && _sessions.Engine.FindMissing(read.Info) is null;

    private RunningTorrent? Find(string hash) => _running.GetValueOrDefault(hash);

    private void Measure(ShelfSlot slot, SeedingOptions options, TimeSpan since)
    {
        var policy = options.PolicyOf(slot);
        var isNew = !_running.TryGetValue(slot.Entry.Hash, out var torrent) || torrent.Added != slot.Entry.Added;
        if (isNew)
        {
            torrent?.Lease?.Dispose();
            _running[slot.Entry.Hash] = torrent = new RunningTorrent(new TorrentMeter(slot.Entry.Totals)) { Added = slot.Entry.Added };
        }

        if (!InfoHash.TryParse(slot.Entry.Hash, out var hash))
            return;
        if (isNew || (_own is not null && !TorrentOrders.AreSame(torrent!.Applied!, slot.Entry)))
        {
            // Also applied to torrents that only readers open. Another gateway may have changed the settings.
            _sessions.Engine.LimitUpload(hash, slot.Entry.UploadLimit);
            _sessions.Engine.LimitDownload(hash, slot.Entry.DownloadLimit);
            ShelfTrackers.Apply(_sessions.Engine, hash, slot.Entry);
            ShelfWebSeeds.Apply(_sessions.Engine, slot.Entry);
        }

        torrent!.Applied = slot.Entry;
        torrent.IsOnDisk = policy.Keep || (torrent.IsOnDisk && _sessions.Engine.IsKept(hash));
        var open = _sessions.Engine.Find(hash);
        var isSeeding = IsSeeding(slot, policy);
        var now = _time.GetUtcNow();
        if (torrent.Measured is { } before && before != open)
            torrent.Meter.Sample(before, before.Bytes.Payload, before.Bytes.Uploaded, isSeeding, TimeSpan.Zero, now);
        torrent.Measured = open;
        torrent.Meter.Sample(open, open?.Bytes.Payload ?? 0, open?.Bytes.Uploaded ?? 0, isSeeding, since, now);
        if (isNew)
            torrent.WaitFrom = BeginOfWait(torrent.Meter.Totals.Active, options.CopyTimeout);
        if (slot.Entry.Error?.StartsWith(StalledTorrent.GivenUp, StringComparison.Ordinal) == true)
            torrent.WaitFrom = torrent.Meter.Totals.Active;
    }

    /// <summary>
    /// Derives when the wait for a copy began, after a restart of the server. A torrent that had waited for the whole timeout was given up
    /// then, and the user started it again; so a restart never prolongs a wait.
    /// </summary>
    private static TimeSpan BeginOfWait(TimeSpan active, TimeSpan timeout) =>
        timeout > TimeSpan.Zero ? TimeSpan.FromTicks(active.Ticks - (active.Ticks % timeout.Ticks)) : TimeSpan.Zero;

    private static bool IsSeeding(ShelfSlot slot, SharePolicy policy) =>
        (policy.Keep ? slot.Entry.Completed : slot.Entry.Ready) is not null;

    private void Forget(HashSet<string> known)
    {
        foreach (var (hash, torrent) in _running.Where(pair => !known.Contains(pair.Key)).ToList())
        {
            torrent.Lease?.Dispose();
            _running.Remove(hash);
            _shelf.Board.Forget(hash);
            _room.Forget(hash);
        }
    }

    /// <summary>Stores the totals of all torrents. Must not be called during a step.</summary>
    public async Task StoreAsync(CancellationToken cancellationToken)
    {
        _stored = _time.GetTimestamp();
        var changed = _running.Where(static pair => pair.Value.Meter.IsChanged).ToDictionary(
            static pair => pair.Key, static pair => (pair.Value.Meter.Totals, pair.Value.Meter.LastActive), StringComparer.Ordinal);
        await _store.SetTotalsAsync(changed, cancellationToken);
        foreach (var hash in changed.Keys)
            _running[hash].Meter.Stored();
    }
}

/// <summary>A torrent that failed because no whole copy of it was found in time.</summary>
/// <param name="Hash">Its info-hash.</param>
/// <param name="Name">Its name.</param>
/// <param name="Reason">The reason, for the user.</param>
public sealed record StalledTorrent(string Hash, string Name, string Reason)
{
    /// <summary>Beginning of every such reason.</summary>
    public const string GivenUp = "No whole copy was found";
}

/// <summary>A torrent for which a step failed.</summary>
/// <param name="Hash">Its info-hash.</param>
/// <param name="Name">Its name, or its hash if the name is not known.</param>
/// <param name="Error">The exception.</param>
public sealed record FailedTorrent(string Hash, string Name, Exception Error);
