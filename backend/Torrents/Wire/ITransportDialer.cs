namespace NzbDav.Torrents.Wire;

/// <summary>Connects to peers.</summary>
internal interface ITransportDialer
{
    /// <summary>Connects. Null on failure: the peer does not answer, there is no route, or no descriptor is left.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken);
}
