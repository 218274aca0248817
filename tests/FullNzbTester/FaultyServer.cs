using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.FullNzbTester.Dav;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>
/// A server of one file with one fault, which occurs the first time that a certain byte is requested. Supports only what the tester sends.
/// </summary>
internal sealed class FaultyServer : IAsyncDisposable
{
    private const int Article = 716_800;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly byte[] _bytes;
    private readonly ServerFault _fault;
    private readonly long _at;
    private readonly Action<TimeSpan> _pass;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;
    private int _struck;

    /// <param name="bytes">The file.</param>
    /// <param name="fault">The fault.</param>
    /// <param name="at">The byte at which it occurs.</param>
    /// <param name="pass">Advances the time.</param>
    public FaultyServer(byte[] bytes, ServerFault fault, long at, Action<TimeSpan> pass)
    {
        (_bytes, _fault, _at, _pass) = (bytes, fault, at, pass);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public DavTarget Target =>
        new(new Uri($"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/dav/file"), "Basic none", _bytes.Length);

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
        try
        {
            while (true)
                serving.Add(ServeAsync(await _listener.AcceptSocketAsync(_stop.Token)));
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
        {
            await Task.WhenAll(serving);
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using var _ = socket;
        try
        {
            var buffer = new byte[4096];
            while (await socket.ReceiveAsync(buffer, _stop.Token) is var got and > 0)
            {
                if (!await AnswerAsync(socket, Encoding.ASCII.GetString(buffer, 0, got)))
                    return;
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            // The client has disconnected.
        }
    }

    private async Task<bool> AnswerAsync(Socket socket, string request)
    {
        var range = request.Split("bytes=")[1].Split("\r\n")[0].Split('-');
        var start = int.Parse(range[0], CultureInfo.InvariantCulture);
        var end = range[1].Length == 0 ? _bytes.Length : int.Parse(range[1], CultureInfo.InvariantCulture) + 1;
        var strikes = start <= _at && _at < end && Interlocked.Exchange(ref _struck, 1) == 0;
        var body = _bytes[start..end];
        var promised = body.Length;
        switch (strikes ? _fault : ServerFault.None)
        {
            case ServerFault.Flip:
                body[_at - start] ^= 1;
                break;
            case ServerFault.Skip:
                var before = (int)_at - start;
                body = [.. body[..before], .. body[Math.Min(body.Length, before + Article)..]];
                break;
            case ServerFault.Delay:
                _pass(TimeSpan.FromSeconds(2));
                break;
            case ServerFault.Cut:
                body = body[..((int)_at - start)];
                break;
            case ServerFault.ShortInPeace:
                body = body[..((int)_at - start)];
                promised = body.Length;
                break;
            case ServerFault.Refuse:
                await socket.SendAsync("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"u8.ToArray(), _stop.Token);
                return true;
        }

        var head =
            $"HTTP/1.1 206 Partial Content\r\nContent-Length: {promised}\r\nContent-Range: bytes {start}-{end - 1}/{_bytes.Length}\r\n\r\n";
        await SendAllAsync(socket, Encoding.ASCII.GetBytes(head));
        await SendAllAsync(socket, body);
        return body.Length == promised;
    }

    private async Task SendAllAsync(Socket socket, ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[await socket.SendAsync(bytes, _stop.Token)..];
    }
}
