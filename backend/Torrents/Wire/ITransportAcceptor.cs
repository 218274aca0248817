namespace NzbDav.Torrents.Wire;

/// <summary>Accepts connections from peers. One call at a time.</summary>
internal interface ITransportAcceptor : IDisposable
{
    /// <summary>The port on which it listens.</summary>
    int Port { get; }

    /// <summary>Waits for the next connection. Null: none can be accepted at the moment, for example because the process is out of descriptors. Pause before
    /// the next call, which would otherwise only spin.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken);
}
