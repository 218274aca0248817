using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Wire;

/// <summary>A stream of bytes to one peer: TCP or uTP, with or without encryption. One receive and one send at a time.</summary>
internal interface ITransport : IDisposable
{
    /// <summary>The other end.</summary>
    IPEndPoint Remote { get; }

    /// <summary>How much of the connection is encrypted.</summary>
    PeerEncryption Encryption { get; }

    /// <summary>True if it uses uTP (BEP 29), not TCP.</summary>
    bool IsUtp { get; }

    /// <summary>True if our handshake (BEP 3) was sent while connecting. It is not sent again.</summary>
    bool HandshakeSent { get; }

    /// <summary>Completes when a receive need not wait, so that the caller needs no buffer until then.</summary>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask ReadyAsync();

    /// <summary>Receives the available bytes, at least one; 0 = the peer closed.</summary>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>
    /// A hint: a receive that must wait may wait for this many bytes from now on. Initially 1: any byte ends the wait. Thread-safe.
    /// </summary>
    void Gather(int bytes);

    /// <summary>Sends all bytes.</summary>
    /// <param name="buffer">The bytes to send. A cipher may change them in place.</param>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask SendAsync(Memory<byte> buffer);
}

/// <summary>Connects to peers.</summary>
internal interface ITransportDialer
{
    /// <summary>Connects. Null on failure: the peer does not answer, there is no route, or no descriptor is left.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken);
}

/// <summary>Accepts connections from peers. One call at a time.</summary>
internal interface ITransportAcceptor : IDisposable
{
    /// <summary>The port on which it listens.</summary>
    int Port { get; }

    /// <summary>Waits for the next connection. Null: none can be accepted at the moment, for example because the process is out of
    /// descriptors. Pause before the next call, which would otherwise only spin.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken);
}

/// <summary>A peer to dial, and the torrent to request from it.</summary>
/// <param name="Remote">The peer's address.</param>
/// <param name="Greeting">Our handshake, which identifies the torrent. The dialer may send it with its first bytes: see
/// <see cref="ITransport.HandshakeSent"/>.</param>
/// <param name="IsPlain">True if the last connection to the peer was plain because an encrypted one failed.</param>
/// <param name="ByUtp">True to connect by uTP (BEP 29) instead of TCP.</param>
internal readonly record struct DialTarget(IPEndPoint Remote, Handshake Greeting, bool IsPlain = false, bool ByUtp = false);

/// <summary>The use of uTP (BEP 29).</summary>
public enum UtpPolicy
{
    /// <summary>
    /// Peers that cannot be reached by TCP are dialled by uTP. This costs no throughput, because peers that TCP reaches use TCP.
    /// </summary>
    Dial,

    /// <summary>
    /// Peers may also connect by uTP. Most clients then try uTP first, although TCP would be faster: uTP yields to all other traffic.
    /// </summary>
    On,

    /// <summary>uTP is not used.</summary>
    Off,
}
