using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// Who hears a peer. All calls come from the connection's receive loop, one after the other and in the order of the bytes. A method
/// that returns a sentence asks for the connection to be closed for that reason.
/// </summary>
internal interface IPeerHandler
{
    /// <summary>Nothing that this peer may say is longer: bytes after the length.</summary>
    int MostMessage { get; }

    /// <summary>Nothing is expected of the peer: its connection waits for it without a buffer. Thread-safe.</summary>
    bool IsIdle { get; }

    /// <summary>The peer's handshake.</summary>
    string? OnHandshake(in Handshake handshake);

    /// <summary>A whole message but <c>piece</c>, without its length and id.</summary>
    string? OnMessage(MessageId id, ReadOnlySpan<byte> payload);

    /// <summary>The header of <c>piece</c>: <paramref name="length"/> bytes of a block follow.</summary>
    string? OnBlock(int piece, int begin, int length);

    /// <summary>The next bytes of the block whose header was told last; they may only be used during the call.</summary>
    void OnBlockBytes(ReadOnlySpan<byte> bytes);

    /// <summary>All that was received at once has been told: time for one step of the schedule.</summary>
    void OnBatch(int received, int protocol);

    /// <summary>The connection is over. Called once, last.</summary>
    [SuppressMessage("Naming", "CA1716:Identifiers should not match keywords", Justification = "The word for it.")]
    void OnClosed(string reason);
}
