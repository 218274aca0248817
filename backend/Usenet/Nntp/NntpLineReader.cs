using System.Text;

namespace NzbDav.Usenet.Nntp;

/// <summary>Sends one command at a time and reads its answer, for logins and checks of a provider. Not thread-safe.</summary>
/// <param name="stream">Plain or TLS; owned by the caller.</param>
/// <param name="capacity">Bytes to receive at once; at least <see cref="NntpStatusLine.MaxLength"/>.</param>
internal sealed class NntpLineReader(Stream stream, int capacity = NntpStatusLine.MaxLength)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _filled;

    /// <summary>Sends a command, with its line end, and reads the answer.</summary>
    /// <exception cref="IOException">The server ended the connection.</exception>
    public async Task<NntpStatusLine> ExecuteAsync(string command, CancellationToken cancellationToken)
    {
        await SendAsync(command, cancellationToken);
        return await NextAsync(cancellationToken);
    }

    /// <summary>Sends a command, with its line end.</summary>
    public ValueTask SendAsync(string command, CancellationToken cancellationToken) =>
        stream.WriteAsync(Encoding.UTF8.GetBytes(command), cancellationToken);

    /// <summary>Reads a status line; code 0 for an invalid one.</summary>
    /// <exception cref="IOException">The server ended the connection.</exception>
    public async Task<NntpStatusLine> NextAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            if (TryScan(out var line))
                return line;
            if (_filled >= NntpStatusLine.MaxLength)
                return new NntpStatusLine(0, NntpStatusLine.TextOf(_buffer));
            await ReceiveAsync(cancellationToken);
        }
    }

    /// <summary>Reads a multi-line block (RFC 3977 §3.1.1) to its end and discards it.</summary>
    /// <param name="received">Called with the number of bytes, as they arrive.</param>
    /// <param name="cancellationToken">Stops reading; the reader is unusable afterwards.</param>
    /// <exception cref="IOException">The server ended the connection.</exception>
    public async Task SkipBlockAsync(Action<int> received, CancellationToken cancellationToken)
    {
        // "\r\n.\r\n" ends the block. For an empty block, its first line end is that of the status line.
        var isFirst = true;
        while (true)
        {
            var end = isFirst && _filled >= 3 && _buffer.AsSpan(0, 3).SequenceEqual(".\r\n"u8)
                ? 3 : _buffer.AsSpan(0, _filled).IndexOf("\r\n.\r\n"u8) is >= 0 and var at ? at + 5 : 0;
            isFirst &= _filled < 3;
            var finished = end > 0 ? end : isFirst ? 0 : Math.Max(0, _filled - 4);
            if (finished > 0)
                received(finished);
            _buffer.AsSpan(finished, _filled - finished).CopyTo(_buffer);
            _filled -= finished;
            if (end > 0)
                return;
            await ReceiveAsync(cancellationToken);
        }
    }

    private async ValueTask ReceiveAsync(CancellationToken cancellationToken)
    {
        var read = await stream.ReadAsync(_buffer.AsMemory(_filled), cancellationToken);
        if (read == 0)
            throw new IOException("it ended");
        _filled += read;
    }

    private bool TryScan(out NntpStatusLine status)
    {
        var code = NntpStatusLine.Scan(_buffer.AsSpan(0, _filled), out var line, out var consumed);
        status = default;
        if (code < 0)
            return false;
        status = new NntpStatusLine(code, NntpStatusLine.TextOf(line));
        _buffer.AsSpan(consumed, _filled - consumed).CopyTo(_buffer);
        _filled -= consumed;
        return true;
    }
}

/// <summary>A response line (RFC 3977 §3.2): three digits, a blank, text.</summary>
/// <param name="Code">100 … 599; 0 for an invalid line.</param>
/// <param name="Text">The rest, for display and logs.</param>
internal readonly record struct NntpStatusLine(int Code, string Text)
{
    /// <summary>Longest line in bytes: RFC 3977 §3.1 allows 512; the greetings of some servers are longer.</summary>
    public const int MaxLength = 4096;

    /// <summary>Parses a status line at the start of <paramref name="source"/>.</summary>
    /// <param name="source">Received bytes.</param>
    /// <param name="line">The line without its end; empty when it is incomplete.</param>
    /// <param name="consumed">Bytes to skip, the line end included; 0 when more are needed.</param>
    /// <returns>The code; −1 when more bytes are needed; 0 when this is no status line.</returns>
    public static int Scan(ReadOnlySpan<byte> source, out ReadOnlySpan<byte> line, out int consumed)
    {
        line = default;
        consumed = 0;
        var end = source.IndexOf((byte)'\n');
        if (end < 0)
            return source.Length > MaxLength ? 0 : -1;
        consumed = end + 1;
        line = source[..end].TrimEnd((byte)'\r');
        if (line.Length < 3 || !IsDigit(line[0]) || !IsDigit(line[1]) || !IsDigit(line[2]) || (line.Length > 3 && line[3] != ' '))
            return 0;
        var code = ((line[0] - '0') * 100) + ((line[1] - '0') * 10) + (line[2] - '0');
        return code is >= 100 and <= 599 ? code : 0;
    }

    /// <summary>The text of a scanned line for a log: at most 300 bytes, as Latin-1, without control characters.</summary>
    public static string TextOf(ReadOnlySpan<byte> line)
    {
        var text = Encoding.Latin1.GetString(line.Length > 300 ? line[..300] : line);
        return string.Create(text.Length, text, static (span, source) =>
        {
            for (var i = 0; i < span.Length; i++)
                span[i] = char.IsControl(source[i]) ? ' ' : source[i];
        });
    }

    private static bool IsDigit(byte value) => value is >= (byte)'0' and <= (byte)'9';
}
