using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The extension protocol (BEP 10): handshakes, metadata (BEP 9), peer exchange (BEP 11), upload-only peers (BEP 21) and lost pieces (BEP
/// 54). Used under the torrent's lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
/// <param name="availability">The pieces that peers have.</param>
/// <param name="exchange">Peer exchange.</param>
/// <param name="interest">Our interest.</param>
internal sealed class PeerExtensions(Swarm swarm, AvailabilityLedger availability, PeerExchange exchange, PeerInterest interest)
{
    private readonly MetadataExchange _metadata = new(swarm.Hash, swarm.Peers, swarm.MarkDirty);
    private bool _wasUploadOnly;
    private int _port = swarm.Context.PublicPort;

    /// <summary>True if we download nothing, which we announce.</summary>
    public bool IsUploadOnly => swarm.Table is { Have.IsFull: true } || interest.IsPartialSeed;

    /// <summary>Sends our extension handshake.</summary>
    public void SendHandshake(Peer peer)
    {
        var output = new ArrayBufferWriter<byte>(256);
        ExtensionHandshake.Write(output, swarm.Table?.Info.Raw.Length ?? 0, swarm.Context.PublicPort, exchange.IsOn, IsUploadOnly);
        peer.Outbox.Extended(0, output.WrittenSpan);
    }

    /// <summary>
    /// Called once a second: tells all peers if we have become upload only, or no longer are, or if peers reach us at another port: ours
    /// has changed, or a router opened one. BEP 10 allows sending the handshake again.
    /// </summary>
    public void SendHandshakeIfChanged()
    {
        var port = swarm.Context.PublicPort;
        if (_wasUploadOnly == IsUploadOnly && _port == port)
            return;
        (_wasUploadOnly, _port) = (IsUploadOnly, port);
        foreach (var peer in swarm.Peers)
        {
            if (!peer.HandshakeDone || !peer.Extensions)
                continue;
            SendHandshake(peer);
            swarm.MarkDirty(peer);
        }
    }

    /// <summary>A piece is no longer held. Tells the peers that support BEP 54; requests of the others are rejected.</summary>
    public void SendDontHave(int piece)
    {
        Span<byte> payload = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(payload, piece);
        foreach (var peer in swarm.Peers)
        {
            if (peer.ExtensionHandshake.DontHaveId == 0 || !peer.HandshakeDone)
                continue;
            peer.Outbox.Extended(peer.ExtensionHandshake.DontHaveId, payload);
            swarm.MarkDirty(peer);
        }
    }

    /// <summary>Handles a message. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    public string? Handle(Peer peer, byte id, ReadOnlySpan<byte> payload) => id switch
    {
        0 => OnHandshake(peer, payload),
        ExtensionHandshake.OurMetadataId => OnMetadata(peer, payload),
        ExtensionHandshake.OurExchangeId => exchange.Handle(peer, payload, swarm.Now),

        // <piece index>
        ExtensionHandshake.OurDontHaveId when payload.Length == 4 => availability.OnDontHave(
            peer, BinaryPrimitives.ReadInt32BigEndian(payload)),

        // <0 or 1>: libtorrent's message for a change.
        ExtensionHandshake.OurUploadOnlyId when payload.Length == 1 => OnUploadOnly(peer, payload[0] != 0),
        _ => peer.CountIdleMessage(),
    };

    /// <summary>While the metadata is missing, requests it from all peers that can be asked.</summary>
    public void RequestMetadata()
    {
        if (swarm.Table is null)
            _metadata.Refill(swarm.Now);
    }

    /// <summary>A peer has left.</summary>
    public void Left(Peer peer)
    {
        if (swarm.Table is null)
            _metadata.Left(peer, swarm.Now);
    }

    private static string? OnUploadOnly(Peer peer, bool isUploadOnly)
    {
        peer.ExtensionHandshake = peer.ExtensionHandshake with { IsUploadOnly = isUploadOnly };
        return peer.CountIdleMessage();
    }

    private string? OnHandshake(Peer peer, ReadOnlySpan<byte> payload)
    {
        if (!ExtensionHandshake.TryRead(payload, peer.ExtensionHandshake, out var told))
            return "The peer sent an extension handshake that cannot be read.";
        if (told.YourIp is { } seen)
            swarm.Book.SetOwnAddress(new IPEndPoint(seen, swarm.Context.PublicPort));
        peer.ExtensionHandshake = told;
        if (told.RequestQueue > 0)
            peer.Pipeline.PeerQueue = Math.Min(told.RequestQueue, RequestPipeline.Cap);
        var address = peer.Remote.Address.IsIPv4MappedToIPv6 ? peer.Remote.Address.MapToIPv4() : peer.Remote.Address;
        if (peer.Listening is null && told.Port > 0 && new IPEndPoint(address, told.Port) is var listening
            && swarm.Book.TryAdopt(listening, peer.IsUtp, peer.ByAlias))
            peer.Listening = listening;
        exchange.Changed();
        RequestMetadata();
        return peer.CountIdleMessage();
    }

    private string? OnMetadata(Peer peer, ReadOnlySpan<byte> payload)
    {
        if (swarm.Table is not null)
        {
            if (MetadataMessage.TryRead(payload, out var asked) && asked.Type == MetadataMessage.Request)
                peer.MetadataRequests.Add(asked.Piece);
            return null;
        }

        if (_metadata.Handle(peer, payload, swarm.Now, out var liar) is { } raw)
            Describe(raw);
        if (!liar)
            return null;
        swarm.Book.Ban(peer.Listening ?? peer.Remote);
        return "The peer sent metadata that does not match the torrent's hash.";
    }

    private void Describe(byte[] raw)
    {
        var read = InfoReader.Read(raw);
        if (read.Succeeded)
            ThreadPool.QueueUserWorkItem(
                static state => Describe(state.Owner, state.Info), (Owner: swarm, Info: read.Value), preferLocal: false);
        else
            swarm.CannotDescribe(read.Error);
    }

    /// <summary>Runs on a thread of the pool, where an exception would end the process.</summary>
    private static void Describe(Swarm swarm, TorrentInfo info)
    {
        try
        {
            swarm.Describe(info);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            swarm.CannotDescribe($"The torrent's data on disk cannot be opened: {error.Message}");
        }
    }
}
