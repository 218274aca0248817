using System.Buffers.Binary;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Handles messages that follow a peer's handshake, sends our answers, and declares our interest. A message that moves data schedules one
/// step of the picker. Used under the torrent's lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
/// <param name="exchange">Peer exchange.</param>
internal sealed partial class PeerMessages(Swarm swarm, PeerExchange exchange)
{
    /// <summary>
    /// Most pieces announced one by one to a peer that connected before the metadata arrived. It learns of the rest when it connects again.
    /// </summary>
    private const int MostEarlyHaves = 10_000;

    /// <summary>
    /// Handles a complete message other than <c>piece</c>. Returns the reason if the peer must be disconnected, otherwise null.
    /// </summary>
    public string? Handle(Peer peer, MessageId id, ReadOnlySpan<byte> payload)
    {
        return id switch
        {
            // <len=0001><id=0>
            MessageId.Choke => OnChoke(peer),
            MessageId.Unchoke => OnUnchoke(peer),
            MessageId.Interested => OnInterested(peer, interested: true),
            MessageId.NotInterested => OnInterested(peer, interested: false),

            // <len=0005><id=4><piece index>
            MessageId.Have when payload.Length == 4 => OnPiecesAnnounced(peer, peer.OnHave(Int(payload, 0))),
            MessageId.Bitfield => OnPiecesAnnounced(peer, peer.OnBitfield(payload)),
            MessageId.HaveAll => OnPiecesAnnounced(peer, peer.OnHaveAll()),
            MessageId.HaveNone => OnPiecesAnnounced(peer, peer.OnHaveNone()),

            // <len=0005><id=13 or 17><piece index>
            MessageId.SuggestPiece when payload.Length == 4 => OnSuggestion(peer, Int(payload, 0)),
            MessageId.AllowedFast when payload.Length == 4 => OnAllowed(peer, Int(payload, 0)),

            // <len=0013><id=6><index><begin><length>
            MessageId.Request when payload.Length == 12 => peer.Uploads.Add(Int(payload, 0), Int(payload, 4), Int(payload, 8)),
            MessageId.Cancel when payload.Length == 12 => OnCancel(peer, payload),
            MessageId.RejectRequest when payload.Length == 12 => OnReject(peer, Int(payload, 0), Int(payload, 4)),

            // <len=0003><id=9><listen-port>
            MessageId.Port when payload.Length == 2 => OnPort(peer, BinaryPrimitives.ReadUInt16BigEndian(payload)),
            MessageId.Extended when payload.Length > 0 => OnExtended(peer, payload[0], payload[1..]),

            // <len=0049><id=21><pieces root><base layer><index><length><proof layers>
            MessageId.HashRequest when payload.Length == 48 => OnHashRequest(peer, payload),
            MessageId.HashRequest or MessageId.Have or MessageId.Request or MessageId.Cancel or MessageId.RejectRequest
                or MessageId.Extended => "The peer sent a message of the wrong length.",

            // Unknown messages are ignored.
            _ => peer.CountIdleMessage(),
        };
    }

    /// <summary>
    /// Sends the messages that follow the handshakes: our pieces and our extensions. They are not sent along with our handshake: aria2
    /// (1.36) disconnects a peer that sends anything before aria2's own handshake has arrived. Must be called in the step from which new
    /// pieces are announced to the peer, so that none is missed in between. Under the gate.
    /// </summary>
    public void SendInitialMessages(Peer peer)
    {
        // BEP 3 and BEP 6: the pieces come first. BEP 6 requires a message even while they are unknown.
        if (swarm.Table is { } table)
        {
            var bits = new byte[BitField.Bytes(table.Info.PieceCount)];
            table.Have.Write(bits);
            peer.Outbox.Message(MessageId.Bitfield, bits);
        }
        else if (peer.Fast)
        {
            peer.Outbox.Message(MessageId.HaveNone);
        }

        if (peer.Extensions)
            SendExtensionHandshake(peer);
        DeclareIfInteresting(peer);
    }

    /// <summary>Announces our pieces to a peer that connected before the metadata arrived. Under the gate.</summary>
    public void SendHaves(Peer peer)
    {
        var sent = 0;
        for (var piece = 0; peer.HandshakeDone && piece < swarm.Table!.Info.PieceCount && sent < MostEarlyHaves; piece++)
        {
            if (!swarm.Table.Have[piece])
                continue;
            sent++;
            peer.Outbox.AboutPiece(MessageId.Have, piece);
            peer.MarkDirty();
        }

        OnPiecesAnnounced(peer, fault: null);
    }

    /// <summary>
    /// Call when a peer has announced pieces. Declares interest if it has any that we lack, and sends a newcomer its allowed-fast set.
    /// </summary>
    private string? OnPiecesAnnounced(Peer peer, string? fault)
    {
        if (fault is null && swarm.Table is { } table)
        {
            DeclareIfInteresting(peer);
            AllowedFast.Grant(peer, table, swarm.Hash);
        }

        return fault;
    }

    private string? OnSuggestion(Peer peer, int piece)
    {
        peer.OnSuggestion(piece);
        swarm.ScheduleRefill();
        return peer.CountIdleMessage();
    }

    private string? OnAllowed(Peer peer, int piece)
    {
        if (peer.OnAllowedFast(piece))
        {
            swarm.ScheduleUrgent();
            swarm.ScheduleRefill();
        }

        return peer.CountIdleMessage();
    }

    private string? OnChoke(Peer peer)
    {
        if (peer.OnChoke(swarm.Now))
            swarm.ScheduleRefill();
        return peer.CountIdleMessage();
    }

    private string? OnUnchoke(Peer peer)
    {
        var isFirst = !peer.WasUnchoked;
        if (peer.OnUnchoke())
        {
            if (isFirst)
                swarm.Metrics.Unchoked(swarm.Now - peer.Joined);
            swarm.ScheduleUrgent();
        }

        return peer.CountIdleMessage();
    }

    private string? OnInterested(Peer peer, bool interested)
    {
        peer.OnInterest(interested);
        var slots = swarm.Context.Options.UploadSlots;
        if (interested)
            Choker.OnInterested(peer, swarm.Peers, slots);
        else
            Choker.OnUninterested(peer, swarm.Peers, slots);
        return peer.CountIdleMessage();
    }

    private string? OnPort(Peer peer, int port)
    {
        swarm.AddDhtNode(peer, port);
        return peer.CountIdleMessage();
    }

    /// <summary>Rejects the request: we have no hashes of version 2, and BEP 52 requires a reject with the same fields.</summary>
    private static string? OnHashRequest(Peer peer, ReadOnlySpan<byte> payload)
    {
        peer.Outbox.Message(MessageId.HashReject, payload);
        peer.MarkDirty();
        return peer.CountIdleMessage();
    }

    private static string? OnCancel(Peer peer, ReadOnlySpan<byte> payload)
    {
        peer.Uploads.Cancel(Int(payload, 0), Int(payload, 4), Int(payload, 8));
        return peer.CountIdleMessage();
    }

    private string? OnReject(Peer peer, int piece, int begin)
    {
        if (!peer.OnReject(piece, begin, swarm.Now))
            return peer.CountIdleMessage();

        // Another peer may serve the block.
        if (!peer.HasCancelled)
        {
            swarm.ScheduleUrgent();
            swarm.ScheduleRefill();
        }

        return null;
    }

    private static int Int(ReadOnlySpan<byte> payload, int at) => BinaryPrimitives.ReadInt32BigEndian(payload[at..]);

    // Our interest. It is declared in each peer that has a piece we lack, whether or not that piece is being read: what is read changes
    // with each seek, and a late declaration would cost a round trip and a slot at the peer. A minute after the last reader has left, no
    // peer is of interest any more unless something else is to be fetched. While the torrent's contents are unknown, every peer is of
    // interest.

    /// <summary>
    /// How long interest lasts after the last reader has left. A reader often comes back: players close one range and open another. A peer
    /// in which we lose interest gives our slot away.
    /// </summary>
    private static readonly long InterestLinger = TimeSpan.TicksPerMinute;

    /// <summary>True if nothing is fetched until a reader opens: everything but the deselected files is held (BEP 21).</summary>
    private bool IsPartialSeed =>
        swarm is { Table: { LeavesOut: true, HoldsWanted: true }, Picker.Background: true, Readers.Open: 0 };

    private bool WantsNothing => IsPartialSeed
        || (swarm.Readers.Ended is { } ended && swarm.Now - ended > InterestLinger && swarm.Picker is not { Background: true });

    /// <summary>Call when a peer has more pieces than before, or we have fewer. Declares interest at once.</summary>
    public void DeclareIfInteresting(Peer peer)
    {
        if (!peer.AmInterested && peer.HandshakeDone && !peer.IsClosed && HasOther(peer))
            peer.SetInterested(true);
    }

    /// <summary>Withdraws interest in peers that have nothing more for us. Call once a second.</summary>
    public void WithdrawInterest()
    {
        foreach (var peer in swarm.Peers)
        {
            if (peer.AmInterested && !HasOther(peer))
                peer.SetInterested(false);
        }
    }

    /// <summary>A piece is no longer held: declares interest in the peers that have it.</summary>
    private void DeclareInterestIn(int piece)
    {
        foreach (var peer in swarm.Peers)
        {
            if (!peer.AmInterested && peer.Has(piece))
                DeclareIfInteresting(peer);
        }
    }

    private bool HasOther(Peer peer)
    {
        if (swarm.Table is not { } table)
            return true;
        if (WantsNothing)
            return false;
        return peer.HasAll ? !table.Have.IsFull : peer.Pieces?.HasOther(table.Have) == true;
    }
}
