using System.Net;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>Carries datagrams to and from everybody in the local network.</summary>
internal interface ILocalChannel : IDisposable
{
    /// <summary>Sends what each group is to hear, to all networks. Networks that cannot be reached are left out. One call at a time.</summary>
    void Send(LocalAnnouncement announcement);

    /// <summary>Waits for the next datagram.</summary>
    /// <param name="buffer">Where it goes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Its sender and its length.</returns>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ValueTask<(IPEndPoint Sender, int Length)> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken);
}
