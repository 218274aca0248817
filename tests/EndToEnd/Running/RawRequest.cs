using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A connection for one request; the answer is read until the server closes it.</summary>
internal sealed class RawRequest(int port) : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>False if nobody listens.</summary>
    public async Task<bool> ConnectAsync()
    {
        try
        {
            await _socket.ConnectAsync(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>The head of the answer and whatever arrived with it; empty when the connection ends without one.</summary>
    public async Task<string> AskAsync(string request)
    {
        await _socket.SendAsync(Encoding.ASCII.GetBytes(request));
        var bytes = new byte[64 << 10];
        try
        {
            var count = await _socket.ReceiveAsync(bytes);
            return Encoding.UTF8.GetString(bytes, 0, count);
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            return "";
        }
    }

    public void Dispose() => _socket.Dispose();
}
