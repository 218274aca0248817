using System.Buffers.Binary;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Messages from peers after their handshakes, and our answers. Each message that moves data runs one step of the scheduler. Used
/// under the torrent's lock.</summary>
/// <param name="swarm">The torrent.</param>
/// <param name="availability">The pieces that peers have.</param>
/// <param name="extensions">The extension protocol.</param>
/// <param name="interest">Declares our interest.</param>
internal sealed class PeerMessages(Swarm swarm, AvailabilityLedger availability, PeerExtensions extensions, PeerInterest interest)
{
    /// <summary>
    /// Most pieces announced one by one to a peer that connected before the metadata arrived. It learns of the rest when it connects again.
    /// </summary>
    private const int MostEarlyHaves = 10_000;

    /// <summary>Rejects since the last block after which a peer gets no requests for a while.</summary>
    private const int MostRejects = 64;

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
            MessageId.Have when payload.Length == 4 => OnHave(peer, Int(payload, 0)),
            MessageId.Bitfield => OnPiecesAnnounced(peer, availability.Bitfield(peer, payload)),
            MessageId.HaveAll => OnPiecesAnnounced(peer, availability.All(peer)),
            MessageId.HaveNone => OnPiecesAnnounced(peer, availability.None(peer)),

            // <len=0005><id=13 or 17><piece index>
            MessageId.SuggestPiece when payload.Length == 4 => OnSuggestion(peer, Int(payload, 0)),
            MessageId.AllowedFast when payload.Length == 4 => OnAllowed(peer, Int(payload, 0)),

            // <len=0013><id=6><index><begin><length>
            MessageId.Request when payload.Length == 12 => peer.Uploads.Add(Int(payload, 0), Int(payload, 4), Int(payload, 8)),
            MessageId.Cancel when payload.Length == 12 => OnCancel(peer, payload),
            MessageId.RejectRequest when payload.Length == 12 => OnReject(peer, Int(payload, 0), Int(payload, 4)),
            // <len=0003><id=9><listen-port>
            MessageId.Port when payload.Length == 2 => OnPort(peer, BinaryPrimitives.ReadUInt16BigEndian(payload)),
            MessageId.Extended when payload.Length > 0 => extensions.Handle(peer, payload[0], payload[1..]),

            // <len=0049><id=21><pieces root><base layer><index><length><proof layers>
            MessageId.HashRequest when payload.Length == 48 => OnHashRequest(peer, payload),
            MessageId.HashRequest or MessageId.Have or MessageId.Request or MessageId.Cancel or MessageId.RejectRequest
                or MessageId.Extended => "The peer sent a message of the wrong length.",

            // Unknown messages are ignored.
            _ => peer.CountIdleMessage(),
        };
    }

    /// <summary>
    /// Sends the messages that follow the handshakes: our pieces and our extensions. They are not sent along with our handshake, because
    /// aria2 (1.36) disconnects a peer that sends anything before aria2's own handshake has arrived. They are sent in the step in which
    /// announcements of new pieces to the peer begin, so that none is missed in between. Under the gate.
    /// </summary>
    public void SendInitialMessages(Peer peer)
    {
        // BEP 3 and BEP 6: our pieces come first. While they are unknown, BEP 6 still requires a message.
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
            extensions.SendHandshake(peer);
        interest.DeclareIfInteresting(peer);
    }

    /// <summary>Announces our pieces to a peer that connected before the metadata arrived. Under the gate.</summary>
    public void SendHaves(Peer peer)
    {
        var told = 0;
        for (var piece = 0; peer.HandshakeDone && piece < swarm.Table!.Info.PieceCount && told < MostEarlyHaves; piece++)
        {
            if (!swarm.Table.Have[piece])
                continue;
            told++;
            peer.Outbox.Piece(MessageId.Have, piece);
            swarm.MarkDirty(peer);
        }

        OnPiecesAnnounced(peer, fault: null);
    }

    /// <summary>Call when a peer has announced pieces. Checks whether it is of interest, and whether it is a newcomer.</summary>
    private string? OnPiecesAnnounced(Peer peer, string? fault)
    {
        if (fault is null && swarm.Table is { } table)
        {
            interest.DeclareIfInteresting(peer);
            AllowedFast.Grant(peer, table, swarm.Hash);
        }

        return fault;
    }

    private string? OnHave(Peer peer, int piece)
    {
        var isNew = !peer.Has(piece);
        var fault = availability.Have(peer, piece);
        if (isNew && fault is null && swarm.Table is not null)
            peer.Rounds.Shown(swarm.Now);
        return OnPiecesAnnounced(peer, fault);
    }

    private string? OnSuggestion(Peer peer, int piece)
    {
        peer.Suggested = piece;
        swarm.RefillSoon();
        return peer.CountIdleMessage();
    }

    private string? OnAllowed(Peer peer, int piece)
    {
        if (peer.TryAllow(piece))
        {
            swarm.HurrySoon();
            swarm.RefillSoon();
        }

        return peer.CountIdleMessage();
    }

    private string? OnChoke(Peer peer)
    {
        peer.PeerChoking = true;
        if (peer.Fast)
            return peer.CountIdleMessage();

        // BEP 3: a choke discards all requests. With BEP 6 each request is answered, by a reject if necessary.
        swarm.Scheduler?.Ledger.RemoveAll(peer, swarm.Now);
        swarm.RefillSoon();
        return peer.CountIdleMessage();
    }

    private string? OnUnchoke(Peer peer)
    {
        if (!peer.PeerChoking)
            return peer.CountIdleMessage();
        if (!peer.WasUnchoked)
            swarm.Metrics.Unchoked(swarm.Now - peer.Joined);
        peer.WasUnchoked = true;
        peer.PeerChoking = false;
        peer.Rejects = 0;
        swarm.HurrySoon();
        return peer.CountIdleMessage();
    }

    private string? OnInterested(Peer peer, bool interested)
    {
        peer.PeerInterested = interested;
        var slots = swarm.Context.Options.UploadSlots;
        if (interested)
            Choker.Interested(peer, swarm.Peers, slots, swarm.MarkDirty);
        else
            Choker.Uninterested(peer, swarm.Peers, slots, swarm.MarkDirty);
        return peer.CountIdleMessage();
    }

    private string? OnPort(Peer peer, int port)
    {
        swarm.MeetNode(peer, port);
        return peer.CountIdleMessage();
    }

    /// <summary>
    /// We have no hashes of version 2. BEP 52: a client that cannot send hashes answers with a reject of the same fields.
    /// </summary>
    private string? OnHashRequest(Peer peer, ReadOnlySpan<byte> payload)
    {
        peer.Outbox.Message(MessageId.HashReject, payload);
        swarm.MarkDirty(peer);
        return peer.CountIdleMessage();
    }

    private static string? OnCancel(Peer peer, ReadOnlySpan<byte> payload)
    {
        peer.Uploads.Cancel(Int(payload, 0), Int(payload, 4), Int(payload, 8));
        return peer.CountIdleMessage();
    }

    private string? OnReject(Peer peer, int piece, int begin)
    {
        if (swarm.Scheduler is null || begin % PieceSlot.BlockSize != 0)
            return peer.CountIdleMessage();
        var position = peer.Requests.Find(piece, begin / PieceSlot.BlockSize);
        if (position < 0)
            return peer.CountIdleMessage();
        if (!peer.Requests.At(position).Cancelled && !peer.PeerChoking && ++peer.Rejects > MostRejects)
            peer.IsSnubbed = true;
        if (peer.PeerChoking)
            peer.Disallow(piece);
        swarm.Scheduler.Ledger.Remove(peer, position, swarm.Now);

        // Another peer may serve the block.
        if (!peer.Requests.HasCancelled)
        {
            swarm.HurrySoon();
            swarm.RefillSoon();
        }

        return null;
    }

    private static int Int(ReadOnlySpan<byte> payload, int at) => BinaryPrimitives.ReadInt32BigEndian(payload[at..]);
}
