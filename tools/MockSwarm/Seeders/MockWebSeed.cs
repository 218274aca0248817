using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>A request to a <see cref="MockWebSeed"/>.</summary>
/// <param name="Target">As it was sent.</param>
/// <param name="Start">First byte asked for; 0 without a range.</param>
/// <param name="End">One past the last byte; −1 = to the end, or no range.</param>
public sealed record WebSeedRequest(string Target, long Start, long End);

/// <summary>
/// A web server with the files of one torrent (BEP 19), except padding, below "/d/". Sends the right bytes unless told otherwise.
/// </summary>
public sealed class MockWebSeed : IAsyncDisposable
{
    private readonly TcpListener _listener;
    private readonly Dictionary<string, (long Offset, long Length)> _files = new(StringComparer.Ordinal);
    private readonly MockTorrent _torrent;
    private readonly ConcurrentQueue<WebSeedRequest> _requests = new();
    private readonly ConcurrentDictionary<TcpClient, bool> _clients = new();
    private readonly Task _accepting;
    private int _held;
    private int _most;

    /// <param name="torrent">Whose files it has.</param>
    /// <param name="port">Where it listens at 127.0.0.1; 0 = any free port.</param>
    public MockWebSeed(MockTorrent torrent, int port = 0)
    {
        ArgumentNullException.ThrowIfNull(torrent);
        _torrent = torrent;
        var offset = 0L;
        foreach (var file in torrent.Content.Files)
        {
            var isSingle = torrent.Content.Files.Count == 1 && file.Path == torrent.Name;
            if (!file.IsPadding)
                _files[isSingle ? $"/d/{file.Path}" : $"/d/{torrent.Name}/{file.Path}"] = (offset, file.Length);
            offset += file.Length;
        }

        _listener = new TcpListener(IPAddress.Loopback, port);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>Its address, with a trailing slash.</summary>
    public string Url => string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/d/");

    /// <summary>All requests so far, in order of arrival.</summary>
    public IReadOnlyCollection<WebSeedRequest> Requests => _requests;

    /// <summary>Connections that are open.</summary>
    public int Connections => _clients.Count;

    /// <summary>Most connections that were open at the same time.</summary>
    public int MostConnections => _most;

    /// <summary>
    /// Answers a request with this status line, header lines (each ended by CRLF) and no body instead, unless it returns null.
    /// </summary>
    public Func<WebSeedRequest, (string Status, string Headers)?>? Reply { get; set; }

    /// <summary>Sends whole files, whatever range is asked for.</summary>
    public bool IgnoresRanges { get; set; }

    /// <summary>Offsets in the torrent whose bytes are wrong.</summary>
    public Func<long, bool>? IsWrong { get; set; }

    /// <summary>Closes the connection after this many bytes of each body; null = never.</summary>
    public int? BreaksAfter { get; set; }

    /// <summary>While this task runs, requests are accepted but not answered.</summary>
    public Task? Hold { get; set; }

    /// <summary>Requests that wait for <see cref="Hold"/> and whose clients are still connected.</summary>
    public int Held => Volatile.Read(ref _held);

    /// <summary>Delay before each answer; twice before the first on a connection, as with a distant server.</summary>
    public TimeSpan Latency { get; set; }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        foreach (var client in _clients.Keys)
            client.Dispose();
        await _accepting;
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            try
            {
                var client = await _listener.AcceptTcpClientAsync();
                _clients[client] = true;
                _most = Math.Max(_most, _clients.Count);
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
        try
        {
            await using var stream = client.GetStream();
            using var reader = new StreamReader(stream, Encoding.Latin1, leaveOpen: true);
            if (Latency > TimeSpan.Zero)
                await Task.Delay(Latency);
            while (await reader.ReadLineAsync() is { Length: > 0 } line)
            {
                var range = "";
                while (await reader.ReadLineAsync() is { Length: > 0 } header)
                {
                    if (header.StartsWith("Range: bytes=", StringComparison.OrdinalIgnoreCase))
                        range = header[13..];
                }

                var (start, end) = range.Split('-') is [var first, var last]
                    ? (long.Parse(first, CultureInfo.InvariantCulture), long.Parse(last, CultureInfo.InvariantCulture) + 1)
                    : (0L, -1L);
                var request = new WebSeedRequest(line.Split(' ')[1], start, end);
                _requests.Enqueue(request);
                if (Hold is { } hold && !await HoldsUntilAsync(hold, client))
                    return;
                if (Latency > TimeSpan.Zero)
                    await Task.Delay(Latency);
                if (!await AnswerAsync(stream, request))
                    return;
            }
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException)
        {
            // The client is gone.
        }
        finally
        {
            _clients.TryRemove(client, out _);
            client.Dispose();
        }
    }

    /// <summary>Waits for the task, or for the client to leave: false then.</summary>
    private async Task<bool> HoldsUntilAsync(Task hold, TcpClient client)
    {
        Interlocked.Increment(ref _held);
        try
        {
            return await Task.WhenAny(hold, GoneAsync(client)) == hold;
        }
        finally
        {
            Interlocked.Decrement(ref _held);
        }
    }

    /// <summary>Completes when the client closes its connection. Consumes no byte.</summary>
    private static async Task GoneAsync(TcpClient client) => await client.Client.ReceiveAsync(new byte[1], SocketFlags.Peek);

    /// <summary>False if the connection is to be closed.</summary>
    private async Task<bool> AnswerAsync(NetworkStream stream, WebSeedRequest request)
    {
        if (Reply?.Invoke(request) is { } other)
            return await WriteAsync(stream, $"HTTP/1.1 {other.Status}\r\nContent-Length: 0\r\n{other.Headers}\r\n");
        if (!_files.TryGetValue(Uri.UnescapeDataString(request.Target.Split('?')[0]), out var file))
            return await WriteAsync(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        var (start, end) = IgnoresRanges || request.End < 0 ? (0L, file.Length) : (request.Start, Math.Min(request.End, file.Length));
        var head = IgnoresRanges || request.End < 0 ? "200 OK" : "206 Partial Content";
        var range = string.Create(CultureInfo.InvariantCulture, $"Content-Range: bytes {start}-{end - 1}/{file.Length}\r\n");
        await WriteAsync(stream, string.Create(
            CultureInfo.InvariantCulture, $"HTTP/1.1 {head}\r\nContent-Length: {end - start}\r\n{(head[2] == '0' ? "" : range)}\r\n"));
        var buffer = new byte[64 << 10];
        for (var sent = 0L; start + sent < end;)
        {
            var part = buffer.AsMemory(
                0, (int)Math.Min(buffer.Length, Math.Min(end - start - sent, (BreaksAfter ?? long.MaxValue) - sent)));
            if (part.IsEmpty)
                return false;
            Fill(file.Offset + start + sent, part.Span);
            await stream.WriteAsync(part);
            sent += part.Length;
        }

        return true;
    }

    private void Fill(long offset, Span<byte> part)
    {
        _torrent.Content.Fill(offset, part);
        for (var i = 0; IsWrong is { } isWrong && i < part.Length; i++)
        {
            if (isWrong(offset + i))
                part[i] ^= 0xFF;
        }
    }

    private static async Task<bool> WriteAsync(NetworkStream stream, string head)
    {
        await stream.WriteAsync(Encoding.ASCII.GetBytes(head));
        return true;
    }
}
