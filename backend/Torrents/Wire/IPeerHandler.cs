using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// Receives a peer's messages. All calls come from the connection's receive loop, one after the other, in the order of the bytes. A method
/// that returns a sentence makes the connection close, with that sentence as the reason.
/// </summary>
internal interface IPeerHandler
{
    /// <summary>Longest message that this peer may send, in bytes without the length prefix.</summary>
    int MostMessage { get; }

    /// <summary>True if no message is expected from the peer. Its connection then waits without a buffer. Thread-safe.</summary>
    bool IsIdle { get; }

    /// <summary>The peer's handshake.</summary>
    string? OnHandshake(in Handshake handshake);

    /// <summary>A complete message other than <c>piece</c>, without its length and id.</summary>
    string? OnMessage(MessageId id, ReadOnlySpan<byte> payload);

    /// <summary>The header of <c>piece</c>: <paramref name="length"/> bytes of a block follow.</summary>
    string? OnBlock(int piece, int begin, int length);

    /// <summary>The next bytes of the block from the last <see cref="OnBlock"/>; valid only during the call.</summary>
    void OnBlockBytes(ReadOnlySpan<byte> bytes);

    /// <summary>Called when all bytes of one receive call have been delivered, so that the scheduler can do one step.</summary>
    void OnBatch(int received, int protocol);

    /// <summary>The connection has ended. Called once, as the last call.</summary>
    [SuppressMessage("Naming", "CA1716:Identifiers should not match keywords", Justification = "The usual word.")]
    void OnClosed(string reason);
}

/// <summary>First byte of a message: BEP 3, 6 (fast), 10 (extension protocol) and 52 (hashes of version 2).</summary>
internal enum MessageId : byte
{
    Choke = 0,
    Unchoke = 1,
    Interested = 2,
    NotInterested = 3,
    Have = 4,
    Bitfield = 5,
    Request = 6,
    Piece = 7,
    Cancel = 8,
    Port = 9,
    SuggestPiece = 13,
    HaveAll = 14,
    HaveNone = 15,
    RejectRequest = 16,
    AllowedFast = 17,
    Extended = 20,
    HashRequest = 21,
    HashReject = 23,
}

/// <summary>The ports of DHT nodes that peers send each other (BEP 5). Thread-safe; may be called under a torrent's lock.</summary>
internal interface IDhtPorts
{
    /// <summary>UDP port of our node for peers of this family; 0 = we have none.</summary>
    int PortOf(AddressFamily family);

    /// <summary>Receives the address of a peer's node.</summary>
    void AddNode(IPEndPoint node);
}
