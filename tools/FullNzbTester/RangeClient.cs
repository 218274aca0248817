using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.FullNzbTester;

/// <summary>A player reduced to its socket: one GET at a time, every byte compared with the source while it comes.</summary>
internal sealed class RangeClient(Uri url, string authorization, ReadOnlyMemory<byte> source)
{
    private readonly byte[] _buffer = new byte[256 << 10];

    public long Compared { get; private set; }

    public long Wrong { get; private set; }

    /// <summary>Another player of the same file.</summary>
    public RangeClient Another() => new(url, authorization, source);

    /// <summary>Asks for a range on a new connection and reads some of it.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="end">Last byte, inclusive; null for an open-ended range.</param>
    /// <param name="read">Bytes to read before the connection is closed.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>Time to the first byte of the body, and to the last one read.</returns>
    public async Task<(TimeSpan FirstByte, TimeSpan All)> GetAsync(long start, long? end, long read, CancellationToken cancellationToken)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(url.Host, url.Port, cancellationToken);
        var watch = Stopwatch.StartNew();
        await socket.SendAsync(Request(start, end), cancellationToken);
        var filled = 0;
        int body;
        do
        {
            var got = await socket.ReceiveAsync(_buffer.AsMemory(filled), cancellationToken);
            if (got == 0)
                throw new IOException("The server closed the connection before its response.");
            filled += got;
            body = _buffer.AsSpan(0, filled).IndexOf("\r\n\r\n"u8);
        }
        while (body < 0);
        var status = Encoding.ASCII.GetString(_buffer, 0, body).Split("\r\n")[0];
        if (!status.Contains(" 206 ", StringComparison.Ordinal) && !status.Contains(" 200 ", StringComparison.Ordinal))
            throw new IOException($"The server said {status}.");

        var done = 0L;
        var first = TimeSpan.Zero;
        var have = filled - body - 4;
        if (have > 0)
        {
            first = watch.Elapsed;
            Compare(start, _buffer.AsSpan(body + 4, have));
            done = have;
        }

        while (done < read)
        {
            var got = await socket.ReceiveAsync(_buffer, cancellationToken);
            if (got == 0)
                throw new IOException($"The server closed the connection {read - done} bytes early.");
            if (first == TimeSpan.Zero)
                first = watch.Elapsed;
            Compare(start + done, _buffer.AsSpan(0, got));
            done += got;
        }

        return (first, watch.Elapsed);
    }

    private byte[] Request(long start, long? end) => Encoding.ASCII.GetBytes(string.Create(
        CultureInfo.InvariantCulture,
        $"GET {url.AbsolutePath} HTTP/1.1\r\nHost: {url.Authority}\r\nAuthorization: {authorization}\r\nRange: bytes={start}-{end}\r\nConnection: close\r\n\r\n"));

    private void Compare(long offset, ReadOnlySpan<byte> bytes)
    {
        var expected = source.Span.Slice((int)offset, bytes.Length);
        Compared += bytes.Length;
        if (bytes.SequenceEqual(expected))
            return;
        for (var i = 0; i < bytes.Length; i++)
        {
            if (bytes[i] != expected[i])
                Wrong++;
        }
    }
}
