using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>
/// A pooled buffer in front of a response, with the methods to write XML and HTML. Grows with the data written between two flushes.
/// Disposal returns the buffer; unflushed data are dropped.
/// </summary>
internal sealed class Utf8Output : IDisposable
{
    /// <summary>Flush from this size on: large enough that a listing takes few writes, small enough that entries are sent early.</summary>
    public const int FlushSize = 16 << 10;

    // Characters that XML 1.0 cannot contain, and those that must be escaped.
    private static readonly SearchValues<char> Special = SearchValues.Create(
        [.. Enumerable.Range(0, 32).Select(c => (char)c), '&', '<', '>', '"', '\uFFFE', '\uFFFF']);

    private readonly PipeWriter _writer;
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(2 * FlushSize);
    private int _length;

    public Utf8Output(PipeWriter writer) => _writer = writer;

    /// <summary>Bytes not flushed yet.</summary>
    public int Pending => _length;

    /// <summary>True if anything was flushed.</summary>
    public bool HasFlushed { get; private set; }

    public void Write(ReadOnlySpan<byte> utf8)
    {
        utf8.CopyTo(Reserve(utf8.Length));
        _length += utf8.Length;
    }

    /// <summary>
    /// Writes text escaped for element content and double-quoted attributes; characters that XML cannot contain become U+FFFD.
    /// </summary>
    public void WriteEscaped(ReadOnlySpan<char> text)
    {
        while (!text.IsEmpty)
        {
            var plain = text.IndexOfAny(Special);
            if (plain < 0)
                plain = text.Length;
            _length += Encoding.UTF8.GetBytes(text[..plain], Reserve(plain * 3));
            if (plain == text.Length)
                return;
            Write(text[plain] switch
            {
                '&' => "&amp;"u8,
                '<' => "&lt;"u8,
                '>' => "&gt;"u8,
                '"' => "&quot;"u8,
                '\t' => "&#9;"u8,
                '\n' => "&#10;"u8,
                '\r' => "&#13;"u8,
                _ => "\uFFFD"u8,
            });
            text = text[(plain + 1)..];
        }
    }

    /// <summary>Writes one path segment, percent-encoded.</summary>
    public void WritePercentEncoded(ReadOnlySpan<char> segment) =>
        _length += PercentEncoding.Encode(segment, Reserve(segment.Length * PercentEncoding.MaxExpansion));

    public void WriteNumber(long value) => Format(value, default);

    /// <summary>Writes <c>Sun, 06 Nov 1994 08:49:37 GMT</c>, in every culture.</summary>
    public void WriteHttpDate(DateTimeOffset time) => Format(ItemDates.Clamp(time).UtcDateTime, "R");

    /// <summary>Writes <c>1994-11-06T08:49:37Z</c>, in every culture.</summary>
    public void WriteIsoDate(DateTimeOffset time) => Format(ItemDates.Clamp(time).UtcDateTime, "yyyy'-'MM'-'dd'T'HH':'mm':'ss'Z'");

    /// <summary>Sends the pending bytes.</summary>
    /// <returns>False if the client is gone.</returns>
    public async ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
    {
        HasFlushed = true;
        var flushed = await _writer.WriteAsync(_buffer.AsMemory(0, _length), cancellationToken);
        _length = 0;
        return !flushed.IsCompleted;
    }

    public void Dispose()
    {
        var buffer = _buffer;
        _buffer = [];
        _length = 0;
        if (buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(buffer);
    }

    private void Format<T>(T value, ReadOnlySpan<char> format)
        where T : IUtf8SpanFormattable
    {
        value.TryFormat(Reserve(64), out var written, format, CultureInfo.InvariantCulture);
        _length += written;
    }

    private Span<byte> Reserve(int size)
    {
        if (_buffer.Length - _length < size)
        {
            var larger = ArrayPool<byte>.Shared.Rent(Math.Max(_length + size, _buffer.Length * 2));
            _buffer.AsSpan(0, _length).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = larger;
        }

        return _buffer.AsSpan(_length);
    }
}

/// <summary>Adjusts dates for clients.</summary>
internal static class ItemDates
{
    /// <summary>Never before 1970: macOS drops a mount that shows year 1.</summary>
    public static DateTimeOffset Clamp(DateTimeOffset time) => time < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : time;
}
