using System.Buffers;
using System.Buffers.Binary;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What peers say, and what is said to them.</summary>
internal sealed partial class Swarm
{
    /// <summary>Nothing of what was asked came for so long: the peer is asked for nothing more until something comes.</summary>
    private static readonly long SnubTicks = 10 * TimeSpan.TicksPerSecond;

    private static readonly long GreetTicks = 15 * TimeSpan.TicksPerSecond;

    /// <summary>BEP 3: connections are kept alive every two minutes.</summary>
    private static readonly long SilenceTicks = 150 * TimeSpan.TicksPerSecond;

    private static readonly long KeepAliveTicks = 90 * TimeSpan.TicksPerSecond;

    /// <summary>Pieces told one by one to a peer that was here before the metadata; it hears of the others when it connects again.</summary>
    private const int MostEarlyHaves = 10_000;

    /// <summary>A peer that only ever rejects is left alone for a while.</summary>
    private const int MostRejects = 64;

    internal string? OnHandshake(Peer peer, in Handshake handshake)
    {
        if (handshake.Hash != Hash)
            return "The peer shares another torrent.";
        if (handshake.PeerId == Context.PeerId)
        {
            lock (Gate)
                _book.Ban(peer.Remote);
            return "We are connected to ourselves.";
        }

        Metrics.Greeted(Now - peer.Joined);
        lock (Gate)
        {
            foreach (var other in _peers)
            {
                if (other != peer && other.IsGreeted && other.Id == handshake.PeerId)
                    return "The peer is connected already.";
            }

            peer.Pipeline.Trip(Now - peer.Joined);
            peer.Id = handshake.PeerId;
            peer.Fast = handshake.Fast;
            peer.Extensions = handshake.Extensions;
            peer.IsGreeted = true;
            Tell(peer);
            MarkDirty(peer);
        }

        return null;
    }

    internal string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload)
    {
        lock (Gate)
        {
            return id switch
            {
                // <len=0001><id=0>
                MessageId.Choke => OnChoke(peer),
                MessageId.Unchoke => OnUnchoke(peer),
                MessageId.Interested => OnInterested(peer, interested: true),
                MessageId.NotInterested => OnInterested(peer, interested: false),

                // <len=0005><id=4><piece index>
                MessageId.Have when payload.Length == 4 => _availability.Have(peer, Int(payload, 0)),
                MessageId.Bitfield => _availability.Bitfield(peer, payload),
                MessageId.HaveAll => _availability.All(peer),
                MessageId.HaveNone => _availability.None(peer),

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
    }

    internal void OnBatch(Peer peer, int received, int protocol)
    {
        Counters.AddReceived(received, protocol);
        var now = Now;
        lock (Gate)
        {
            peer.LastHeard = now;
            if (peer.Requests.Count > 0)
                Metrics.PipelineUsed(peer.Outstanding, peer.Pipeline.Limit(Scheduler!.Background));
            Scheduler?.Refill(peer, now);
            peer.Gather();
        }

        Flush();
    }

    internal void OnClosed(Peer peer, string reason)
    {
        LastFarewell = reason;
        var now = Now;
        lock (Gate)
        {
            peer.IsClosed = true;
            peer.ClosedBecause = reason;
            Blocks.Abandon(peer);
            Scheduler?.RemoveAll(peer, now);
            _peers.Remove(peer);
            Counters.AddSent(peer.Outbox.BytesSent);
            _availability.Left(peer);
            if (peer.Listening is { } listening)
                _book.Left(listening, peer.Pipeline.IsMeasured, now);
            CountExpected();
            Reassign(peer);
            HurryWaiting();
            Scheduler?.RefillAll(now);
            if (_closed && _peers.Count == 0 && _dialling == 0)
                _empty.TrySetResult();
        }

        Flush();
        Dial();
    }

    private static int Int(ReadOnlySpan<byte> payload, int at) => BinaryPrimitives.ReadInt32BigEndian(payload[at..]);

    /// <summary>
    /// What follows the handshakes: what we have, what we speak, and that we want more. Not sent along with our own handshake: aria2 (1.36) hangs up on a peer that says
    /// anything before aria2's handshake came. Told in the same step that makes the peer one of those that hear of each new piece: none is missed between. Under the gate.
    /// </summary>
    private void Tell(Peer peer)
    {
        // BEP 3 and BEP 6: what we have comes first; with our pieces unknown, BEP 6 still wants to hear something.
        if (Table is { } table)
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
            ExtensionHandshake.Write(output, Table?.Info.Raw.Length ?? 0, Context.Port);
            peer.Outbox.Extended(0, output.WrittenSpan);
        }

        peer.Outbox.Message(MessageId.Interested);
    }

    /// <summary>A peer that was here before the metadata hears what we have. Under the gate.</summary>
    private void TellAll(Peer peer)
    {
        var told = 0;
        for (var piece = 0; peer.IsGreeted && piece < Table!.Info.PieceCount && told < MostEarlyHaves; piece++)
        {
            if (!Table.Have[piece])
                continue;
            told++;
            peer.Outbox.Have(piece);
            MarkDirty(peer);
        }
    }

    private string? OnChoke(Peer peer)
    {
        peer.ChokesUs = true;
        if (peer.Fast)
            return null;

        // BEP 3: what was asked is forgotten. With BEP 6 each request is answered, by a reject if need be.
        Scheduler?.RemoveAll(peer, Now);
        Scheduler?.RefillAll(Now);
        return null;
    }

    private string? OnUnchoke(Peer peer)
    {
        if (!peer.ChokesUs)
            return null;
        if (!peer.WasUnchoked)
            Metrics.Unchoked(Now - peer.Joined);
        peer.WasUnchoked = true;
        peer.ChokesUs = false;
        peer.Rejects = 0;
        CountExpected();
        HurryWaiting();
        return null;
    }

    private void HurryWaiting()
    {
        if (Scheduler is null)
            return;
        foreach (var reader in _readers)
        {
            if (reader.Waiting >= 0)
                Scheduler.Hurry(reader, Now);
        }
    }

    private string? OnInterested(Peer peer, bool interested)
    {
        peer.IsInterested = interested;
        if (interested)
            Choker.Interested(peer, _peers, Context.Options.UploadSlots, MarkDirty);
        return null;
    }

    private static string? OnCancel(Peer peer, ReadOnlySpan<byte> payload)
    {
        peer.Uploads.Cancel(Int(payload, 0), Int(payload, 4), Int(payload, 8));
        return null;
    }

    private string? OnReject(Peer peer, int piece, int begin)
    {
        if (Scheduler is null || begin % RequestPipeline.Block != 0)
            return null;
        var position = peer.Requests.Find(piece, begin / RequestPipeline.Block);
        if (position < 0)
            return null;
        if (!peer.Requests.At(position).Cancelled && !peer.ChokesUs && ++peer.Rejects > MostRejects)
            peer.IsSnubbed = true;
        Scheduler.Remove(peer, position, Now);

        // What one peer does not serve another may.
        if (!peer.Requests.HasCancelled)
        {
            HurryWaiting();
            Scheduler.RefillAll(Now);
        }

        return null;
    }

    private string? OnExtended(Peer peer, byte id, ReadOnlySpan<byte> payload)
    {
        if (id == 0)
        {
            if (!ExtensionHandshake.TryRead(payload, out var told))
                return "The peer sent an extension handshake that cannot be read.";
            peer.Told = told;
            if (told.RequestQueue > 0)
                peer.Pipeline.PeerQueue = Math.Min(told.RequestQueue, RequestPipeline.Cap);
            if (Table is null && _metadata.TryBegin(peer, Now))
                MarkDirty(peer);
            return null;
        }

        if (id != ExtensionHandshake.OurMetadataId)
            return null;
        if (Table is { } table)
        {
            ServeMetadata(peer, table.Info, MetadataExchange.ReadRequest(payload));
            return null;
        }

        if (_metadata.Take(peer, payload, Now, out var liar) is { } raw)
            Describe(raw);
        if (!liar)
            return null;
        _book.Ban(peer.Listening ?? peer.Remote);
        BeginMetadata();
        return "The peer sent metadata that is not the torrent's.";
    }

    private void Describe(byte[] raw)
    {
        var read = InfoReader.Read(raw);
        if (read.Succeeded)
            ThreadPool.QueueUserWorkItem(static state => state.Swarm.Describe(state.Info), (Swarm: this, Info: read.Value), preferLocal: false);
        else
            _described.TrySetException(new InvalidDataException(read.Error));
    }

    private void BeginMetadata()
    {
        foreach (var peer in _peers)
        {
            if (_metadata.TryBegin(peer, Now))
            {
                MarkDirty(peer);
                return;
            }
        }

        _metadata.Forgive();
    }

    private void ServeMetadata(Peer peer, TorrentInfo info, int piece)
    {
        if (piece < 0 || peer.Told.MetadataId == 0)
            return;
        var output = new ArrayBufferWriter<byte>(64);
        var begin = (long)piece * MetadataExchange.PieceSize;
        if (begin >= info.Raw.Length)
        {
            MetadataExchange.WriteHead(output, 2, piece, 0);
            peer.Outbox.Extended(peer.Told.MetadataId, output.WrittenSpan);
        }
        else
        {
            MetadataExchange.WriteHead(output, 1, piece, info.Raw.Length);
            var part = info.Raw.Span.Slice((int)begin, (int)Math.Min(MetadataExchange.PieceSize, info.Raw.Length - begin));
            peer.Outbox.Extended(peer.Told.MetadataId, output.WrittenSpan, part);
        }

        MarkDirty(peer);
    }

    /// <summary>Once a second: time-outs, keep-alives, choke rounds, redials.</summary>
    private void Tend()
    {
        var now = Now;
        lock (Gate)
        {
            var keepAlive = now - _lastKeepAlive > KeepAliveTicks;
            if (keepAlive)
                _lastKeepAlive = now;
            foreach (var peer in _peers)
                Tend(peer, keepAlive, now);
            CloseSurplus();
            if (Table is null)
                BeginMetadata();
            if (now - _lastRound >= Choker.Round.Ticks)
            {
                _lastRound = now;
                _choker.Run(_peers, Context.Options.UploadSlots, MarkDirty);
            }

            CountExpected();
            GiveUpUnread(now);
            Reassign(gone: null);
            Scheduler?.RefillAll(now);
        }

        Flush();
        Dial();
    }

    /// <summary>Fewer connections are allowed than there were: those that gave least in this round go, and what they were asked for is asked of others.</summary>
    private void CloseSurplus()
    {
        var surplus = _peers.Count - Context.Options.MostPeers;
        if (surplus <= 0)
            return;
        surplus -= _peers.Count(static peer => peer.Connection.IsClosing);
        foreach (var peer in _peers.Where(static peer => !peer.Connection.IsClosing).OrderBy(static peer => peer.RoundBytes).Take(surplus).ToArray())
            peer.Connection.Close("There are more connections than are allowed.");
    }

    private void Tend(Peer peer, bool keepAlive, long now)
    {
        if (!peer.IsGreeted && now - peer.Joined > GreetTicks)
            peer.Connection.Close("The peer did not answer the handshake.");
        else if (now - peer.LastHeard > SilenceTicks)
            peer.Connection.Close("The peer fell silent.");
        peer.StopGathering(now);
        if (keepAlive && peer.IsGreeted)
        {
            peer.Outbox.KeepAlive();
            MarkDirty(peer);
        }

        if (peer.Requests.Count > 0 && now - peer.LastBlock > SnubTicks)
        {
            peer.IsSnubbed = true;
            peer.LastBlock = now;
            peer.Pipeline.Snub();
            Scheduler!.RemoveAll(peer, now);
        }
        else if (peer.IsSnubbed && now - peer.LastBlock > SnubTicks)
        {
            // Another chance, with a small queue.
            peer.IsSnubbed = false;
            peer.Rejects = 0;
        }
    }
}
