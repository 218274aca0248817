using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Wire;

/// <summary>A stream of bytes to one peer: TCP now, uTP and encryption behind the same face. One receive and one send at a time.</summary>
internal interface ITransport : IDisposable
{
    /// <summary>The other end.</summary>
    IPEndPoint Remote { get; }

    /// <summary>What of it is encrypted.</summary>
    PeerEncryption Encryption => PeerEncryption.None;

    /// <summary>Our handshake (BEP 3) was sent while the connection was made, and is not sent again.</summary>
    bool IsGreeted => false;

    /// <summary>Completes when a receive would not have to wait: whoever waits long needs no buffer until then.</summary>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask ReadyAsync();

    /// <summary>Receives what is there, at least a byte; 0 = the peer closed.</summary>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>A hint: from here on a receive that has to wait may wait until so many bytes are there. 1 = for whatever comes, as at first. Thread-safe.</summary>
    void Gather(int bytes);

    /// <summary>Sends all of it.</summary>
    /// <param name="buffer">What is to go. Its bytes may be changed in place, as a cipher does.</param>
    /// <exception cref="IOException">The connection broke, or was disposed.</exception>
    ValueTask SendAsync(Memory<byte> buffer);
}
