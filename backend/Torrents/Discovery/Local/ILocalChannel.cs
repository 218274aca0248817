using System.Net;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>Sends datagrams to all hosts in the local network, and receives theirs.</summary>
internal interface ILocalChannel : IDisposable
{
    /// <summary>Sends the announcement to each group, in all networks. Networks that cannot be reached are skipped. One call at a time.</summary>
    void Send(LocalAnnouncement announcement);

    /// <summary>Waits for the next datagram.</summary>
    /// <param name="buffer">Receives the datagram.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Its sender and its length.</returns>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ValueTask<(IPEndPoint Sender, int Length)> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken);
}
