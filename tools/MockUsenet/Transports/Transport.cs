using System.Net.Sockets;

namespace NzbDav.MockUsenet.Transports;

/// <summary>
/// Unencrypted bytes to and from one client. One send and one receive at a time; <see cref="Abort"/>, from any thread, ends both.
/// </summary>
internal class Transport(Socket socket) : IDisposable
{
    public virtual ValueTask<int> ReceiveAsync(Memory<byte> buffer) => socket.ReceiveAsync(buffer, SocketFlags.None);

    public virtual async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[await socket.SendAsync(bytes, SocketFlags.None)..];
    }

    /// <summary>Ends the sending side cleanly after the last byte. The client is expected to close; anything it still sends must be read
    /// and dropped.</summary>
    public virtual ValueTask FinishAsync()
    {
        Cut();
        return ValueTask.CompletedTask;
    }

    /// <summary>Sends FIN without further bytes, as when a server process dies.</summary>
    public void Cut() => socket.Shutdown(SocketShutdown.Send);

    /// <summary>Ends the connection now: a pending receive or send returns. The socket itself stays open until
    /// <see cref="Dispose()"/>.</summary>
    /// <param name="reset">True: RST, and bytes not yet sent are lost. False: FIN. (Closing a socket with a pending operation would always
    /// reset it.)</param>
    public void Abort(bool reset)
    {
        try
        {
            if (!reset)
            {
                socket.Shutdown(SocketShutdown.Both);
                return;
            }

            socket.LingerState = new LingerOption(true, 0);
            socket.Dispose();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The connection has already ended.
        }
    }

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing) => socket.Dispose();
}
