namespace NzbDav.Torrents.Wire;

/// <summary>Takes connections that peers make to us. One call at a time.</summary>
internal interface ITransportAcceptor : IDisposable
{
    /// <summary>Where peers can reach us.</summary>
    int Port { get; }

    /// <summary>Waits for the next connection. Null: one cannot be taken at present, as when the process is out of descriptors; asking again at once would only spin.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ValueTask<ITransport?> AcceptAsync(CancellationToken cancellationToken);
}
