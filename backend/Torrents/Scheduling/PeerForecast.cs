using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Estimates when a block would arrive from each peer, and how much to request from peers whose speed is unknown. Used under the
/// torrent's lock.</summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="peers">The torrent's peers.</param>
/// <param name="readers">The torrent's readers.</param>
internal sealed class PeerForecast(PieceTable table, List<Peer> peers, List<ReaderWindow> readers)
{
    /// <summary>Assumed rate of an unmeasured peer, in bytes per second.</summary>
    public const double UnknownRate = 1 << 20;

    /// <summary>A peer is slow if its next block takes this much longer than the quickest one's.</summary>
    private const double SlowFactor = 2;

    private const double SlowSeconds = 0.1;

    private double _best;
    private int _windowBlocksPerPeer = -1;

    /// <summary>
    /// Number of peers that may soon serve: being dialled, or just connected and still choking us. A share of the urgent blocks is left for
    /// them.
    /// </summary>
    public int Expected { get; set; }

    /// <summary>Bytes per second of all peers with outstanding requests, at the time of the forecast.</summary>
    public double LineRate { get; private set; }

    /// <summary>
    /// True if the peer's requests can be cancelled in favour of urgent ones. Without BEP 6 it is unknown whether a cancelled block still
    /// comes; a peer not yet measured has a small queue anyway.
    /// </summary>
    public static bool CanCancelRequests(Peer peer) => peer.Fast && peer.Pipeline.IsMeasured;

    /// <summary>
    /// Number of blocks that the peer will have sent by the time a cancel reaches it, or that arrive before a block requested now could.
    /// </summary>
    public static int BlocksOnTheWay(Peer peer) => (int)(peer.Rate * (peer.Pipeline.RoundTrip + 0.01) / PieceSlot.BlockSize) + 1;

    /// <summary>The peer that would send an urgent block of a piece first; null if none can be asked.</summary>
    /// <param name="slot">The piece.</param>
    /// <param name="blocksPerPeer">Blocks that an unmeasured peer may hold.</param>
    /// <param name="round">The urgent round: within it a peer's other requests are cancelled once.</param>
    public Peer? FindSoonest(PieceSlot slot, int blocksPerPeer, long round)
    {
        Peer? soonest = null;
        var best = double.MaxValue;
        foreach (var peer in peers)
        {
            if (!peer.CanRequest || !peer.Serves(slot.Index) || !slot.Admits(peer.Number) || peer.RequestCount >= peer.Pipeline.PeerQueue)
                continue;

            // A peer not yet measured gets no more than its share: quicker ones may join later.
            if (!peer.Pipeline.IsMeasured && peer.Outstanding >= blocksPerPeer)
                continue;
            var eta = Urgent(peer, round);
            if (eta >= best)
                continue;
            best = eta;
            soonest = peer;
        }

        return soonest;
    }

    /// <summary>Number of forecasts made.</summary>
    public long ForecastCount { get; private set; }

    /// <summary>
    /// Makes the forecast behind <see cref="Ahead"/>, <see cref="LineRate"/> and <see cref="WindowBlocksPerPeer"/>. Call once per step,
    /// before requests are sent to any number of peers.
    /// </summary>
    public void Make()
    {
        ForecastCount++;
        _best = double.MaxValue;
        _windowBlocksPerPeer = -1;
        LineRate = 0;
        foreach (var peer in peers)
        {
            if (!peer.CanRequest)
                continue;
            peer.Notes.Eta = peer.Eta(UnknownRate);
            _best = Math.Min(_best, peer.Notes.Eta);
            if (peer.RequestCount > 0)
                LineRate += peer.Rate;
        }
    }

    /// <summary>How far ahead of a reader a peer works, in bytes: as much as the others fetch until its next block would arrive. 0 unless
    /// the peer is slow.</summary>
    public long Ahead(Peer peer) => peer.Notes.Eta > (SlowFactor * _best) + SlowSeconds ? (long)((peer.Notes.Eta - _best) * LineRate) : 0;

    /// <summary>Most of a reader's urgent blocks that one peer is given.</summary>
    public int BlocksPerPeer(ReaderWindow reader) =>
        BlocksPerPeer(Math.Min(reader.End, reader.Position + ReaderWindow.Initial) - ((long)reader.First * table.Info.PieceLength));

    /// <summary>
    /// Most blocks of all windows that a peer is given while its speed is unknown. Windows are small at first: without this limit the first
    /// few peers would take all blocks, and those of the next round trip would wait for them.
    /// </summary>
    public int WindowBlocksPerPeer()
    {
        if (_windowBlocksPerPeer >= 0)
            return _windowBlocksPerPeer;
        long needed = 0;
        foreach (var reader in readers)
            needed += Math.Min(reader.End, (reader.Last + 1L) * table.Info.PieceLength) - reader.Position;
        return _windowBlocksPerPeer = BlocksPerPeer(needed);
    }

    private int BlocksPerPeer(long bytes)
    {
        var able = 0;
        foreach (var peer in peers)
        {
            if (peer.CanRequest)
                able++;
        }

        var blocks = (bytes + PieceSlot.BlockSize - 1) / PieceSlot.BlockSize;
        return (int)Math.Max(RequestPipeline.Start, (blocks + able + Expected - 1) / Math.Max(1, able + Expected));
    }

    /// <summary>Estimated arrival of an urgent block, ignoring requests that can still be cancelled.</summary>
    private static double Urgent(Peer peer, long round)
    {
        var rate = peer.Rate > 0 ? peer.Rate : UnknownRate;
        var before = CanCancelRequests(peer) && peer.Notes.UrgentRound != round ? Math.Min(peer.Outstanding, BlocksOnTheWay(peer))
            : peer.Outstanding;

        // The sum, not the larger of the two: of two equally distant peers the one with fewer blocks to send is quicker, at any distance.
        return peer.Pipeline.RoundTrip + ((before + 1) * PieceSlot.BlockSize / rate);
    }
}
