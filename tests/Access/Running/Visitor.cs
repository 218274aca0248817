using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Access.Tests.Running;

/// <summary>One connection from an address of loopback that the test chooses, kept open.</summary>
internal sealed class Visitor : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly StringBuilder _text = new();

    private Visitor()
    {
    }

    public static async Task<Visitor> ConnectAsync(AccessServer server, string from)
    {
        var visitor = new Visitor();
        visitor._socket.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        await visitor._socket.ConnectAsync(IPAddress.Loopback, new Uri(server.Root).Port);
        return visitor;
    }

    /// <summary>Sends a GET; true once the answer has this text, false if the connection ends before.</summary>
    public Task<bool> AsksAsync(string path, string expected, string header = "Accept: */*") =>
        SendsAsync($"GET {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n", expected);

    /// <summary>The same for any text.</summary>
    public async Task<bool> SendsAsync(string request, string expected)
    {
        _text.Clear();
        try
        {
            await SendAsync(request);
        }
        catch (SocketException)
        {
            return false;
        }

        while (!_text.ToString().Contains(expected, StringComparison.Ordinal))
        {
            if (!await ReceivesAsync())
                return false;
        }

        return true;
    }

    public async Task SendAsync(string text) => await _socket.SendAsync(Encoding.ASCII.GetBytes(text));

    /// <summary>Ends when the server has closed the connection.</summary>
    public async Task WhenClosedAsync()
    {
        while (await ReceivesAsync())
        {
        }
    }

    public void Dispose() => _socket.Dispose();

    private async Task<bool> ReceivesAsync()
    {
        var bytes = new byte[4096];
        try
        {
            var count = await _socket.ReceiveAsync(bytes).WaitAsync(Limit);
            _text.Append(Encoding.ASCII.GetString(bytes, 0, count));
            return count > 0;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
