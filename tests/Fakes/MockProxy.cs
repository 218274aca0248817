using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Fakes;

/// <summary>
/// A proxy on loopback that speaks SOCKS 5 (CONNECT, UDP ASSOCIATE, with or without a password) and HTTP (CONNECT and whole addresses), and
/// remembers what it was asked for. Names lead where a test says.
/// </summary>
public sealed class MockProxy : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _stopping = new();
    private readonly ConcurrentBag<Socket> _sockets = [];

    public MockProxy()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _ = AcceptAsync();
    }

    /// <summary>The endpoint that each name resolves to.</summary>
    public Dictionary<string, IPEndPoint> Names { get; } = [];

    /// <summary>"user:password" that it wants; null = none.</summary>
    public string? Credentials { get; init; }

    /// <summary>What it answers to CONNECT instead of doing it: a reply of SOCKS 5, or a status of HTTP; null = it does it.</summary>
    public int? Refusal { get; set; }

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>Where connections were asked for: address or name, and port.</summary>
    public ConcurrentQueue<string> Asked { get; } = [];

    /// <summary>Names and ports that datagrams were sent to.</summary>
    public ConcurrentQueue<string> Named { get; } = [];

    /// <summary>Where datagrams are relayed from.</summary>
    public ConcurrentQueue<IPEndPoint> Relays { get; } = [];

    /// <summary>Where datagrams went.</summary>
    public ConcurrentQueue<IPEndPoint> Datagrams { get; } = [];

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        _listener.Dispose();
        foreach (var socket in _sockets)
            socket.Dispose();
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptAsync();
                _sockets.Add(socket);
                _ = Task.Run(() => ServeAsync(socket));
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        try
        {
            await using var stream = new NetworkStream(socket, ownsSocket: true);
            var first = await ReadAsync(stream, 1);
            if (first[0] == 5)
                await SocksAsync(stream);
            else
                await HttpAsync(stream, first);
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // Either side is gone.
        }
    }

    private async Task SocksAsync(NetworkStream stream)
    {
        var methods = await ReadAsync(stream, (await ReadAsync(stream, 1))[0]);
        if (Credentials is not null)
        {
            if (!methods.Contains((byte)2))
            {
                await stream.WriteAsync(new byte[] { 5, 255 });
                return;
            }

            await stream.WriteAsync(new byte[] { 5, 2 });
            await ReadAsync(stream, 1);
            var user = Encoding.UTF8.GetString(await ReadAsync(stream, (await ReadAsync(stream, 1))[0]));
            var password = Encoding.UTF8.GetString(await ReadAsync(stream, (await ReadAsync(stream, 1))[0]));
            var isRight = user + ":" + password == Credentials;
            await stream.WriteAsync(new byte[] { 1, isRight ? (byte)0 : (byte)1 });
            if (!isRight)
                return;
        }
        else
        {
            await stream.WriteAsync(new byte[] { 5, 0 });
        }

        var request = await ReadAsync(stream, 4);
        var host = request[3] switch
        {
            1 => new IPAddress(await ReadAsync(stream, 4)).ToString(),
            4 => new IPAddress(await ReadAsync(stream, 16)).ToString(),
            _ => Encoding.ASCII.GetString(await ReadAsync(stream, (await ReadAsync(stream, 1))[0])),
        };
        var bytes = await ReadAsync(stream, 2);
        var port = (bytes[0] << 8) | bytes[1];
        if (request[1] == 3)
        {
            await AssociateAsync(stream);
            return;
        }

        using var there = Refusal is null ? await OpenAsync(host, port) : null;
        await stream.WriteAsync(Refusal is { } reply ? [5, (byte)reply, 0, 1, 0, 0, 0, 0, 0, 0] : there is null
            ? [5, 5, 0, 1, 0, 0, 0, 0, 0, 0] : new byte[] { 5, 0, 0, 1, 0, 0, 0, 0, 0, 0 });
        if (there is not null)
            await JoinAsync(stream, there);
    }

    private async Task AssociateAsync(NetworkStream control)
    {
        using var relay = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)relay.Client.LocalEndPoint!).Port;
        await control.WriteAsync(new byte[] { 5, 0, 0, 1, 0, 0, 0, 0, (byte)(port >> 8), (byte)port });
        Relays.Enqueue((IPEndPoint)relay.Client.LocalEndPoint!);
        _ = RelayAsync(relay);
        await control.ReadExactlyAsync(new byte[1], _stopping.Token);
    }

    private async Task RelayAsync(UdpClient relay)
    {
        IPEndPoint? client = null;
        try
        {
            while (true)
            {
                var datagram = await relay.ReceiveAsync(_stopping.Token);
                client ??= datagram.RemoteEndPoint;
                if (!datagram.RemoteEndPoint.Equals(client))
                {
                    await relay.SendAsync((byte[])[0, 0, 0, 1, .. datagram.RemoteEndPoint.Address.GetAddressBytes(),
                        (byte)(datagram.RemoteEndPoint.Port >> 8), (byte)datagram.RemoteEndPoint.Port, .. datagram.Buffer], client);
                    continue;
                }

                // RSV, FRAG and ATYP, which is 1 or 3; of a name its length.
                var isName = datagram.Buffer[3] == 3;
                var start = isName ? 5 : 4;
                var end = start + (isName ? datagram.Buffer[4] : 4);
                var port = (datagram.Buffer[end] << 8) | datagram.Buffer[end + 1];
                var name = isName ? Encoding.ASCII.GetString(datagram.Buffer, start, end - start) : null;
                if (name is not null)
                    Named.Enqueue($"{name}:{port}");
                if (name is not null && !Names.ContainsKey(name))
                    continue;
                var to = name is null ? new IPEndPoint(new IPAddress(datagram.Buffer.AsSpan(start, 4)), port) : Names[name];
                Datagrams.Enqueue(to);
                await relay.SendAsync(datagram.Buffer.AsMemory(end + 2), to);
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The association has ended.
        }
    }

    private async Task HttpAsync(NetworkStream stream, byte[] first)
    {
        var head = new StringBuilder(Encoding.ASCII.GetString(first));
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
            head.Append((char)(await ReadAsync(stream, 1))[0]);
        var text = head.ToString();
        if (Credentials is not null
            && !text.Contains("Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(Credentials)), StringComparison.Ordinal))
        {
            await stream.WriteAsync("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"u8.ToArray());
            return;
        }

        var target = text.Split(' ')[1];
        if (text.StartsWith("CONNECT ", StringComparison.Ordinal))
        {
            if (Refusal is { } status)
            {
                await stream.WriteAsync(Encoding.ASCII.GetBytes(string.Create(
                    System.Globalization.CultureInfo.InvariantCulture, $"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n")));
                return;
            }

            var end = target.LastIndexOf(':');
            using var there = await OpenAsync(
                target[..end].Trim('[', ']'), int.Parse(target[(end + 1)..], System.Globalization.CultureInfo.InvariantCulture));
            await stream.WriteAsync(Encoding.ASCII.GetBytes(
                there is null ? "HTTP/1.1 502 Bad Gateway\r\n\r\n" : "HTTP/1.1 200 Connection established\r\n\r\n"));
            if (there is not null)
                await JoinAsync(stream, there);
            return;
        }

        var uri = new Uri(target);
        using var server = await OpenAsync(uri.Host, uri.Port);
        if (server is null)
            return;
        await server.SendAsync(Encoding.ASCII.GetBytes(text.Replace(target, uri.PathAndQuery, StringComparison.Ordinal)));
        await JoinAsync(stream, server);
    }

    private async Task<Socket?> OpenAsync(string host, int port)
    {
        Asked.Enqueue($"{host}:{port}");
        var to = Names.TryGetValue(host, out var named)
            ? named : IPAddress.TryParse(host, out var address) ? new IPEndPoint(address, port) : null;
        if (to is null)
            return null;
        var socket = new Socket(to.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        _sockets.Add(socket);
        try
        {
            await socket.ConnectAsync(to);
            return socket;
        }
        catch (SocketException)
        {
            socket.Dispose();
            return null;
        }
    }

    private static async Task JoinAsync(NetworkStream stream, Socket there)
    {
        await using var other = new NetworkStream(there);
        await Task.WhenAny(stream.CopyToAsync(other), other.CopyToAsync(stream));
    }

    private async Task<byte[]> ReadAsync(NetworkStream stream, int count)
    {
        var bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes, _stopping.Token);
        return bytes;
    }
}
