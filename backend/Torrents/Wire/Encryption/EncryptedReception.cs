namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Answers encrypted handshakes, as the policy says. Thread-safe.</summary>
/// <param name="handshake">Makes the handshakes.</param>
/// <param name="torrents">Those that are open.</param>
/// <param name="policy">As it is at the time.</param>
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
