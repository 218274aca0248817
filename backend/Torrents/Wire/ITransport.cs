using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Wire;

/// <summary>A stream of bytes to one peer: TCP or uTP, with or without encryption. One receive and one send at a time.</summary>
internal interface ITransport : IDisposable
{
    /// <summary>The other end.</summary>
    IPEndPoint Remote { get; }

    /// <summary>Which part of it is encrypted.</summary>
    PeerEncryption Encryption => PeerEncryption.None;

    /// <summary>It is carried by uTP (BEP 29), not by TCP.</summary>
    bool IsUtp => false;

    /// <summary>Our handshake (BEP 3) was sent while the connection was made, and is not sent again.</summary>
    bool IsGreeted => false;

    /// <summary>Completes when a receive would not have to wait, so that the caller needs no buffer until then.</summary>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask ReadyAsync();

    /// <summary>Receives the available bytes, at least one; 0 = the peer closed.</summary>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>A hint: a receive that has to wait may from now on wait for this many bytes. 1, the initial value = any byte ends the wait.
    /// Thread-safe.</summary>
    void Gather(int bytes);

    /// <summary>Sends all of it.</summary>
    /// <param name="buffer">The bytes to send. A cipher may change them in place.</param>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask SendAsync(Memory<byte> buffer);
}
