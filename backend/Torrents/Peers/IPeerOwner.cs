using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>A peer's view of its torrent: services for the peer and its queues, and the receiver of its messages.</summary>
internal interface IPeerOwner : IServedTorrent
{
    /// <summary>Bytes of the longest message that a peer may send.</summary>
    int MostMessage { get; }

    /// <summary>The memory of all peers' outboxes.</summary>
    OutboxBudget OutboxBudget { get; }

    /// <summary>Receives the blocks. The same for the owner's whole life.</summary>
    IBlockReceiver<Peer> Blocks { get; }

    /// <summary>Notes that a peer's outbox has something to send. Call under the gate.</summary>
    void MarkDirty(Peer peer);

    /// <summary>A peer's handshake arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    string? OnHandshake(Peer peer, in Handshake handshake);

    /// <summary>A message arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload);

    /// <summary>Everything from one receive call has been handled.</summary>
    /// <param name="peer">The sender.</param>
    /// <param name="received">Bytes received.</param>
    /// <param name="protocol">How many of them are not payload.</param>
    void OnBatch(Peer peer, int received, int protocol);

    /// <summary>The connection has ended.</summary>
    void OnClosed(Peer peer, string reason);
}

/// <summary>Receives the blocks that peers send. Called by the receive loop of each peer.</summary>
internal interface IBlockReceiver<in TPeer>
{
    /// <summary>The header of a block arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    string? Begin(TPeer peer, int piece, int begin, int length);

    /// <summary>The next bytes of the block arrived.</summary>
    void Receive(TPeer peer, ReadOnlySpan<byte> bytes);
}
