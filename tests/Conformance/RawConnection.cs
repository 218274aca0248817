using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Conformance.Tests;

/// <summary>A socket that sends bytes as given: HttpClient would normalise paths and headers.</summary>
internal sealed class RawConnection : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Socket _socket;
    private readonly CancellationTokenSource _timeout = new(Patience);

    private RawConnection(Socket socket) => _socket = socket;

    public static async Task<RawConnection> OpenAsync(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, port);
        return new RawConnection(socket);
    }

    public Task SendHeadAsync(string method, string target, IEnumerable<(string Name, string Value)> headers)
    {
        var head = new StringBuilder().Append(method).Append(' ').Append(target).Append(" HTTP/1.1\r\n");
        var all = headers.ToList();
        if (all.TrueForAll(header => header.Name != "Host"))
            head.Append("Host: 127.0.0.1\r\n");
        foreach (var (name, value) in all)
            head.Append(name).Append(": ").Append(value).Append("\r\n");
        return WriteAsync(Encoding.UTF8.GetBytes(head.Append("\r\n").ToString()));
    }

    public async Task WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[await _socket.SendAsync(bytes, SocketFlags.None, _timeout.Token)..];
    }

    public async Task<int> ReadAsync(Memory<byte> buffer) => await _socket.ReceiveAsync(buffer, SocketFlags.None, _timeout.Token);

    /// <summary>Reads at least <paramref name="count"/> bytes, or to the end.</summary>
    public async Task<byte[]> ReadAtLeastAsync(int count)
    {
        using var all = new MemoryStream();
        var buffer = new byte[16 << 10];
        while (all.Length < count && await ReadAsync(buffer) is var read and > 0)
            all.Write(buffer, 0, read);
        return all.ToArray();
    }

    /// <summary>Reads until the server closes, cleanly or not.</summary>
    public async Task<byte[]> ReadToEndAsync()
    {
        using var all = new MemoryStream();
        var buffer = new byte[64 << 10];
        try
        {
            while (await ReadAsync(buffer) is var read and > 0)
                all.Write(buffer, 0, read);
        }
        catch (SocketException)
        {
            // A reset ends it too.
        }

        return all.ToArray();
    }

    /// <summary>Disconnects like a player that seeks.</summary>
    public void Abort()
    {
        _socket.LingerState = new LingerOption(enable: true, 0);
        _socket.Close();
    }

    public ValueTask DisposeAsync()
    {
        _socket.Dispose();
        _timeout.Dispose();
        return ValueTask.CompletedTask;
    }
}
