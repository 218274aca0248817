namespace NzbDav.Torrents.Wire;

/// <summary>Accepts incoming peers: reads the handshake, which names the torrent, and passes the connection on. Disposal ends the listening, not the
/// connections.</summary>
internal sealed class PeerReception : IAsyncDisposable
{
    /// <summary>Most connections whose handshake has not arrived yet.</summary>
    private const int MostStrangers = 100;

    /// <summary>How long a peer may take for its handshake.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>How long nothing is accepted after a connection could not be accepted. Peers wait in the kernel's queue meanwhile.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly ITransportAcceptor _acceptor;
    private readonly TimeProvider _time;
    private readonly PeerWelcome _welcome;
    private readonly IEncryptedReception _encrypted;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _accepting;
    private int _strangers;

    /// <summary>Starts accepting.</summary>
    /// <param name="acceptor">Owned.</param>
    /// <param name="time">Drives the time-outs.</param>
    /// <param name="welcome">Receives each connection with its handshake.</param>
    /// <param name="encrypted">Handles connections that are encrypted.</param>
    public PeerReception(ITransportAcceptor acceptor, TimeProvider time, PeerWelcome welcome, IEncryptedReception encrypted)
    {
        _encrypted = encrypted;
        _acceptor = acceptor;
        _time = time;
        _welcome = welcome;
        _accepting = AcceptAsync();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        _acceptor.Dispose();
        await _accepting;
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        await Task.Yield();
        try
        {
            while (true)
            {
                if (await _acceptor.AcceptAsync(_stopping.Token) is not { } transport)
                    await Task.Delay(Pause, _time, _stopping.Token);
                else if (Interlocked.Increment(ref _strangers) <= MostStrangers)
                    _ = WelcomeAsync(transport);
                else
                    TurnAway(transport);
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
        {
            // The engine is being closed.
        }
    }

    private void TurnAway(ITransport transport)
    {
        Interlocked.Decrement(ref _strangers);
        transport.Dispose();
    }

    private async Task WelcomeAsync(ITransport transport)
    {
        var handed = false;
        try
        {
            var bytes = new byte[Handshake.Size];
            var filled = 0;
            using var patience = new CancellationTokenSource(Patience, _time);
            await using var limit = patience.Token.UnsafeRegister(static state => ((ITransport)state!).Dispose(), transport);
            for (var isPlain = true; filled < bytes.Length;)
            {
                var count = await transport.ReceiveAsync(bytes.AsMemory(filled));
                filled += count;
                if (count == 0)
                    return;
                if (Handshake.CanBegin(bytes.AsSpan(0, filled)))
                {
                    if (isPlain && !_encrypted.AllowsPlain)
                        return;
                    continue;
                }

                // Bytes that differ from a handshake are a public key, or garbage.
                if (!isPlain || await _encrypted.AnswerAsync(transport, bytes.AsMemory(0, filled), patience.Token) is not { } decrypted)
                    return;
                transport = decrypted;
                isPlain = false;
                filled = 0;
            }

            handed = Handshake.TryRead(bytes, out var handshake) && _welcome(transport, handshake, bytes);
        }
        catch (Exception error) when (error is IOException or OperationCanceledException)
        {
            // The peer left or ran out of time before its handshake was complete.
        }
        finally
        {
            Interlocked.Decrement(ref _strangers);
            if (!handed)
                transport.Dispose();
        }
    }
}
