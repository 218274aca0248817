namespace NzbDav.Torrents.Wire;

/// <summary>Handles incoming connections that do not begin with a BEP 3 handshake: they may be encrypted. Thread-safe.</summary>
internal interface IEncryptedReception
{
    /// <summary>True if plain connections are accepted too.</summary>
    bool AllowsPlain { get; }

    /// <summary>Answers an encrypted handshake.</summary>
    /// <param name="transport">The connection. The caller limits the time by disposing it, and still owns it if null is returned.</param>
    /// <param name="received">Bytes received so far.</param>
    /// <param name="cancellationToken">Cancels the handshake.</param>
    /// <returns>The decrypted connection; null if this is no encrypted handshake, or not wanted.</returns>
    /// <exception cref="IOException">The connection broke.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> AnswerAsync(ITransport transport, ReadOnlyMemory<byte> received, CancellationToken cancellationToken);
}
