using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.MockUsenet.Statistics;

/// <summary>
/// A minimal HTTP/1.1 server for scripts: one request per connection, request bodies are ignored, every response has a Content-Length. A
/// web framework would be larger than the rest of the mock.
/// </summary>
internal sealed class SideHttp : IAsyncDisposable
{
    private const int MaxRequest = 16 * 1_024;
    private readonly TcpListener _listener;
    private readonly Func<string, string, SideResponse> _answer;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;

    /// <param name="address">The address to listen on.</param>
    /// <param name="port">The port; 0 = any free one.</param>
    /// <param name="answer">Maps method and unescaped path to the response; called on several threads.</param>
    public SideHttp(IPAddress address, int port, Func<string, string, SideResponse> answer)
    {
        _answer = answer;
        _listener = new TcpListener(address, port);
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _accepting = AcceptAsync();
    }

    public int Port { get; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting;
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        var serving = new List<Task>();
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                var socket = await _listener.AcceptSocketAsync(_stop.Token);
                serving.RemoveAll(static task => task.IsCompleted);
                serving.Add(ServeAsync(socket));
            }
            catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
            {
                // Stopped, or a client that gave up before it was accepted.
            }
        }

        await Task.WhenAll(serving);
    }

    private async Task ServeAsync(Socket socket)
    {
        try
        {
            using (socket)
            {
                var request = await ReadHeadAsync(socket);
                if (request is null)
                    return;
                var words = request.Split(' ', 3);
                var response = words.Length == 3
                    ? _answer(words[0], Uri.UnescapeDataString(words[1].Split('?')[0]))
                    : new SideResponse(400, "text/plain", "bad request\n"u8.ToArray());
                var head = $"HTTP/1.1 {response.Status} {(HttpStatusCode)response.Status}\r\nContent-Type: {response.Type}\r\n"
                    + $"Content-Length: {response.Body.Length}\r\nConnection: close\r\n\r\n";
                var body = words[0] == "HEAD" ? ReadOnlyMemory<byte>.Empty : response.Body;
                await SendAllAsync(socket, Encoding.ASCII.GetBytes(head));
                await SendAllAsync(socket, body);
                socket.Shutdown(SocketShutdown.Send);
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // The client is gone, or the server stops.
        }
    }

    /// <summary>Reads the request line, up to the blank line that ends the head; null if that does not arrive.</summary>
    private async Task<string?> ReadHeadAsync(Socket socket)
    {
        var buffer = new byte[MaxRequest];
        var held = 0;
        while (held < buffer.Length)
        {
            var received = await socket.ReceiveAsync(buffer.AsMemory(held), SocketFlags.None, _stop.Token);
            if (received == 0)
                return null;
            held += received;
            var head = buffer.AsSpan(0, held);
            if (head.IndexOf("\r\n\r\n"u8) >= 0)
                return Encoding.ASCII.GetString(head[..head.IndexOf("\r\n"u8)]);
        }

        return null;
    }

    private async Task SendAllAsync(Socket socket, ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[await socket.SendAsync(bytes, SocketFlags.None, _stop.Token)..];
    }
}

/// <summary>A response of the side port.</summary>
internal sealed record SideResponse(int Status, string Type, ReadOnlyMemory<byte> Body);
