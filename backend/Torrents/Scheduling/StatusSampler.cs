using System.Globalization;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// A torrent's live state, for display. Sampled once a second by the torrent's tick; the last sample is read without a lock.
/// </summary>
internal sealed class StatusSampler
{
    /// <summary>Most pieces searched for one that no peer has. In a huge torrent, searching the first ones is enough.</summary>
    private const int MaxPiecesSearched = 20_000;

    /// <summary>Interval of counts of the copies, once a whole copy has been seen.</summary>
    private static readonly long CopiesPeriod = TimeSpan.FromSeconds(5).Ticks;

    private readonly RecentRate _down = new();
    private readonly RecentRate _up = new();
    private readonly Swarm _swarm;
    private TorrentStatus _last = TorrentStatus.None;
    private long _copiesCountedAt = long.MinValue;
    private double _copies;
    private bool _sawWhole;

    /// <param name="swarm">The torrent.</param>
    /// <param name="now">Ticks; rates count from here.</param>
    public StatusSampler(Swarm swarm, long now)
    {
        _swarm = swarm;
        _down.Look(TimeSpan.FromTicks(now), 0);
        _up.Look(TimeSpan.FromTicks(now), 0);
    }

    /// <summary>As of the last sample. Needs no lock.</summary>
    public TorrentStatus Last => Volatile.Read(ref _last);

    /// <summary>As of now, except for sampled fields such as rates, copies and the reason. Under the gate.</summary>
    public TorrentStatus Current => Last with
    {
        IsDescribed = _swarm.Table is not null,
        Pieces = _swarm.Table?.Info.PieceCount ?? 0,
        Have = _swarm.Table?.Have.Count ?? 0,
        Peers = _swarm.Peers.Count,
        Bytes = _swarm.Counters,
        FetchEnded = _swarm.BackgroundEnded,
        IsDiskFull = _swarm.IsDiskFull,
        LastDisconnectReason = _swarm.LastDisconnectReason,
    };

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
        if (table is not null)
            CountCopies(table, now);
        if (_swarm.Picker is { } picker)
            picker.SawWhole = _sawWhole;
        Volatile.Write(ref _last, Current with
        {
            IsPrivate = table is { Info.IsPrivate: true },
            Size = table?.Info.Length ?? 0,
            Wanted = wanted,
            WantedHeld = wantedHeld,
            Seeds = seeds,
            Copies = _copies,
            SawWhole = _sawWhole,
            DownRate = _down.Value,
            UpRate = _up.Value,
            InFlight = inFlight,
            Readers = _swarm.Readers.Open,
            Reason = FindReason(),
        });
    }

    /// <summary>The full current state. Holds the gate while it copies a few fields of each peer and a bit of each piece.</summary>
    /// <param name="sources">State of the trackers and other sources of peers.</param>
    public TorrentDetails GetDetails(IReadOnlyList<TrackerStatus> sources)
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
            all = _swarm.Picker is { Background: true };
            foreach (var (source, _) in SourceRows.Names)
                named[source] = _swarm.Book.CountOf(source);
        }

        return new TorrentDetails
        {
            Info = info,
            Trackers = [.. sources.Where(static source => source.Source == PeerSources.Tracker)],
            Sources = SourceRows.List(sources, named, info is { IsPrivate: true }, _swarm.Context.Options.PeerExchange),
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

    /// <summary>Counts the copies of the torrent. Scans all pieces, so only when that is due.</summary>
    private void CountCopies(PieceTable table, long now)
    {
        var peers = _swarm.Peers;
        if (_sawWhole && peers.Count > 0 && now < _copiesCountedAt + CopiesPeriod)
            return;
        _copiesCountedAt = now;
        _sawWhole |= table.Seeds > 0 || table.Have.IsFull || peers.Exists(static peer => peer.Rounds.IsProved);
        if (peers.Count == 0)
        {
            _copies = 0;
            return;
        }

        var (fewest, more, whole) = (int.MaxValue, 0, true);
        for (var piece = 0; piece < table.Info.PieceCount; piece++)
        {
            var count = table.Availability(piece);
            whole &= count > 0 || table.Have[piece];
            if (count < fewest)
                (fewest, more) = (count, piece);
            else if (count > fewest)
                more++;
        }

        _sawWhole |= whole;
        _copies = table.Info.PieceCount == 0 ? 0 : fewest + ((double)more / table.Info.PieceCount);
    }

    private string? FindReason()
    {
        if (_swarm.Table is not { } table)
            return FindMissingPeers() ?? Format($"None of {_swarm.Peers.Count} connected peers has sent the torrent's metadata yet.");
        if (table.Have.IsFull)
            return null;
        var wants = (_swarm.Picker is { Background: true } && !table.HasWanted)
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
