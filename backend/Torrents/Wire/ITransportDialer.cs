namespace NzbDav.Torrents.Wire;

/// <summary>Connects to peers.</summary>
internal interface ITransportDialer
{
    /// <summary>Connects. Null if that cannot be done: nobody answers there, there is no route, no descriptor is left.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken);
}
