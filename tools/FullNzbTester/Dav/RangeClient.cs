using System.Globalization;
using System.Net.Sockets;
using System.Text;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>
/// A minimal player: one GET at a time, every byte passed to a check as it arrives. The connection is kept for the next GET
/// if the body was read to its end. Not thread-safe.
/// </summary>
internal sealed class RangeClient(DavTarget target, TimeProvider time) : IDisposable
{
    private readonly byte[] _buffer = new byte[256 << 10];
    private Socket? _socket;

    /// <summary>Requests a range and reads some of it. Failures are in the result.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<RangeRead> GetAsync(RangeRequest request, IRangeCheck check, CancellationToken cancellationToken)
    {
        var keep = false;
        long? started = null;
        var status = 0;
        var received = 0L;
        var first = TimeSpan.Zero;
        try
        {
            var socket = _socket ??= await ConnectAsync(cancellationToken);
            var sent = time.GetTimestamp();
            started = sent;
            await socket.SendAsync(Ask(request), cancellationToken);
            var (head, body, filled) = await ReadHeadAsync(socket, cancellationToken);
            status = head.Status;
            if (status is not (200 or 206))
                return Done($"the server said {status}");
            var promised = (request.End is { } end ? Math.Min(end + 1, target.Length) : target.Length) - request.Start;
            if (head.Length != promised || head.Start != request.Start)
                return Done(
                    $"{head.Length:N0} bytes from {head.Start:N0} on were promised, {promised:N0} from {request.Start:N0} on were asked " +
                    $"for", silent: true);

            var have = (int)Math.Min(filled - body, request.Read);
            var asked = sent;
            while (true)
            {
                if (have > 0)
                {
                    if (received == 0)
                        first = time.GetElapsedTime(sent);
                    request.Times?.Add(time.GetElapsedTime(asked), request.Start + received);
                    check.Take(_buffer.AsSpan(body, have));
                    received += have;
                    request.Came?.Invoke(have);
                }

                if (received == request.Read)
                    break;
                if (request.Before is { } before)
                    await before(cancellationToken);
                body = 0;
                asked = time.GetTimestamp();
                var most = request.Piece > 0 ? Math.Min(request.Piece, _buffer.Length) : _buffer.Length;
                have = await socket.ReceiveAsync(_buffer.AsMemory(0, (int)Math.Min(most, request.Read - received)), cancellationToken);
                if (have == 0)
                    return Done($"the connection ended {request.Read - received:N0} bytes early");
            }

            keep = received == head.Length;
            return Done(null);
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            return Done(received > 0 ? $"the connection was cut {request.Read - received:N0} bytes early" : e.Message);
        }
        finally
        {
            if (!keep)
                Dispose();
        }

        RangeRead Done(string? fault, bool silent = false) =>
            new(status, received, first, started is { } since ? time.GetElapsedTime(since) : TimeSpan.Zero, fault, silent);
    }

    public void Dispose()
    {
        _socket?.Dispose();
        _socket = null;
    }

    private async Task<Socket> ConnectAsync(CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(target.Url.Host, target.Url.Port, cancellationToken);
        return socket;
    }

    private byte[] Ask(RangeRequest request) => Encoding.ASCII.GetBytes(string.Create(
        CultureInfo.InvariantCulture,
        $"GET {target.Url.AbsolutePath} HTTP/1.1\r\nHost: {target.Url.Authority}\r\nAuthorization: {target.Authorization}\r\nRange: " +
        $"bytes={request.Start}-{request.End}\r\n\r\n"));

    private async Task<(RangeHead Head, int Body, int Filled)> ReadHeadAsync(Socket socket, CancellationToken cancellationToken)
    {
        var filled = 0;
        while (true)
        {
            var got = await socket.ReceiveAsync(_buffer.AsMemory(filled), cancellationToken);
            if (got == 0)
                throw new IOException("the server closed the connection before its response");
            filled += got;
            var end = _buffer.AsSpan(0, filled).IndexOf("\r\n\r\n"u8);
            if (end >= 0)
                return (RangeHead.Parse(Encoding.ASCII.GetString(_buffer, 0, end)), end + 4, filled);
            if (filled == _buffer.Length)
                throw new IOException("the head of the server's response does not end");
        }
    }
}

/// <summary>One GET.</summary>
/// <param name="Start">First byte.</param>
/// <param name="End">Last byte, inclusive; null for an open-ended range.</param>
/// <param name="Read">Bytes to read before the client has enough.</param>
internal sealed record RangeRequest(long Start, long? End, long Read)
{
    /// <summary>Collects the duration of each read; may be null.</summary>
    public ReadTimes? Times { get; init; }

    /// <summary>Called with the number of bytes received; may be null.</summary>
    public Action<long>? Came { get; init; }

    /// <summary>The most that one receive takes from the socket; 0 for as much as fits.</summary>
    public int Piece { get; init; }

    /// <summary>Awaited before each further receive, to read at a player's pace; may be null.</summary>
    public Func<CancellationToken, Task>? Before { get; init; }

    /// <summary>A range of exactly these bytes.</summary>
    public static RangeRequest Closed(long start, long length) => new(start, start + length - 1, length);

    /// <summary>A range from here to the end, of which the client reads a part and leaves.</summary>
    public static RangeRequest Open(long start, long read) => new(start, null, read);
}

/// <summary>Result of one GET.</summary>
/// <param name="Status">Status code; 0 if there was no response.</param>
/// <param name="Received">Bytes of the body received.</param>
/// <param name="FirstByte">Time from the request to the first byte of the body.</param>
/// <param name="All">Time from the request to the last byte that was read.</param>
/// <param name="Fault">What went wrong; null when nothing did.</param>
/// <param name="Silent">True when the response claims to be complete but is not.</param>
internal sealed record RangeRead(int Status, long Received, TimeSpan FirstByte, TimeSpan All, string? Fault = null, bool Silent = false)
{
    /// <summary>True if a successful response was cut, which the reader could notice.</summary>
    public bool IsCut => Status is 200 or 206 && Fault is not null && !Silent;
}

/// <summary>The status and range of a response.</summary>
/// <param name="Status">Status code; 0 if the line cannot be read.</param>
/// <param name="Length">Content-Length; −1 if absent.</param>
/// <param name="Start">First byte of Content-Range; 0 if absent.</param>
internal readonly record struct RangeHead(int Status, long Length, long Start)
{
    public static RangeHead Parse(string head)
    {
        var lines = head.Split("\r\n");
        var words = lines[0].Split(' ', 3);
        var status = words.Length > 1 && int.TryParse(words[1], CultureInfo.InvariantCulture, out var code) ? code : 0;
        long length = -1, start = 0;
        foreach (var line in lines.AsSpan(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            var name = colon < 0 ? "" : line[..colon];
            var value = colon < 0 ? "" : line[(colon + 1)..].Trim();
            if (name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase)
                && long.TryParse(value, CultureInfo.InvariantCulture, out var bytes))
                length = bytes;

            // Content-Range: bytes 0-499/1234 (RFC 9110, 14.4)
            else if (name.Equals("Content-Range", StringComparison.OrdinalIgnoreCase)
                && value.StartsWith("bytes ", StringComparison.Ordinal)
                && long.TryParse(value.AsSpan(6).Slice(0, Math.Max(0, value.IndexOf('-', StringComparison.Ordinal) - 6)),
                    CultureInfo.InvariantCulture, out var first))
                start = first;
        }

        return new RangeHead(status, length, start);
    }
}
