using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>When which peer would send what, and how much each should be given while that is not known. Used under the torrent's lock.</summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="peers">The torrent's.</param>
/// <param name="readers">The torrent's.</param>
internal sealed class PeerForecast(PieceTable table, List<Peer> peers, List<ReaderWindow> readers)
{
    /// <summary>What an unmeasured peer is taken for, in bytes per second.</summary>
    public const double UnknownRate = 1 << 20;

    /// <summary>A peer is slow if its next block takes this much longer than the quickest one's.</summary>
    private const double SlowFactor = 2;

    private const double SlowSeconds = 0.1;

    private double _best;
    private int _windowShare = -1;

    /// <summary>Peers on their way: being dialled, or connected and still choking us. What is needed at once is left for them too.</summary>
    public int Expected { get; set; }

    /// <summary>Bytes per second of the peers that were asked for something, when the forecast was made.</summary>
    public double LineRate { get; private set; }

    /// <summary>Without BEP 6 it is not known what comes of a cancelled request; what was not measured has a small queue anyway.</summary>
    public static bool CanGiveWay(Peer peer) => peer.Fast && peer.Pipeline.IsMeasured;

    /// <summary>Blocks that the peer has sent by the time a cancel reaches it, or that arrive before what is asked now could.</summary>
    public static int OnTheWay(Peer peer) => (int)(peer.Rate * (peer.Pipeline.RoundTrip + 0.01) / PieceSlot.BlockSize) + 1;

    /// <summary>The peer that would send an urgent block of a piece first; null if none can be asked.</summary>
    /// <param name="slot">The piece.</param>
    /// <param name="share">Blocks that an unmeasured peer may hold.</param>
    /// <param name="round">The round of urgent picking: in it a peer's other requests give way once.</param>
    public Peer? Soonest(PieceSlot slot, int share, long round)
    {
        Peer? soonest = null;
        var best = double.MaxValue;
        foreach (var peer in peers)
        {
            if (!peer.CanAsk || !peer.Serves(slot.Index) || (slot.OnlyPeer != 0 && slot.OnlyPeer != peer.Number) || peer.Requests.Count >= peer.Pipeline.PeerQueue)
                continue;

            // One that was not measured yet gets no more than its share: others may be quicker and only later.
            if (!peer.Pipeline.IsMeasured && peer.Outstanding >= share)
                continue;
            var eta = Urgent(peer, round);
            if (eta >= best)
                continue;
            best = eta;
            soonest = peer;
        }

        return soonest;
    }

    /// <summary>How often it was made.</summary>
    public long Made { get; private set; }

    /// <summary>Makes the forecast that <see cref="Ahead"/>, <see cref="LineRate"/> and <see cref="WindowShare"/> tell: once for all peers that are asked in one step.</summary>
    public void Make()
    {
        Made++;
        _best = double.MaxValue;
        _windowShare = -1;
        LineRate = 0;
        foreach (var peer in peers)
        {
            if (!peer.CanAsk)
                continue;
            peer.Forecast = peer.Eta(UnknownRate);
            _best = Math.Min(_best, peer.Forecast);
            if (peer.Requests.Count > 0)
                LineRate += peer.Rate;
        }
    }

    /// <summary>How far ahead of a reader a peer is to work, in bytes: what the others fetch until its next block would be here. 0 unless it is slow.</summary>
    public long Ahead(Peer peer) => peer.Forecast > (SlowFactor * _best) + SlowSeconds ? (long)((peer.Forecast - _best) * LineRate) : 0;

    /// <summary>How many blocks a peer is given at once of what a reader needs at once.</summary>
    public int Share(ReaderWindow reader) =>
        Share(Math.Min(reader.End, reader.Position + ReaderWindow.Initial) - ((long)reader.First * table.Info.PieceLength));

    /// <summary>
    /// How many blocks of all windows a peer is given while it is not known how quick it is. At a start the windows are small: the first few would take
    /// all, and the next round trip's worth would wait for them.
    /// </summary>
    public int WindowShare()
    {
        if (_windowShare >= 0)
            return _windowShare;
        long needed = 0;
        foreach (var reader in readers)
            needed += Math.Min(reader.End, (reader.Last + 1L) * table.Info.PieceLength) - reader.Position;
        return _windowShare = Share(needed);
    }

    private int Share(long bytes)
    {
        var able = 0;
        foreach (var peer in peers)
        {
            if (peer.CanAsk)
                able++;
        }

        var blocks = (bytes + PieceSlot.BlockSize - 1) / PieceSlot.BlockSize;
        return (int)Math.Max(RequestPipeline.Start, (blocks + able + Expected - 1) / Math.Max(1, able + Expected));
    }

    /// <summary>When an urgent block would be here: what can still be cancelled does not stand in its way.</summary>
    private static double Urgent(Peer peer, long round)
    {
        var rate = peer.Rate > 0 ? peer.Rate : UnknownRate;
        var before = CanGiveWay(peer) && peer.Hurried != round ? Math.Min(peer.Outstanding, OnTheWay(peer)) : peer.Outstanding;

        // The sum, not the larger of the two: of peers equally far the one with less to send is sooner, however far they are.
        return peer.Pipeline.RoundTrip + ((before + 1) * PieceSlot.BlockSize / rate);
    }
}
