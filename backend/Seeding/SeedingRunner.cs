using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Content;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>
/// Keeps the user's torrents in their swarms according to their policies: checks whether they can be read, fetches those that are kept, seeds them to their limits, and adds up their
/// transfers. Where several gateways share a catalog, it runs only the torrents that this one owns. Works in steps over all torrents; one step at a time. Closing it stores unsaved totals.
/// </summary>
public sealed class SeedingRunner : IAsyncDisposable
{
    /// <summary>Interval between two steps.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(2);

    /// <summary>Beginning of the failure reason of a torrent for which no whole copy was found in time.</summary>
    public const string GivenUp = "No whole copy was found";

    /// <summary>Interval at which totals are stored. A crash loses what was counted since.</summary>
    private static readonly TimeSpan StoreEvery = TimeSpan.FromSeconds(30);

    /// <summary>Time without transfers after which a torrent no longer counts for the limits.</summary>
    private static readonly TimeSpan SlowAfter = TimeSpan.FromMinutes(1);

    private readonly TorrentShelf _shelf;
    private readonly TorrentStore _store;
    private readonly TorrentSessions _sessions;
    private readonly Live<SeedingOptions> _options;
    private readonly TimeProvider _time;
    private readonly Dictionary<string, RunningTorrent> _running = new(StringComparer.Ordinal);
    private readonly RoomWatch _room;
    private readonly OwnTorrents? _own;
    private long _stepped;
    private long _stored;

    /// <param name="shelf">The torrents.</param>
    /// <param name="store">Where their totals are stored.</param>
    /// <param name="sessions">Their swarms.</param>
    /// <param name="options">Policies; asked for at each step.</param>
    /// <param name="time">Clock for seeding times.</param>
    /// <param name="owners">The torrents that this gateway owns; null: all, as no other gateway shares the catalog.</param>
    public SeedingRunner(TorrentShelf shelf, TorrentStore store, TorrentSessions sessions, Live<SeedingOptions> options, TimeProvider time, TorrentOwnership? owners = null)
    {
        ArgumentNullException.ThrowIfNull(shelf);
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (_shelf, _store, _sessions, _options, _time) = (shelf, store, sessions, options, time);
        _room = new RoomWatch(time);
        _own = owners is null ? null : new OwnTorrents(shelf, owners, sessions, time);
        _stepped = _stored = time.GetTimestamp();
    }

    /// <summary>Raised for each torrent that fails because no whole copy was found, on the thread that runs the step; handlers must return quickly.</summary>
    public event Action<StalledTorrent>? Stalled;

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
            Measure(slot, options.PolicyOf(slot.Entry), since);
        if (await GoOnAsync(slots, options, cancellationToken))
            slots = await ReadAsync(options, cancellationToken);
        var running = SeedingPlan.Decide(
            slots.Select(slot => new PlannedTorrent(slot.Entry.Hash, NeedOf(slot, options), slot.Entry.IsForced, Find(slot.Entry.Hash)?.Meter.Still >= SlowAfter)),
            options.MaxActiveDownloads,
            options.MaxActiveSeeds);
        foreach (var slot in slots)
            await RunAsync(slot, options, running.Contains(slot.Entry.Hash), cancellationToken);
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

    /// <summary>The torrents that this gateway runs, ordered by turn.</summary>
    private async Task<List<ShelfSlot>> ReadAsync(SeedingOptions options, CancellationToken cancellationToken)
    {
        var slots = await (_own?.ReadAsync(slot => NeedOf(slot, options) != TorrentNeed.None, _running.ContainsKey, cancellationToken) ?? _shelf.ReadAsync(cancellationToken));
        return [.. slots.OrderBy(static slot => slot.Entry.Turn).ThenBy(static slot => slot.Entry.Hash, StringComparer.Ordinal)];
    }

    private TorrentNeed NeedOf(ShelfSlot slot, SeedingOptions options)
    {
        // A torrent without metadata, or not yet published, is left to the import.
        if (slot.Entry is not { Removed: null, IsStopped: false, Error: null } || slot.Facts is null || slot.Source.ItemId is null)
            return TorrentNeed.None;
        if (!options.PolicyOf(slot.Entry).Keep)
            return slot.Entry.Ready is null ? TorrentNeed.Probe : Find(slot.Entry.Hash) is { IsOnDisk: true } ? TorrentNeed.Release : TorrentNeed.None;
        return slot.Entry.Completed is null ? TorrentNeed.Download : TorrentNeed.Seed;
    }

    /// <summary>Clears the error of torrents that waited for disk space and now have it. True if there are any.</summary>
    private async Task<bool> GoOnAsync(IReadOnlyList<ShelfSlot> slots, SeedingOptions options, CancellationToken cancellationToken)
    {
        var waiting = new List<WaitingTorrent>();
        foreach (var (entry, facts) in slots.Select(static slot => (slot.Entry, slot.Facts)))
        {
            if (facts is not null && entry is { Removed: null, IsStopped: false, Error: { } error } && error.StartsWith(ShelfView.Full, StringComparison.Ordinal) && options.PolicyOf(entry).Keep)
                waiting.Add(new WaitingTorrent(entry.Hash, Find(entry.Hash)?.Held ?? 0, facts.Size - (Find(entry.Hash)?.Held ?? 0)));
        }

        var due = _room.Due(waiting, hash => InfoHash.TryParse(hash, out var known) ? _sessions.Engine.ReadFree(known) : null);
        if (due.Count > 0)
            await _store.UpdateAsync(due, static entry => entry with { Error = null }, cancellationToken);
        return due.Count > 0;
    }

    private RunningTorrent? Find(string hash) => _running.GetValueOrDefault(hash);

    private void Measure(ShelfSlot slot, SharePolicy policy, TimeSpan since)
    {
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
            // Also applied to torrents that only readers open. Another gateway may have changed them.
            _sessions.Engine.LimitUpload(hash, slot.Entry.UploadLimit);
            _sessions.Engine.LimitDownload(hash, slot.Entry.DownloadLimit);
            ShelfTrackers.Apply(_sessions.Engine, hash, slot.Entry);
        }

        torrent!.Applied = slot.Entry;
        torrent.IsOnDisk = policy.Keep || (torrent.IsOnDisk && _sessions.Engine.IsKept(hash));
        var open = _sessions.Engine.Find(hash);
        var isSeeding = IsSeeding(slot, policy);
        var now = _time.GetUtcNow();
        if (torrent.Measured is { } before && before != open)
            torrent.Meter.Look(before, before.Bytes.Payload, before.Bytes.Uploaded, isSeeding, TimeSpan.Zero, now);
        torrent.Measured = open;
        torrent.Meter.Look(open, open?.Bytes.Payload ?? 0, open?.Bytes.Uploaded ?? 0, isSeeding, since, now);
    }

    private static bool IsSeeding(ShelfSlot slot, SharePolicy policy) => (policy.Keep ? slot.Entry.Completed : slot.Entry.Ready) is not null;

    private async Task RunAsync(ShelfSlot slot, SeedingOptions options, bool runs, CancellationToken cancellationToken)
    {
        var (entry, torrent) = (slot.Entry, Find(slot.Entry.Hash)!);
        var need = NeedOf(slot, options);
        if (runs && torrent.Lease is null)
            await BeginAsync(slot, torrent, cancellationToken);
        else if (!runs && torrent.Lease is not null)
            End(torrent, leaves: entry is not { Removed: null, IsStopped: false, Error: null } || need != TorrentNeed.None);
        if (torrent.Lease is { } lease)
            await TendAsync(slot, options, need, torrent, lease.Torrent, cancellationToken);
        else if (need == TorrentNeed.Probe && !options.WaitForCopy)
            await MarkAsync(entry, entry => entry with { Ready = entry.Ready ?? _time.GetUtcNow() }, cancellationToken);
        if (torrent.Lease is null)
            torrent.Held ??= TorrentOrders.ReadHeld(slot, options, _sessions.Engine);
        var phase = need != TorrentNeed.None && !runs ? TorrentPhase.Queued
            : torrent.Lease is not { } open ? TorrentPhase.Idle
            : open.Torrent.IsChecking ? TorrentPhase.Checking
            : open.Torrent.IsMoving ? TorrentPhase.Moving
            : TorrentPhase.Running;
        _shelf.Board.Set(entry.Hash, new TorrentRun(phase, torrent.Meter.Totals, torrent.Held));
    }

    private async Task BeginAsync(ShelfSlot slot, RunningTorrent torrent, CancellationToken cancellationToken)
    {
        if (slot.Source.Metainfo is not { } blob || await _shelf.Facts.ReadAsync(blob, cancellationToken) is not { } metainfo)
            return;
        torrent.Lease = await _sessions.UseAsync(metainfo, cancellationToken);
        torrent.Told = null;
        torrent.IsNew = true;
    }

    /// <summary>Stops running a torrent: from here on it is open only for readers.</summary>
    /// <param name="torrent">The torrent.</param>
    /// <param name="leaves">True: it leaves its swarm at once if nobody reads it; false: when nobody has for a while.</param>
    private void End(RunningTorrent torrent, bool leaves)
    {
        var open = torrent.Lease!.Torrent;
        open.FetchAll(false);
        open.Select(null);
        torrent.Lease.Dispose();
        (torrent.Lease, torrent.Told) = (null, null);
        if (leaves)
            _sessions.CloseUnused(open.Hash);
    }

    private async Task TendAsync(ShelfSlot slot, SeedingOptions options, TorrentNeed need, RunningTorrent torrent, Torrent open, CancellationToken cancellationToken)
    {
        // Its data has not been checked yet: fetch nothing that may be there already, and report nothing.
        if (open.IsChecking)
            return;
        var policy = options.PolicyOf(slot.Entry);
        if (TorrentOrders.Tell(slot, policy, need, torrent, open) is { } trouble)
        {
            await MarkAsync(slot.Entry, entry => entry with { Error = trouble }, cancellationToken);
            return;
        }

        var (wanted, held) = open.CountWanted();

        // A kept torrent counts as complete only once its data is on disk.
        if (need == TorrentNeed.Download)
            held = Math.Max(0, held - open.CountUnwritten());
        torrent.Held = Math.Min((long)held * slot.Facts!.PieceLength, slot.Facts.Size);
        var isReady = slot.Entry.Ready is not null || !options.WaitForCopy || TorrentOrders.IsReadable(slot, open);
        if (need == TorrentNeed.Release)
            return;
        var isWhole = need != TorrentNeed.Probe && wanted == held && !_shelf.Board.IsChecking(slot.Entry.Hash);
        var now = _time.GetUtcNow();
        if (isReady != (slot.Entry.Ready is not null) || (need != TorrentNeed.Probe && isWhole != (slot.Entry.Completed is not null)))
        {
            // Whoever sees it complete also sees what that took: all of a small torrent may have come since the last sample.
            torrent.Meter.Look(open, open.Bytes.Payload, open.Bytes.Uploaded, IsSeeding(slot, policy), TimeSpan.Zero, now);
            _shelf.Board.Set(slot.Entry.Hash, new TorrentRun(TorrentPhase.Running, torrent.Meter.Totals, torrent.Held));
            await MarkAsync(
                slot.Entry,
                entry => entry with
                {
                    Ready = isReady ? entry.Ready ?? now : entry.Ready,
                    Completed = need == TorrentNeed.Probe ? (isReady ? entry.Completed ?? now : null) : isWhole ? entry.Completed ?? now : null,
                },
                cancellationToken);
            return;
        }

        if (!isReady && options.CopyPatience > TimeSpan.Zero && torrent.Meter.Totals.Active >= options.CopyPatience)
            await GiveUpAsync(slot, open, options, cancellationToken);
        else if (need == TorrentNeed.Seed && !slot.Entry.IsForced && policy.IsReached(ShelfView.RatioOf(torrent.Meter.Totals, torrent.Held ?? 0), torrent.Meter.Totals))
            await EndSeedingAsync(slot.Entry, policy, cancellationToken);
    }

    private async Task GiveUpAsync(ShelfSlot slot, Torrent open, SeedingOptions options, CancellationToken cancellationToken)
    {
        var activity = open.Activity;
        var reason = string.Create(
            System.Globalization.CultureInfo.InvariantCulture,
            $"{GivenUp} in {DurationText.Of(options.CopyPatience)}: {activity.Peers} peers are connected and have {activity.Copies:0.00} copies.{(activity.Reason is { } why ? " " + why : "")}");
        await MarkAsync(slot.Entry, entry => entry with { Error = reason }, cancellationToken);
        Stalled?.Invoke(new StalledTorrent(slot.Entry.Hash, slot.Entry.Name ?? slot.Facts!.Name, slot.Entry.Category, reason));
    }

    private async Task EndSeedingAsync(TorrentEntry entry, SharePolicy policy, CancellationToken cancellationToken)
    {
        await StoreAsync(cancellationToken);
        if (policy.AtLimit == LimitAction.Stop)
            await MarkAsync(entry, static entry => entry with { IsStopped = true }, cancellationToken);
        else
            await _shelf.RemoveAsync([entry.Hash], policy.AtLimit == LimitAction.RemoveData, cancellationToken);
    }

    private async Task MarkAsync(TorrentEntry entry, Func<TorrentEntry, TorrentEntry> change, CancellationToken cancellationToken)
    {
        // Not if the torrent was removed and added again in the meantime.
        await _store.UpdateAsync([entry.Hash], now => now.Added == entry.Added && now.Removed is null ? change(now) : now, cancellationToken);
        if (Find(entry.Hash) is { } torrent)
            torrent.Told = null;
    }

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
