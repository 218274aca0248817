using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The extension protocol (BEP 10): handshakes, metadata (BEP 9), peer exchange (BEP 11), upload-only peers (BEP 21) and lost pieces (BEP
/// 54).
/// </summary>
internal sealed partial class PeerMessages
{
    private readonly MetadataExchange _metadata = new(swarm.Hash, swarm.Peers);
    private bool _wasUploadOnly;
    private int _port = swarm.Context.PublicPort;

    /// <summary>True if we download nothing, which our extension handshake announces (BEP 21).</summary>
    public bool IsUploadOnly => swarm.Table is { Have.IsFull: true } || IsPartialSeed;

    private void SendExtensionHandshake(Peer peer)
    {
        var output = new ArrayBufferWriter<byte>(256);
        ExtensionHandshake.Write(output, swarm.Table?.Info.Raw.Length ?? 0, swarm.Context.PublicPort, exchange.IsOn, IsUploadOnly);
        peer.Outbox.Extended(0, output.WrittenSpan);
    }

    /// <summary>
    /// Call once a second. Sends the extension handshake again, which BEP 10 allows, when we have become upload-only or no longer are, or
    /// when peers reach us at another port: ours has changed, or a router opened one.
    /// </summary>
    public void SendExtensionHandshakeIfChanged()
    {
        var port = swarm.Context.PublicPort;
        if (_wasUploadOnly == IsUploadOnly && _port == port)
            return;
        (_wasUploadOnly, _port) = (IsUploadOnly, port);
        foreach (var peer in swarm.Peers)
        {
            if (!peer.HandshakeDone || !peer.Extensions)
                continue;
            SendExtensionHandshake(peer);
            peer.MarkDirty();
        }
    }

    /// <summary>Call when a piece is no longer held. Announces the loss, and declares interest in the peers that have the piece.</summary>
    public void OnPieceDropped(int piece)
    {
        SendDontHave(piece);
        DeclareInterestIn(piece);
    }

    /// <summary>Tells the peers that support BEP 54 that a piece is no longer held; requests of the others are rejected.</summary>
    private void SendDontHave(int piece)
    {
        Span<byte> payload = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(payload, piece);
        foreach (var peer in swarm.Peers)
        {
            if (peer.ExtensionHandshake.DontHaveId == 0 || !peer.HandshakeDone)
                continue;
            peer.Outbox.Extended(peer.ExtensionHandshake.DontHaveId, payload);
            peer.MarkDirty();
        }
    }

    /// <summary>Handles a message of the extension protocol. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    private string? OnExtended(Peer peer, byte id, ReadOnlySpan<byte> payload) => id switch
    {
        0 => OnExtensionHandshake(peer, payload),
        ExtensionHandshake.OurMetadataId => OnMetadata(peer, payload),
        ExtensionHandshake.OurExchangeId => exchange.Handle(peer, payload, swarm.Now),

        // <piece index>
        ExtensionHandshake.OurDontHaveId when payload.Length == 4 => peer.OnDontHave(BinaryPrimitives.ReadInt32BigEndian(payload)),

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

    /// <summary>Call when a peer has left: its pieces of the metadata are requested from others.</summary>
    public void OnPeerLeft(Peer peer)
    {
        if (swarm.Table is null)
            _metadata.OnPeerLeft(peer, swarm.Now);
    }

    private static string? OnUploadOnly(Peer peer, bool isUploadOnly)
    {
        peer.OnUploadOnly(isUploadOnly);
        return peer.CountIdleMessage();
    }

    private string? OnExtensionHandshake(Peer peer, ReadOnlySpan<byte> payload)
    {
        if (!ExtensionHandshake.TryRead(payload, peer.ExtensionHandshake, out var received))
            return "The peer sent an extension handshake that cannot be read.";
        if (received.YourIp is { } seen)
            swarm.Book.SetOwnAddress(new IPEndPoint(seen, swarm.Context.PublicPort));
        peer.OnExtensionHandshake(received);
        var address = peer.Remote.Address.IsIPv4MappedToIPv6 ? peer.Remote.Address.MapToIPv4() : peer.Remote.Address;
        if (peer.Listening is null && received.Port > 0 && new IPEndPoint(address, received.Port) is var listening
            && swarm.Book.TryAdopt(listening, peer.IsUtp, peer.ByAlias))
            peer.SetListening(listening);
        exchange.OnPeersChanged();
        RequestMetadata();
        return peer.CountIdleMessage();
    }

    private string? OnMetadata(Peer peer, ReadOnlySpan<byte> payload)
    {
        if (swarm.Table is not null)
        {
            if (MetadataMessage.TryRead(payload, out var message) && message.Type == MetadataMessage.Request)
                peer.MetadataRequests.Add(message.Piece);
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

    /// <summary>Runs on a pool thread, where an unhandled exception would end the process.</summary>
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
