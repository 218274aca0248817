using System.Net;
using NzbDav.Content;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <summary>An open torrent. Thread-safe.</summary>
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
        _ = RestrictAsync();
    }

    /// <summary>Its name in the swarm.</summary>
    public InfoHash Hash => _swarm.Hash;

    /// <summary>What it is called; the link's name until it is described.</summary>
    public string? Name { get => _swarm.Described.IsCompletedSuccessfully ? _swarm.Table!.Info.Name : field; }

    internal Swarm Swarm => _swarm;

    /// <summary>What it holds: at once for a .torrent, when a peer has told it for a magnet link.</summary>
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

    /// <summary>What a magnet link's torrent holds, from elsewhere; without effect if that is known already.</summary>
    internal void Describe(TorrentInfo info)
    {
        _swarm.Describe(info);
        Start();
    }

    /// <summary>Looks for peers from here on: once it is known how much is missing, if that is known at all.</summary>
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

    /// <summary>Asks trackers and whoever else knows peers again now, as far as they allow it.</summary>
    public void Reannounce()
    {
        foreach (var finder in _finders)
            finder.AskNow();
    }

    /// <summary>Its trackers by tier (BEP 12).</summary>
    public IReadOnlyList<IReadOnlyList<Uri>> Trackers => _finders.OfType<TorrentTrackers>().First().Tiers;

    /// <inheritdoc cref="TorrentTrackers.Use"/>
    internal void UseTrackers(IReadOnlyList<IReadOnlyList<Uri>> tiers) => _finders.OfType<TorrentTrackers>().First().Use(tiers);

    /// <summary>Adds peers by hand.</summary>
    public void AddPeers(params IEnumerable<IPEndPoint> peers) => _swarm.AddPeers(peers, PeerSources.Link);

    /// <summary>
    /// Fetches all of it, or (the default) only what readers want. Ends by itself when the disk cannot be written to or the cache holds no more: <see cref="TorrentStatus.FetchEnded"/>
    /// says why, and readers go on. May be asked for again.
    /// </summary>
    public void FetchAll(bool all)
    {
        if (all)
            _swarm.Pieces?.WriteAgain();
        _swarm.SetBackground(all);
    }

    /// <summary>What <see cref="FetchAll"/> fetches and what first, from here on; null (the default): all, the rarest pieces first. Without effect before the torrent is described.</summary>
    public void Select(FetchOrder? order) => _swarm.Select(order);

    /// <summary>
    /// Keeps all that is fetched whole in a folder of its own (<see cref="TorrentOptions.KeepFolder"/>), outside the bound of the cache, or no longer does. What is on disk follows in the
    /// background: into the folder as it is, back into the cache as far as there is room. Holds over restarts.
    /// </summary>
    /// <returns>Null; else why that is not possible.</returns>
    /// <exception cref="InvalidOperationException">It is not described yet.</exception>
    public string? Keep(bool keep) => (_swarm.Pieces ?? throw new InvalidOperationException("The torrent is not described yet: await DescribeAsync first.")).Keep(keep);

    /// <summary>It is kept whole.</summary>
    public bool IsKept => _swarm.Pieces is { Held.IsKept: true };

    /// <summary>What is on disk is on its way into the folder, or back.</summary>
    public bool IsMoving => _swarm.Pieces is { Held.Moving.IsCompleted: false };

    /// <summary>The process that kept it last was killed: what that may have written is being hashed, and held where it is good.</summary>
    public bool IsChecking => _swarm.Pieces is { Checking.IsCompleted: false };

    /// <summary>When it was opened, kept files were gone that were there before. What was in them is fetched anew if it is wanted.</summary>
    public bool WasMissing => _swarm.Pieces is { Held.IsMissing: true };

    /// <summary>Its folder; null while nothing is kept.</summary>
    public string? KeptFolder => _swarm.Pieces?.Held.Kept?.Folder;

    /// <summary>Hashes all that is on disk, claimed or not. What is damaged is no longer held; what is good is.</summary>
    /// <param name="progress">Told how many pieces were looked at.</param>
    /// <param name="cancellationToken">Gives up; what was found out holds.</param>
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

    /// <summary>How many of the pieces held are in memory alone: not written to disk yet, or they could not be. A restart loses them.</summary>
    public int CountUnwritten() => _swarm.Pieces?.CountUnwritten() ?? 0;

    /// <summary>All pieces of a range of a file are held.</summary>
    /// <param name="file">One of its files.</param>
    /// <param name="start">First byte, in the file.</param>
    /// <param name="end">Past the last byte.</param>
    public bool Holds(TorrentFile file, long start, long end)
    {
        ArgumentNullException.ThrowIfNull(file);
        if (start >= end)
            return true;
        lock (_swarm.Gate)
        {
            if (_swarm.Table is not { } table)
                return false;
            for (var piece = (int)((file.Offset + start) / table.Info.PieceLength); piece <= (int)((file.Offset + end - 1) / table.Info.PieceLength); piece++)
            {
                if (!table.Have[piece])
                    return false;
            }

            return true;
        }
    }

    /// <summary>How it stands.</summary>
    public TorrentStatus GetStatus()
    {
        lock (_swarm.Gate)
        {
            var table = _swarm.Table;
            return new TorrentStatus(table is not null, _swarm.PeerCount, table?.Have.Count ?? 0, table?.Info.PieceCount ?? 0, _swarm.Counters, _swarm.LastFarewell, _swarm.BackgroundEnded) { IsDiskFull = _swarm.IsDiskFull };
        }
    }

    /// <summary>How it stood in the last second. Costs nothing.</summary>
    public TorrentActivity Activity
    {
        get
        {
            var activity = _swarm.View.Activity;
            if (_swarm.Context.NetworkTrouble() is { } away)
                return activity with { Reason = away };
            return activity is { Peers: 0, Reason: { } reason } && FindTrouble() is { } trouble ? activity with { Reason = $"{trouble}. {reason}" } : activity;
        }
    }

    /// <summary>What its trackers tell of the swarm.</summary>
    public SwarmCounts Counts => SwarmCounts.Of([.. _finders.OfType<TorrentTrackers>().SelectMany(static trackers => trackers.List())]);

    /// <summary>What went over the wire since it was opened.</summary>
    public SwarmCounters Bytes => _swarm.Counters;

    /// <summary>Everything that can be said of it now. Costs some microseconds of the lock that its peers wait for.</summary>
    public TorrentDetails GetDetails() => _swarm.View.GetDetails([.. _finders.SelectMany(static finder => finder.List())]);

    /// <summary>Leaves the swarm. Readers that are open fail; what was verified stays on disk.</summary>
    public async ValueTask DisposeAsync()
    {
        Task closing;
        lock (_gate)
            closing = _closing ??= Task.Run(CloseAsync);
        await closing;
    }

    /// <summary>What is wrong with the ways to peers, if none of them works.</summary>
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

    private async Task RestrictAsync()
    {
        try
        {
            if (!(await _swarm.Described).IsPrivate)
                return;
        }
        catch (Exception error) when (error is OperationCanceledException or InvalidDataException)
        {
            // Closed before anybody described it, or described by what cannot be read.
            return;
        }

        foreach (var finder in _finders)
            finder.Restrict();
    }

    private async Task CloseAsync()
    {
        await Task.WhenAll(_finders.Select(static finder => finder.DisposeAsync().AsTask()));
        await _swarm.DisposeAsync();
        _swarm.SavePeers();
        if (_swarm.Pieces is { } pieces)
        {
            await pieces.WrittenAsync();
            pieces.Dispose();
        }

        // Only now another may be opened on the same files.
        _closed(this);
    }
}
