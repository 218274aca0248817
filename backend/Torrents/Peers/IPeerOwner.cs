using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>The torrent of a peer: what a peer and its queues need of it, and who hears what the peer sends.</summary>
internal interface IPeerOwner
{
    /// <summary>The torrent's lock.</summary>
    Lock Gate { get; }

    /// <summary>Ticks of 100 ns on the engine's clock.</summary>
    long Now { get; }

    /// <summary>Fires when the torrent is closed.</summary>
    CancellationToken Stopping { get; }

    /// <summary>The state of each piece; null until the torrent is described.</summary>
    PieceTable? Table { get; }

    /// <summary>The verified pieces; null until the torrent is described.</summary>
    TorrentPieces? Pieces { get; }

    /// <summary>Upload limit of this torrent.</summary>
    RateLimit UploadLimit { get; }

    /// <summary>Upload limit of all torrents together.</summary>
    RateLimit SharedUploadLimit { get; }

    /// <summary>Bytes of the longest message that a peer may send.</summary>
    int MostMessage { get; }

    /// <summary>Receives the blocks. The same for the owner's whole life.</summary>
    IBlockReceiver Blocks { get; }

    /// <summary>A peer has something to be sent. Under the gate.</summary>
    void MarkDirty(Peer peer);

    /// <summary>Counts payload that was sent to a peer. Thread-safe.</summary>
    void AddUploaded(int bytes);

    /// <summary>A peer's handshake arrived. Returns why the peer is to be let go; null if it stays.</summary>
    string? OnHandshake(Peer peer, in Handshake handshake);

    /// <summary>A message arrived. Returns why the peer is to be let go; null if it stays.</summary>
    string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload);

    /// <summary>All that one receive brought has been handled.</summary>
    /// <param name="peer">Who sent it.</param>
    /// <param name="received">Its bytes.</param>
    /// <param name="protocol">Of those, bytes that are not payload.</param>
    void OnBatch(Peer peer, int received, int protocol);

    /// <summary>The connection has ended.</summary>
    void OnClosed(Peer peer, string reason);
}
