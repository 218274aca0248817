using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What peers say after their handshakes, and what is said to them; each message that moves data runs one step of the schedule. Used under the torrent's lock.</summary>
/// <param name="swarm">The torrent.</param>
/// <param name="availability">Who has what.</param>
internal sealed class PeerMessages(Swarm swarm, AvailabilityLedger availability)
{
    /// <summary>Pieces told one by one to a peer that was here before the metadata; it hears of the others when it connects again.</summary>
    private const int MostEarlyHaves = 10_000;

    /// <summary>A peer that only ever rejects is left alone for a while.</summary>
    private const int MostRejects = 64;

    private readonly MetadataExchange _metadata = new(swarm.Hash, swarm.Peers, swarm.MarkDirty);

    /// <summary>A whole message but <c>piece</c>. A sentence if the peer is to be let go.</summary>
    public string? Take(Peer peer, MessageId id, ReadOnlySpan<byte> payload)
    {
        return id switch
        {
            // <len=0001><id=0>
            MessageId.Choke => OnChoke(peer),
            MessageId.Unchoke => OnUnchoke(peer),
            MessageId.Interested => OnInterested(peer, interested: true),
            MessageId.NotInterested => OnInterested(peer, interested: false),

            // <len=0005><id=4><piece index>
            MessageId.Have when payload.Length == 4 => availability.Have(peer, Int(payload, 0)),
            MessageId.Bitfield => availability.Bitfield(peer, payload),
            MessageId.HaveAll => availability.All(peer),
            MessageId.HaveNone => availability.None(peer),

            // <len=0013><id=6><index><begin><length>
            MessageId.Request when payload.Length == 12 => peer.Uploads.Add(Int(payload, 0), Int(payload, 4), Int(payload, 8)),
            MessageId.Cancel when payload.Length == 12 => OnCancel(peer, payload),
            MessageId.RejectRequest when payload.Length == 12 => OnReject(peer, Int(payload, 0), Int(payload, 4)),
            MessageId.Extended when payload.Length > 0 => OnExtended(peer, payload[0], payload[1..]),
            MessageId.Have or MessageId.Request or MessageId.Cancel or MessageId.RejectRequest or MessageId.Extended => "The peer sent a message of the wrong length.",

            // Port, suggestions, what we do not know: nothing to do.
            _ => null,
        };
    }

    /// <summary>
    /// What follows the handshakes: what we have, what we speak, and that we want more. Not sent along with our own handshake: aria2 (1.36) hangs up on a peer that says
    /// anything before aria2's handshake came. Told in the same step that makes the peer one of those that hear of each new piece: none is missed between. Under the gate.
    /// </summary>
    public void Tell(Peer peer)
    {
        // BEP 3 and BEP 6: what we have comes first; with our pieces unknown, BEP 6 still wants to hear something.
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
        {
            var output = new ArrayBufferWriter<byte>(128);
            ExtensionHandshake.Write(output, swarm.Table?.Info.Raw.Length ?? 0, swarm.Context.Port);
            peer.Outbox.Extended(0, output.WrittenSpan);
        }

        peer.Outbox.Message(MessageId.Interested);
    }

    /// <summary>A peer that was here before the metadata hears what we have. Under the gate.</summary>
    public void TellAll(Peer peer)
    {
        var told = 0;
        for (var piece = 0; peer.IsGreeted && piece < swarm.Table!.Info.PieceCount && told < MostEarlyHaves; piece++)
        {
            if (!swarm.Table.Have[piece])
                continue;
            told++;
            peer.Outbox.Have(piece);
            swarm.MarkDirty(peer);
        }
    }

    private string? OnChoke(Peer peer)
    {
        peer.ChokesUs = true;
        if (peer.Fast)
            return null;

        // BEP 3: what was asked is forgotten. With BEP 6 each request is answered, by a reject if need be.
        swarm.Scheduler?.Ledger.RemoveAll(peer, swarm.Now);
        swarm.Scheduler?.RefillAll(swarm.Now);
        return null;
    }

    private string? OnUnchoke(Peer peer)
    {
        if (!peer.ChokesUs)
            return null;
        if (!peer.WasUnchoked)
            swarm.Metrics.Unchoked(swarm.Now - peer.Joined);
        peer.WasUnchoked = true;
        peer.ChokesUs = false;
        peer.Rejects = 0;
        swarm.CountExpected();
        swarm.Readers.HurryWaiting();
        return null;
    }

    private string? OnInterested(Peer peer, bool interested)
    {
        peer.IsInterested = interested;
        var slots = swarm.Context.Options.UploadSlots;
        if (interested)
            Choker.Interested(peer, swarm.Peers, slots, swarm.MarkDirty);
        else
            Choker.Uninterested(peer, swarm.Peers, slots, swarm.MarkDirty);
        return null;
    }

    private static string? OnCancel(Peer peer, ReadOnlySpan<byte> payload)
    {
        peer.Uploads.Cancel(Int(payload, 0), Int(payload, 4), Int(payload, 8));
        return null;
    }

    private string? OnReject(Peer peer, int piece, int begin)
    {
        if (swarm.Scheduler is null || begin % RequestPipeline.Block != 0)
            return null;
        var position = peer.Requests.Find(piece, begin / RequestPipeline.Block);
        if (position < 0)
            return null;
        if (!peer.Requests.At(position).Cancelled && !peer.ChokesUs && ++peer.Rejects > MostRejects)
            peer.IsSnubbed = true;
        swarm.Scheduler.Ledger.Remove(peer, position, swarm.Now);

        // What one peer does not serve another may.
        if (!peer.Requests.HasCancelled)
        {
            swarm.Readers.HurryWaiting();
            swarm.Scheduler.RefillAll(swarm.Now);
        }

        return null;
    }

    private string? OnExtended(Peer peer, byte id, ReadOnlySpan<byte> payload)
    {
        if (id == 0)
        {
            if (!ExtensionHandshake.TryRead(payload, peer.Told, out var told))
                return "The peer sent an extension handshake that cannot be read.";
            peer.Told = told;
            if (told.RequestQueue > 0)
                peer.Pipeline.PeerQueue = Math.Min(told.RequestQueue, RequestPipeline.Cap);
            if (peer.Listening is null && told.Port > 0 && new IPEndPoint(peer.Remote.Address, told.Port) is var listening && swarm.Book.TryAdopt(listening))
                peer.Listening = listening;
            AskForMetadata();
            return null;
        }

        if (id != ExtensionHandshake.OurMetadataId)
            return null;
        if (swarm.Table is not null)
        {
            if (MetadataMessage.TryRead(payload, out var asked) && asked.Type == MetadataMessage.Request)
                peer.MetadataRequests.Add(asked.Piece);
            return null;
        }

        if (_metadata.Take(peer, payload, swarm.Now, out var liar) is { } raw)
            Describe(raw);
        if (!liar)
            return null;
        swarm.Book.Ban(peer.Listening ?? peer.Remote);
        return "The peer sent metadata that is not the torrent's.";
    }

    private void Describe(byte[] raw)
    {
        var read = InfoReader.Read(raw);
        if (read.Succeeded)
            ThreadPool.QueueUserWorkItem(static state => state.Swarm.Describe(state.Info), (Swarm: swarm, Info: read.Value), preferLocal: false);
        else
            swarm.CannotDescribe(read.Error);
    }

    /// <summary>While the metadata is missing: asks for it whoever can be asked. Under the gate.</summary>
    public void AskForMetadata()
    {
        if (swarm.Table is null)
            _metadata.Refill(swarm.Now);
    }

    /// <summary>A peer is gone. Under the gate.</summary>
    public void Left(Peer peer)
    {
        if (swarm.Table is null)
            _metadata.Left(peer, swarm.Now);
    }

    private static int Int(ReadOnlySpan<byte> payload, int at) => BinaryPrimitives.ReadInt32BigEndian(payload[at..]);
}
