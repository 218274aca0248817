using System.Net;
using NzbDav.Torrents.Connections;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// Accepts incoming peers: reads the handshake, which identifies the torrent, and passes the connection on. Disposal stops listening, but
/// leaves accepted connections open.
/// </summary>
internal sealed class PeerReception : IAsyncDisposable
{
    /// <summary>Most connections whose handshake has not arrived yet.</summary>
    private const int MaxPendingHandshakes = 100;

    /// <summary>
    /// Most of these connections from one address, or from one /64 of IPv6. Several peers may have the same address (NAT), but silent
    /// connections of one must not take all places. Addresses in the local network are exempt: all peers may seem to come from a gateway
    /// there.
    /// </summary>
    private const int MostPerAddress = 8;

    /// <summary>Time within which a peer must send its handshake.</summary>
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(10);

    /// <summary>How long nothing is accepted after accepting failed. Meanwhile peers wait in the kernel's queue.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly ITransportAcceptor _acceptor;
    private readonly TimeProvider _time;
    private readonly IncomingPeerHandler _onIncoming;
    private readonly IEncryptedReception _encrypted;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _accepting;
    private readonly Lock _gate = new();
    private readonly AddressCounts _addresses = new();
    private int _pendingHandshakes;

    /// <summary>Starts accepting.</summary>
    /// <param name="acceptor">Owned.</param>
    /// <param name="time">Drives the time-outs.</param>
    /// <param name="onIncoming">Receives each connection with its handshake.</param>
    /// <param name="encrypted">Handles connections that are encrypted.</param>
    public PeerReception(ITransportAcceptor acceptor, TimeProvider time, IncomingPeerHandler onIncoming, IEncryptedReception encrypted)
    {
        _encrypted = encrypted;
        _acceptor = acceptor;
        _time = time;
        _onIncoming = onIncoming;
        _accepting = AcceptAsync();
    }

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
                else if (TryEnter(transport.Remote.Address))
                    _ = ReceiveHandshakeAsync(transport);
                else
                    transport.Dispose();
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
        {
            // The engine is being closed.
        }
    }

    private bool TryEnter(IPAddress address)
    {
        lock (_gate)
        {
            var sameAddress = FamilyDials.IsSix(address) ? _addresses.OfNetwork(address) : _addresses.Of(address);
            if (_pendingHandshakes >= MaxPendingHandshakes || (sameAddress >= MostPerAddress && !LocalNetwork.Contains(address)))
                return false;
            _pendingHandshakes++;
            _addresses.Add(address);
            return true;
        }
    }

    private void RemovePending(IPAddress address)
    {
        lock (_gate)
        {
            _pendingHandshakes--;
            _addresses.Remove(address);
        }
    }

    private async Task ReceiveHandshakeAsync(ITransport transport)
    {
        var isHandedOver = false;
        var address = transport.Remote.Address;
        try
        {
            var bytes = new byte[Handshake.Size];
            var filled = 0;
            using var timeout = new CancellationTokenSource(HandshakeTimeout, _time);
            await using var limit = timeout.Token.UnsafeRegister(static state => ((ITransport)state!).Dispose(), transport);
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

                // Bytes that differ from a handshake are a public key or garbage.
                if (!isPlain || await _encrypted.AnswerAsync(transport, bytes.AsMemory(0, filled), timeout.Token) is not { } decrypted)
                    return;
                transport = decrypted;
                isPlain = false;
                filled = 0;
            }

            isHandedOver = Handshake.TryRead(bytes, out var handshake) && _onIncoming(transport, handshake, bytes);
        }
        catch (Exception error) when (error is IOException or OperationCanceledException)
        {
            // The peer left or ran out of time before its handshake was complete.
        }
        finally
        {
            RemovePending(address);
            if (!isHandedOver)
                transport.Dispose();
        }
    }
}

/// <summary>Takes over an incoming peer.</summary>
/// <param name="transport">Its connection; owned by the callee if it returns true.</param>
/// <param name="handshake">Its handshake.</param>
/// <param name="received">The bytes received so far: those of the handshake.</param>
/// <returns>False if no open torrent accepts it.</returns>
internal delegate bool IncomingPeerHandler(ITransport transport, in Handshake handshake, ReadOnlyMemory<byte> received);

/// <summary>Handles incoming connections that do not begin with a BEP 3 handshake: they may be encrypted. Thread-safe.</summary>
internal interface IEncryptedReception
{
    /// <summary>True if plain connections are accepted too.</summary>
    bool AllowsPlain { get; }

    /// <summary>Answers an encrypted handshake.</summary>
    /// <param name="transport">The connection. The caller limits the time by disposing it, and owns it if null is returned.</param>
    /// <param name="received">Bytes received so far.</param>
    /// <param name="cancellationToken">Cancels the handshake.</param>
    /// <returns>The decrypted connection; null if this is no encrypted handshake, or it is refused.</returns>
    /// <exception cref="IOException">The connection broke.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    ValueTask<ITransport?> AnswerAsync(ITransport transport, ReadOnlyMemory<byte> received, CancellationToken cancellationToken);
}
