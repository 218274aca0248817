using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Wire;

/// <summary>A TCP connection.</summary>
internal sealed class TcpTransport : ITransport
{
    private readonly Socket _socket;
    private int _gathered = 1;

    /// <param name="socket">Connected; owned from now on.</param>
    /// <param name="remote">The peer's address, if the socket is connected to a proxy.</param>
    public TcpTransport(Socket socket, IPEndPoint? remote = null)
    {
        _socket = socket;
        _socket.NoDelay = true;
        Remote = remote ?? (IPEndPoint)socket.RemoteEndPoint!;
    }

    public IPEndPoint Remote { get; }

    public PeerEncryption Encryption => PeerEncryption.None;

    public bool IsUtp => false;

    public bool HandshakeSent => false;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask ReadyAsync()
    {
        try
        {
            // A receive into an empty buffer completes when bytes are available or the connection has ended.
            await _socket.ReceiveAsync(Memory<byte>.Empty, SocketFlags.None);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw new IOException("The connection broke.", error);
        }
    }

    // Pooled, so that a wait for the network allocates nothing.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        try
        {
            return await _socket.ReceiveAsync(buffer, SocketFlags.None);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw new IOException("The connection broke.", error);
        }
    }

    public void Gather(int bytes)
    {
        // SO_RCVLOWAT: only Linux applies it to a wait for the socket, and it ends the wait at once when the value is lowered (tcp(7),
        // socket(7)).
        if (bytes == _gathered || !OperatingSystem.IsLinux())
            return;
        _gathered = bytes;
        try
        {
            _socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReceiveLowWater, bytes);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The connection has ended, or works without the option.
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(Memory<byte> buffer)
    {
        try
        {
            while (!buffer.IsEmpty)
                buffer = buffer[await _socket.SendAsync(buffer, SocketFlags.None)..];
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            throw new IOException("The connection broke.", error);
        }
    }

    public void Dispose() => _socket.Dispose();
}
