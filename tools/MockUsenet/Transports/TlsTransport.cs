using System.Net.Security;
using System.Net.Sockets;

namespace NzbDav.MockUsenet.Transports;

/// <summary>Bytes to and from one client over TLS.</summary>
internal sealed class TlsTransport : Transport
{
    private readonly HandshakeRecord _handshake = new();
    private readonly CoalescingStream _inner;
    private readonly SslStream _tls;

    public TlsTransport(Socket socket)
        : base(socket)
    {
        _inner = new CoalescingStream(new NetworkStream(socket, ownsSocket: false), _handshake);
        _tls = new SslStream(_inner, leaveInnerStreamOpen: false);
    }

    /// <returns>True if an earlier session of the client was resumed.</returns>
    public async Task<bool> HandshakeAsync(SslServerAuthenticationOptions options, CancellationToken cancellationToken)
    {
        await _tls.AuthenticateAsServerAsync(options, cancellationToken);
        _inner.Coalesce = true;
        return _handshake.IsResumed;
    }

    public override ValueTask<int> ReceiveAsync(Memory<byte> buffer) => _tls.ReadAsync(buffer);

    public override async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        await _tls.WriteAsync(bytes);
        await _tls.FlushAsync();
    }

    public override async ValueTask FinishAsync()
    {
        await _tls.ShutdownAsync();
        await _inner.FlushAsync();
        Cut();
    }

    protected override void Dispose(bool disposing)
    {
        _tls.Dispose();
        base.Dispose(disposing);
    }
}
