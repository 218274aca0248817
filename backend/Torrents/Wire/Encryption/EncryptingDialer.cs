namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Dials with an encrypted handshake as the policy says. A peer that fails it is dialled again at once without one, unless
/// encryption is required.</summary>
/// <param name="inner">Connects.</param>
/// <param name="handshake">Performs the handshakes.</param>
/// <param name="policy">Returns the current policy.</param>
/// <param name="time">Drives the time-out.</param>
internal sealed class EncryptingDialer(
    ITransportDialer inner, StreamHandshake handshake, Func<EncryptionPolicy> policy, TimeProvider time) : ITransportDialer
{
    /// <summary>A connected peer answers within two round trips; one that waits for a plain handshake never does.</summary>
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(4);

    /// <inheritdoc/>
    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        var wanted = policy();
        var transport = await inner.ConnectAsync(target, cancellationToken);
        if (transport is null || wanted == EncryptionPolicy.Off || (wanted == EncryptionPolicy.Prefer && target.IsPlain))
            return transport;
        if (await EncryptAsync(transport, target.Greeting, wanted, cancellationToken) is { } encrypted)
            return encrypted;
        return wanted == EncryptionPolicy.Require ? null : await inner.ConnectAsync(target, cancellationToken);
    }

    /// <summary>Returns null and closes the connection if the peer does not answer the handshake.</summary>
    private async ValueTask<ITransport?> EncryptAsync(
        ITransport transport, Handshake greeting, EncryptionPolicy wanted, CancellationToken cancellationToken)
    {
        ITransport? encrypted = null;
        using var patience = new CancellationTokenSource(HandshakeTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            await using var limit = either.Token.UnsafeRegister(static state => ((ITransport)state!).Dispose(), transport);
            encrypted = await handshake.OpenAsync(transport, greeting,
                wanted == EncryptionPolicy.Require ? CryptoMethods.Rc4 : CryptoMethods.Plain | CryptoMethods.Rc4, either.Token);
        }
        catch (Exception error)
            when (error is IOException || (error is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            // The peer closed because it does not understand the handshake, or the time is over.
        }
        finally
        {
            if (encrypted is null)
                transport.Dispose();
        }

        cancellationToken.ThrowIfCancellationRequested();
        return encrypted;
    }
}

/// <summary>Which connections are encrypted.</summary>
public enum EncryptionPolicy
{
    /// <summary>Outgoing connections are tried with an encrypted handshake first, then without. After an encrypted handshake the rest is
    /// plain if the peer allows that.</summary>
    Prefer,

    /// <summary>Everything is encrypted in both directions; a peer that does not agree is refused.</summary>
    Require,

    /// <summary>Nothing is encrypted; a peer that begins with an encrypted handshake is refused.</summary>
    Off,
}
