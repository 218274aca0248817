namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// Dials with an encrypted handshake if the policy demands it. If a peer fails it, dials again at once without one, unless encryption is
/// required.
/// </summary>
/// <param name="inner">Connects.</param>
/// <param name="handshake">Performs the handshakes.</param>
/// <param name="policy">Returns the current policy.</param>
/// <param name="time">Drives the time-out.</param>
internal sealed class EncryptingDialer(
    ITransportDialer inner, StreamHandshake handshake, Func<EncryptionPolicy> policy, TimeProvider time) : ITransportDialer
{
    /// <summary>
    /// Longest wait for the handshake. A connected peer answers within two round trips; one that waits for a plain handshake never does.
    /// </summary>
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(4);

    public async ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken)
    {
        var policyNow = policy();
        var transport = await inner.ConnectAsync(target, cancellationToken);
        if (transport is null || policyNow == EncryptionPolicy.Off || (policyNow == EncryptionPolicy.Prefer && target.IsPlain))
            return transport;
        if (await EncryptAsync(transport, target.Greeting, policyNow, cancellationToken) is { } encrypted)
            return encrypted;
        return policyNow == EncryptionPolicy.Require ? null : await inner.ConnectAsync(target, cancellationToken);
    }

    /// <summary>Returns null and closes the connection if the peer does not answer the handshake.</summary>
    private async ValueTask<ITransport?> EncryptAsync(
        ITransport transport, Handshake greeting, EncryptionPolicy policyNow, CancellationToken cancellationToken)
    {
        ITransport? encrypted = null;
        using var patience = new CancellationTokenSource(HandshakeTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            await using var limit = either.Token.UnsafeRegister(static state => ((ITransport)state!).Dispose(), transport);
            encrypted = await handshake.OpenAsync(transport, greeting,
                policyNow == EncryptionPolicy.Require ? CryptoMethods.Rc4 : CryptoMethods.Plain | CryptoMethods.Rc4, either.Token);
        }
        catch (Exception error)
            when (error is IOException || (error is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            // The peer closed because it does not understand the handshake, or the time is up.
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
    /// <summary>
    /// Outgoing connections are first tried with an encrypted handshake, then without. After an encrypted handshake the rest is plain if
    /// the peer allows that.
    /// </summary>
    Prefer,

    /// <summary>Everything is encrypted in both directions; a peer that does not agree is refused.</summary>
    Require,

    /// <summary>Nothing is encrypted; a peer that begins with an encrypted handshake is refused.</summary>
    Off,
}
