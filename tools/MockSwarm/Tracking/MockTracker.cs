using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Web;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.MockSwarm.Tracking;

/// <summary>An HTTP tracker (BEP 3, 23, 48) for one torrent: returns the peers it was given and those that announced themselves.</summary>
public sealed class MockTracker : IAsyncDisposable
{
    private readonly TcpListener _listener;
    private readonly ConcurrentDictionary<IPEndPoint, bool> _peers = new();
    private readonly ConcurrentQueue<string> _announces = new();
    private readonly Task _accepting;

    /// <param name="torrent">Its torrent; others are answered with a failure, and so is its alias, unless it is one of
    /// <see cref="Names"/>.</param>
    /// <param name="peers">Peers in every answer.</param>
    /// <param name="port">The port; 0 = any free one.</param>
    /// <param name="address">Where it listens; null = at 127.0.0.1.</param>
    public MockTracker(MockTorrent torrent, IEnumerable<IPEndPoint> peers, int port = 0, IPAddress? address = null)
    {
        Names = [torrent.Hash];
        foreach (var peer in peers)
            _peers[peer] = true;
        _listener = new TcpListener(address ?? IPAddress.Loopback, port);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The announce address.</summary>
    public string Url =>
        string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/announce");

    /// <summary>Queries of all announces so far, in order.</summary>
    public IReadOnlyCollection<string> Announces => _announces;

    /// <summary>The User-Agent of the latest request; null if it sent none.</summary>
    public string? UserAgent { get; private set; }

    /// <summary>The info-hashes that it knows: that of the torrent, its alias, or both, which then have the same peers.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Names { get; set; }

    /// <summary>Answers announces with this failure instead, while it is set.</summary>
    public string? Failure { get; set; }

    /// <summary>
    /// Answers a request target with this status line, header lines (each ended by CRLF) and body instead, unless it returns null.
    /// </summary>
    public Func<string, (string Status, string Headers, byte[] Body)?>? Reply { get; set; }

    /// <summary>While this task runs, announces are accepted but not answered, except goodbyes; null: they are answered at once.</summary>
    public Task? Hold { get; set; }

    /// <summary><see cref="Hold"/> holds goodbyes too.</summary>
    public bool HoldsGoodbyes { get; set; }

    /// <summary>Answers with a list of dictionaries instead of the compact form (BEP 3).</summary>
    public bool Verbose { get; set; }

    /// <summary>The interval in its answers, in seconds.</summary>
    public int Interval { get; set; } = 1_800;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            try
            {
                var client = await _listener.AcceptTcpClientAsync();
                _ = ServeAsync(client);
            }
            catch (Exception error) when (error is SocketException or InvalidOperationException)
            {
                return;
            }
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using var owned = client;
        try
        {
            await using var stream = client.GetStream();
            using var reader = new StreamReader(stream, Encoding.Latin1, leaveOpen: true);
            // HTTP clients open connections in advance, and close some of them without a request.
            if (await reader.ReadLineAsync() is not { Length: > 0 } line)
                return;
            while (await reader.ReadLineAsync() is { Length: > 0 } header)
            {
                if (header.StartsWith("User-Agent: ", StringComparison.OrdinalIgnoreCase))
                    UserAgent = header[12..];
            }

            var target = line.Split(' ') is [_, var path, ..] ? path : "/";
            var reply = Reply?.Invoke(target);
            var body = Answer(target, ((IPEndPoint)client.Client.RemoteEndPoint!).Address);
            if (reply is { } other)
                body = other.Body;
            if (Hold is { } hold && (HoldsGoodbyes || !target.Contains("event=stopped", StringComparison.Ordinal)))
                await hold;
            var head = string.Create(
                CultureInfo.InvariantCulture,
                $"HTTP/1.1 {reply?.Status ?? "200 OK"}\r\nContent-Length: {body.Length}\r\n{reply?.Headers}Connection: close\r\n\r\n");
            await stream.WriteAsync(Encoding.ASCII.GetBytes(head));
            await stream.WriteAsync(body);
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException)
        {
            // The client is gone.
        }
    }

    private byte[] Answer(string target, IPAddress from)
    {
        var mark = target.IndexOf('?', StringComparison.Ordinal);
        var query = mark < 0 ? string.Empty : target[(mark + 1)..];
        var fields = HttpUtility.ParseQueryString(query, Encoding.Latin1);
        var name = Encoding.Latin1.GetBytes(fields["info_hash"] ?? string.Empty);
        var known = Names.Any(other => other.Span.SequenceEqual(name));
        if (target.StartsWith("/scrape", StringComparison.Ordinal))
        {
            using var scrape = new MemoryStream();
            Write(scrape, "d5:filesd20:");
            scrape.Write(known ? name : Names[0].Span);
            Write(scrape, string.Create(CultureInfo.InvariantCulture, $"d8:completei{_peers.Count}e10:downloadedi7e10:incompletei1eeee"));
            return scrape.ToArray();
        }

        _announces.Enqueue(query);
        var failure = Failure ?? (known ? null : "unknown torrent");
        if (failure is not null)
            return Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"d14:failure reason{failure.Length}:{failure}e"));
        var others = _peers.Keys.ToArray();
        if (int.TryParse(fields["port"], NumberStyles.None, CultureInfo.InvariantCulture, out var port) && port > 0
            && fields["event"] != "stopped")
            _peers[new IPEndPoint(from, port)] = true;
        return Verbose ? Dictionaries(others) : Compact(others);
    }

    private byte[] Compact(IPEndPoint[] peers)
    {
        using var output = new MemoryStream();
        Write(output, string.Create(CultureInfo.InvariantCulture, $"d8:intervali{Interval}e5:peers{peers.Length * 6}:"));
        Span<byte> port = stackalloc byte[2];
        foreach (var peer in peers)
        {
            output.Write(peer.Address.MapToIPv4().GetAddressBytes());
            BinaryPrimitives.WriteUInt16BigEndian(port, (ushort)peer.Port);
            output.Write(port);
        }

        Write(output, "e");
        return output.ToArray();
    }

    private byte[] Dictionaries(IPEndPoint[] peers)
    {
        using var output = new MemoryStream();
        Write(output, string.Create(CultureInfo.InvariantCulture, $"d8:intervali{Interval}e5:peersl"));
        foreach (var peer in peers)
        {
            var address = peer.Address.ToString();
            Write(output, string.Create(CultureInfo.InvariantCulture, $"d2:ip{address.Length}:{address}4:porti{peer.Port}ee"));
        }

        Write(output, "ee");
        return output.ToArray();
    }

    private static void Write(MemoryStream output, string text) => output.Write(Encoding.ASCII.GetBytes(text));
}
