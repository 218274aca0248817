namespace NzbDav.Torrents.Wire;

/// <summary>Takes connections that do not begin with a handshake of BEP 3: they may be encrypted. Thread-safe.</summary>
internal interface IEncryptedReception
{
    /// <summary>A connection may also be plain.</summary>
    bool AllowsPlain { get; }

    /// <summary>Answers an encrypted handshake.</summary>
    /// <param name="transport">The connection. The caller owns it if null is returned, and bounds the time by disposing it.</param>
    /// <param name="received">What came so far.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>The decrypted connection; null if that is none, or is not wanted.</returns>
    /// <exception cref="IOException">The connection broke.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> AnswerAsync(ITransport transport, ReadOnlyMemory<byte> received, CancellationToken cancellationToken);
}
