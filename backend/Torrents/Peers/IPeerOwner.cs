using NzbDav.Content.Rates;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>A peer's view of its torrent: provides services to the peer and its queues, and receives its messages.</summary>
internal interface IPeerOwner
{
    /// <summary>The torrent's lock.</summary>
    Lock Gate { get; }

    /// <summary>Ticks of 100 ns on the engine's clock.</summary>
    long Now { get; }

    /// <summary>Fires when the torrent is closed.</summary>
    CancellationToken Stopping { get; }

    /// <summary>The state of each piece; null until the info dictionary is known.</summary>
    PieceTable? Table { get; }

    /// <summary>The verified pieces; null until the info dictionary is known.</summary>
    TorrentPieces? Pieces { get; }

    /// <summary>Upload limit of this torrent.</summary>
    RateLimit UploadLimit { get; }

    /// <summary>Upload limit of all torrents together.</summary>
    RateLimit SharedUploadLimit { get; }

    /// <summary>Counts the torrent's bytes. Thread-safe.</summary>
    SwarmCounters Counters { get; }

    /// <summary>Thread-safe.</summary>
    TorrentMetrics Metrics { get; }

    /// <summary>Bytes of the longest message that a peer may send.</summary>
    int MostMessage { get; }

    /// <summary>The memory of all peers' outboxes.</summary>
    OutboxBudget OutboxBudget { get; }

    /// <summary>Called when a peer's outbox has something to send. Under the gate.</summary>
    void AddDirty(Peer peer);

    /// <summary>Called when a peer's handshake has arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    string? OnHandshake(Peer peer, in Handshake handshake);

    /// <summary>Called when a message has arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload);

    /// <summary>Called when everything from one receive call has been handled.</summary>
    /// <param name="peer">The sender.</param>
    /// <param name="received">Bytes received.</param>
    /// <param name="protocol">How many of them are not payload.</param>
    void OnBatch(Peer peer, int received, int protocol);

    /// <summary>Called when the connection has ended.</summary>
    void OnClosed(Peer peer, string reason);

    /// <summary>Called when a peer has one more piece. Under the gate.</summary>
    void OnPieceAvailable(int piece);

    /// <summary>Called when a peer has several more pieces. Under the gate.</summary>
    void OnPiecesAvailable();

    /// <summary>Called when a block of this piece may be requested again. Under the gate.</summary>
    void OnBlockFreed(PieceSlot slot);

    /// <summary>Called when the answer to a request has arrived. Under the gate.</summary>
    void OnBlockReceived(Peer peer, in Request request, int bytes, long now);

    /// <summary>Called when a block was written to its piece. Under the gate.</summary>
    void OnBlockAccepted(PieceSlot slot, int block, long now);
}
