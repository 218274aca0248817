using System.Net;

namespace NzbDav.Torrents.Wire;

/// <summary>Connects to peers.</summary>
internal interface ITransportDialer
{
    /// <summary>Connects, or returns null if nobody answers there.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> ConnectAsync(IPEndPoint remote, CancellationToken cancellationToken);
}
