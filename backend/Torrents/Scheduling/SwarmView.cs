using System.Globalization;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A torrent's state for display. It is sampled once a second, in a step that runs anyway, and read without a lock.</summary>
internal sealed class SwarmView
{
    /// <summary>Most pieces searched for one that no peer has. In a huge torrent the first ones are enough.</summary>
    private const int MaxPiecesSearched = 20_000;

    private readonly RecentRate _down = new();
    private readonly RecentRate _up = new();
    private readonly SwarmCopies _copies = new();
    private readonly Swarm _swarm;
    private TorrentActivity _activity = TorrentActivity.None;

    /// <param name="swarm">The torrent.</param>
    /// <param name="now">Ticks; rates count from here.</param>
    public SwarmView(Swarm swarm, long now)
    {
        _swarm = swarm;
        _down.Look(TimeSpan.FromTicks(now), 0);
        _up.Look(TimeSpan.FromTicks(now), 0);
    }

    /// <summary>As of the last sample.</summary>
    public TorrentActivity Activity => Volatile.Read(ref _activity);

    /// <summary>Takes a sample. Under the gate.</summary>
    public void Sample(long now)
    {
        var at = TimeSpan.FromTicks(now);
        _down.Look(at, _swarm.Counters.Payload);
        _up.Look(at, _swarm.Counters.Uploaded);
        var (seeds, inFlight) = (0, 0);
        foreach (var peer in _swarm.Peers)
        {
            peer.DownRate.Look(at, peer.Downloaded);
            peer.UpRate.Look(at, peer.Uploaded);
            inFlight += peer.Outstanding;
            if (peer.HasAll)
                seeds++;
        }

        var table = _swarm.Table;
        var (wanted, wantedHeld) = table?.CountWanted() ?? default;
        _copies.Update(table, _swarm.Peers, now);
        if (_swarm.Scheduler is { } scheduler)
            scheduler.Shown.SawWhole = _copies.SawWhole;
        Volatile.Write(ref _activity, new TorrentActivity
        {
            IsDescribed = table is not null,
            IsPrivate = table is { Info.IsPrivate: true },
            Size = table?.Info.Length ?? 0,
            Pieces = table?.Info.PieceCount ?? 0,
            Have = table?.Have.Count ?? 0,
            Wanted = wanted,
            WantedHeld = wantedHeld,
            FetchEnded = _swarm.BackgroundEnded,
            Peers = _swarm.Peers.Count,
            Seeds = seeds,
            Copies = _copies.Count,
            SawWhole = _copies.SawWhole,
            DownRate = _down.Value,
            UpRate = _up.Value,
            InFlight = inFlight,
            Readers = _swarm.Readers.Open,
            Reason = FindReason(),
        });
    }

    /// <summary>The full current state. Holds the gate while it copies a few fields of each peer and a bit of each piece.</summary>
    /// <param name="ways">State of the trackers and other sources of peers.</param>
    public TorrentDetails GetDetails(IReadOnlyList<TrackerStatus> ways)
    {
        var named = new Dictionary<PeerSources, int>();
        List<PeerStatus> peers;
        IReadOnlyList<WebSeedStatus> seeds;
        BitField? held = null;
        (int, int)[] wanted;
        bool all;
        TorrentInfo? info;
        lock (_swarm.Gate)
        {
            info = _swarm.Table?.Info;
            if (_swarm.Table is { } table)
            {
                held = new BitField(table.Have.Length);
                held.CopyFrom(table.Have);
            }

            peers = [.. _swarm.Peers.Where(static peer => !peer.IsWebSeed).Select(peer => Of(peer, info))];
            seeds = _swarm.WebSeeds.List();
            wanted = [.. _swarm.Readers.Windows.Select(static window => (window.First, window.Last))];
            all = _swarm.Scheduler is { Background: true };
            foreach (var (source, _) in SourceRows.Names)
                named[source] = _swarm.Book.CountOf(source);
        }

        return new TorrentDetails
        {
            Info = info,
            Trackers = [.. ways.Where(static way => way.Source == PeerSources.Tracker)],
            Sources = SourceRows.List(ways, named, info is { IsPrivate: true }, _swarm.Context.Options.PeerExchange),
            Peers = [.. peers.OrderByDescending(static peer => peer.DownRate).ThenByDescending(static peer => peer.UpRate)],
            WebSeeds = seeds,
            Runs = held is null ? [] : PieceRuns.List(held, wanted, all),
            FileBytes = held is null ? [] : [.. info!.Files.Select(file => HeldBytes.Of(file, info.PieceLength, held))],
        };
    }

    private static PeerStatus Of(Peer peer, TorrentInfo? info) => new()
    {
        Address = peer.Listening ?? peer.Remote,
        Client = peer.ExtensionHandshake.Client ?? (peer.HandshakeDone ? ClientNames.Of(peer.Id) : null),
        Progress = peer.HasAll ? 1 : info is { PieceCount: > 0 } && peer.Pieces is { } pieces ? (double)pieces.Count / info.PieceCount : 0,
        DownRate = peer.DownRate.Value,
        UpRate = peer.UpRate.Value,
        Downloaded = peer.Downloaded,
        Uploaded = peer.Uploaded,
        PeerChoking = peer.PeerChoking,
        PeerInterested = peer.PeerInterested,
        AmChoking = peer.AmChoking,
        AmInterested = peer.AmInterested,
        Sources = peer.Sources,
        Encryption = peer.Encryption,
        IsUtp = peer.IsUtp,
        Pending = peer.Outstanding,
    };

    private string? FindReason()
    {
        if (_swarm.Table is not { } table)
            return FindMissingPeers() ?? Format($"None of {_swarm.Peers.Count} connected peers has sent the torrent's metadata yet.");
        if (table.Have.IsFull)
            return null;
        var wants = (_swarm.Scheduler is { Background: true } && !table.HasWanted)
            || _swarm.Readers.Windows.Exists(static window => window.Waiting >= 0);
        if (!wants)
            return _swarm.BackgroundEnded;
        if (_swarm.Readers.Windows.Find(static window => window.Waiting >= 0) is { Waiting: var piece } && _swarm.Peers.Count > 0
            && table.Availability(piece) == 0)
            return Format($"None of {_swarm.Peers.Count} connected peers has piece {piece}.");
        if (_down.Value > 0)
            return null;
        if (FindMissingPeers() is { } none)
            return none;
        if (_swarm.Peers.TrueForAll(static peer => peer.PeerChoking))
            return Format($"All {_swarm.Peers.Count} connected peers choke us.");
        for (piece = 0; piece < Math.Min(table.Info.PieceCount, MaxPiecesSearched); piece++)
        {
            if (!table.Have[piece] && table.Ranks?[piece] != 0 && table.Availability(piece) == 0)
                return Format($"None of {_swarm.Peers.Count} connected peers has piece {piece}.");
        }

        return null;
    }

    private string? FindMissingPeers() => _swarm.Peers.Count > 0 ? null
        : _swarm.WebSeeds.Trouble is { } trouble ? trouble
        : _swarm.Book.Known == 0 ? "No peers are known."
        : Format($"None of {_swarm.Book.Known} known peers can be reached.");

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
