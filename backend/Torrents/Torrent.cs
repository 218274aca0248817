using System.Net;
using NzbDav.Content;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <summary>
/// An open torrent. It is described once its info dictionary is known: at once for a .torrent, for a magnet link when a peer has sent it.
/// Thread-safe.
/// </summary>
public sealed class Torrent : IAsyncDisposable
{
    private readonly Action<Torrent> _closed;
    private readonly Swarm _swarm;
    private readonly IReadOnlyList<IPeerFinder> _finders;
    private readonly Lock _gate = new();
    private Task? _closing;

    internal Torrent(Swarm swarm, IReadOnlyList<IPeerFinder> finders, string? name, Action<Torrent> closed)
    {
        _swarm = swarm;
        _finders = finders;
        _closed = closed;
        Name = name;
        _ = FollowDescriptionAsync();
    }

    /// <summary>Its info-hash, which identifies it in the swarm.</summary>
    public InfoHash Hash => _swarm.Hash;

    /// <summary>Its name; the one from the link until it is described.</summary>
    public string? Name { get => _swarm.Described.IsCompletedSuccessfully ? _swarm.Table!.Info.Name : field; }

    internal Swarm Swarm => _swarm;

    /// <summary>Its info: at once for a .torrent, for a magnet link when a peer has sent it.</summary>
    /// <exception cref="OperationCanceledException">The token fired, or the torrent was closed.</exception>
    public Task<TorrentInfo> DescribeAsync(CancellationToken cancellationToken) => _swarm.Described.WaitAsync(cancellationToken);

    /// <summary>The bytes of one of its files.</summary>
    /// <exception cref="InvalidOperationException">It is not described yet.</exception>
    public IContent Open(TorrentFile file)
    {
        ArgumentNullException.ThrowIfNull(file);
        if (!_swarm.Described.IsCompletedSuccessfully)
            throw new InvalidOperationException("The torrent is not described yet: await DescribeAsync first.");
        return new TorrentContent(_swarm, file);
    }

    /// <summary>Supplies the info of a magnet link's torrent; no effect if it is already known.</summary>
    internal void Describe(TorrentInfo info)
    {
        _swarm.Describe(info);
        Start();
    }

    /// <summary>
    /// Starts looking for peers. If the info is known, call it after <see cref="Describe"/>, so that announces state how much is left.
    /// </summary>
    internal void Start()
    {
        lock (_gate)
        {
            if (_closing is not null)
                return;
            foreach (var finder in _finders)
                finder.Start();
        }
    }

    /// <summary>Asks trackers and other sources for peers again now, as far as they allow it.</summary>
    public void Reannounce()
    {
        foreach (var finder in _finders)
            finder.FindNow();
    }

    /// <summary>Its trackers by tier (BEP 12).</summary>
    public IReadOnlyList<IReadOnlyList<Uri>> Trackers => _finders.OfType<TorrentTrackers>().First().Tiers;

    /// <inheritdoc cref="TorrentTrackers.Use"/>
    internal void UseTrackers(IReadOnlyList<IReadOnlyList<Uri>> tiers) => _finders.OfType<TorrentTrackers>().First().Use(tiers);

    /// <summary>Adds peers that the user names.</summary>
    public void AddPeers(params IEnumerable<IPEndPoint> peers) => _swarm.AddPeers(peers, PeerSources.Link);

    /// <summary>
    /// Fetches all of it, or (the default) only what readers need. Stops by itself when the disk cannot be written to or the cache is full:
    /// <see cref="TorrentStatus.FetchEnded"/> says why, and readers continue. May be called again.
    /// </summary>
    public void FetchAll(bool all)
    {
        if (all)
            _swarm.Pieces?.RetryWrites();
        _swarm.SetBackground(all && Missing is null);
    }

    /// <summary>Sets what <see cref="FetchAll"/> fetches, and in which order; null (the default): all, the rarest pieces first. Has no
    /// effect before the torrent is described.</summary>
    public void Select(FetchOrder? order) => _swarm.Select(order);

    /// <summary>
    /// Keeps all fetched data in a folder of its own (<see cref="TorrentOptions.KeepFolder"/>), outside the cache limit, or stops doing so.
    /// Data on disk is moved in the background: into the folder unchanged, or back into the cache as far as there is room. Persists over
    /// restarts.
    /// </summary>
    /// <returns>Null on success; otherwise why it is not possible.</returns>
    /// <exception cref="InvalidOperationException">It is not described yet.</exception>
    public string? Keep(bool keep) =>
        (_swarm.Pieces ?? throw new InvalidOperationException("The torrent is not described yet: await DescribeAsync first.")).Keep(keep);

    /// <summary>True if its data is kept outside the cache: see <see cref="Keep"/>.</summary>
    public bool IsKept => _swarm.Pieces is { IsKept: true };

    /// <summary>True while data on disk is being moved into the folder or back.</summary>
    public bool IsMoving => _swarm.Pieces is { Moving.IsCompleted: false };

    /// <summary>
    /// True while pieces are hashed because it is not known whether they are good: the previous process was killed and may have written
    /// them, or something else has written to their files. Pieces found good are held.
    /// </summary>
    public bool IsChecking => _swarm.Pieces is { Checking.IsCompleted: false };

    /// <summary>
    /// Why kept files cannot be used: they are gone, or their disk is not mounted or cannot be read. Null: nothing is known to be missing.
    /// While there is a reason, only what readers need is fetched, and nothing counts as lost: see <see cref="RecheckMissingFiles"/> and
    /// <see cref="RecheckAsync"/>.
    /// </summary>
    public string? Missing => _swarm.Pieces?.Needed;

    /// <summary>Checks whether kept files that were missing are there again.</summary>
    /// <returns>What is still missing; null: nothing.</returns>
    public string? RecheckMissingFiles() => _swarm.Pieces?.RecheckMissingFiles(_swarm.Context.Check, _swarm.Stopping);

    /// <summary>The folder of its kept files; null while nothing is kept.</summary>
    public string? KeptFolder => _swarm.Pieces?.Kept?.Folder;

    /// <summary>
    /// Hashes everything on disk, whether or not the resume data names it. Afterwards good pieces are held, and damaged ones are not. Files
    /// that are gone are given up, and fetched again if wanted; but while their disk is not mounted or cannot be read, nothing is done.
    /// </summary>
    /// <param name="progress">Receives the number of pieces checked.</param>
    /// <param name="cancellationToken">Stops the check; results so far are kept.</param>
    public async Task RecheckAsync(Action<int>? progress, CancellationToken cancellationToken)
    {
        await _swarm.Described.WaitAsync(cancellationToken);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _swarm.Stopping);
        await _swarm.Pieces!.RecheckAsync(_swarm.Context.Check, progress ?? (static _ => { }), both.Token);
    }

    /// <summary>How many pieces are wanted (<see cref="Select"/>), and how many of those are held. Zero while not described.</summary>
    public (int Wanted, int Held) CountWanted()
    {
        lock (_swarm.Gate)
            return _swarm.Table?.CountWanted() ?? default;
    }

    /// <summary>
    /// Number of held pieces that are only in memory: not yet written to disk, or impossible to write. A restart loses them.
    /// </summary>
    public int CountUnwritten() => _swarm.Pieces?.CountUnwritten() ?? 0;

    /// <summary>True if all pieces of a range of a file are held.</summary>
    /// <param name="file">One of its files.</param>
    /// <param name="start">First byte, in the file.</param>
    /// <param name="end">One past the last byte, in the file.</param>
    public bool Holds(TorrentFile file, long start, long end)
    {
        ArgumentNullException.ThrowIfNull(file);
        if (start >= end)
            return true;
        lock (_swarm.Gate)
        {
            if (_swarm.Table is not { } table)
                return false;
            for (var piece = (int)((file.Offset + start) / table.Info.PieceLength); piece <= (int)((file.Offset
                + end - 1) / table.Info.PieceLength); piece++)
            {
                if (!table.Have[piece])
                    return false;
            }

            return true;
        }
    }

    /// <summary>Its current state. Takes the torrent's lock for a moment.</summary>
    public TorrentStatus GetStatus()
    {
        lock (_swarm.Gate)
        {
            var status = _swarm.Status.Current;
            return Missing is { } missing ? status with { FetchEnded = missing } : status;
        }
    }

    /// <summary>Its state as of the last second. Costs nothing.</summary>
    public TorrentStatus LastStatus
    {
        get
        {
            var status = _swarm.Status.Last;
            if (_swarm.Context.NetworkTrouble() is { } away)
                return status with { Reason = away };
            return status is { Peers: 0, Reason: { } reason } && FindTrouble() is { } trouble
                ? status with { Reason = $"{trouble}. {reason}" } : status;
        }
    }

    /// <summary>Size of the swarm according to its trackers.</summary>
    public SwarmSize Counts => SwarmSize.Of([.. _finders.OfType<TorrentTrackers>().SelectMany(static trackers => trackers.List())]);

    /// <summary>Bytes transferred since it was opened.</summary>
    public SwarmCounters Bytes => _swarm.Counters;

    /// <summary>Its full state, for display. Takes the torrent's lock for some microseconds.</summary>
    public TorrentDetails GetDetails() => _swarm.Status.GetDetails([.. _finders.SelectMany(static finder => finder.List())]);

    /// <summary>Leaves the swarm. Open readers fail; verified data on disk stays.</summary>
    public async ValueTask DisposeAsync()
    {
        Task closing;
        lock (_gate)
            closing = _closing ??= Task.Run(CloseAsync);
        await closing;
    }

    /// <summary>Why no source of peers works; null = one works, or there is none.</summary>
    private string? FindTrouble()
    {
        string? trouble = null;
        foreach (var finder in _finders)
        {
            if (finder.Trouble is not { } found)
                return null;
            trouble ??= found;
        }

        return trouble;
    }

    private async Task FollowDescriptionAsync()
    {
        try
        {
            if (!(await _swarm.Described).IsPrivate)
                Start();
            else
                _finders.ToList().ForEach(static finder => finder.Restrict());
        }
        catch (Exception error) when (error is OperationCanceledException or InvalidDataException)
        {
            // Closed before it was described, or its description cannot be read.
        }
    }

    /// <summary>
    /// Closes its parts in order, each even if the one before failed: a half-closed torrent could be neither opened again nor removed.
    /// </summary>
    private async Task CloseAsync()
    {
        try
        {
            await _swarm.DisposeAsync();
            _swarm.SavePeers();
        }
        finally
        {
            await LeaveTrackersAsync();
        }
    }

    /// <summary>Leaves the trackers once the last peer is gone, so that the last announces count all bytes sent.</summary>
    private async Task LeaveTrackersAsync()
    {
        try
        {
            await Task.WhenAll(_finders.Select(static finder => finder.DisposeAsync().AsTask()));
        }
        finally
        {
            await CloseFilesAsync();
        }
    }

    private async Task CloseFilesAsync()
    {
        try
        {
            using var pieces = _swarm.Pieces;
            if (pieces is not null)
                await pieces.WrittenAsync();
        }
        finally
        {
            // Only now may a torrent be opened on the same files again.
            _closed(this);
        }
    }

    // Web seeds (BEP 19).

    /// <summary>Its web seeds, in the order in which they were named.</summary>
    public IReadOnlyList<WebSeedStatus> WebSeeds
    {
        get
        {
            lock (_swarm.Gate)
                return _swarm.WebSeeds.List();
        }
    }

    /// <summary>Full addresses of the web seeds, to be stored.</summary>
    public IReadOnlyList<Uri> ListWebSeeds()
    {
        lock (_swarm.Gate)
            return _swarm.WebSeeds.Addresses;
    }

    /// <summary>Supplies the .torrent of a magnet link's torrent: its info, unless it is known, and its web seeds.</summary>
    internal void Complete(Metainfo metainfo)
    {
        Describe(metainfo.Info);
        _swarm.AddWebSeeds(metainfo.WebSeeds, isFromLink: true);
    }
}

/// <summary>One file of a torrent. Costs nothing until a reader is opened. Thread-safe; valid until the torrent is closed.</summary>
internal sealed class TorrentContent(Swarm swarm, TorrentFile file) : IContent
{
    /// <inheritdoc/>
    public long Length => file.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new TorrentReader(swarm, file, file.Offset + start, file.Offset + end, intent);
    }
}
