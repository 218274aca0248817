namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Answers encrypted handshakes as the policy allows. Thread-safe.</summary>
/// <param name="handshake">Performs the handshakes.</param>
/// <param name="torrents">The open torrents.</param>
/// <param name="policy">Returns the current policy.</param>
internal sealed class EncryptedReception(StreamHandshake handshake, DisguisedHashes torrents, Func<EncryptionPolicy> policy) : IEncryptedReception
{
    /// <inheritdoc/>
    public bool AllowsPlain => policy() != EncryptionPolicy.Require;

    /// <inheritdoc/>
    public async ValueTask<ITransport?> AnswerAsync(ITransport transport, ReadOnlyMemory<byte> received, CancellationToken cancellationToken) => policy() switch
    {
        EncryptionPolicy.Off => null,
        EncryptionPolicy.Require => await handshake.AnswerAsync(transport, received, torrents, CryptoMethods.Rc4, cancellationToken),
        _ => await handshake.AnswerAsync(transport, received, torrents, CryptoMethods.Plain | CryptoMethods.Rc4, cancellationToken),
    };
}
