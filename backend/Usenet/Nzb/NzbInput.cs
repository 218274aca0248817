using System.Diagnostics;
using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// A sliding window of UTF-8 (or unknown 8-bit) bytes over a stream. Removes byte-order marks, converts UTF-16 and UTF-32 to UTF-8, and
/// tells line and column of each byte in the window. For one thread.
/// </summary>
internal sealed class NzbInput
{
    private const int ReadSize = 64 << 10;

    private readonly Stream _stream;
    private readonly long _maxBytes;
    private readonly CancellationToken _cancellationToken;
    private readonly byte[] _raw = new byte[ReadSize];
    private Transcoder? _transcoder;
    private byte[] _buffer = [];
    private int _start;
    private int _end;
    private int _mark;
    private int _line = 1;
    private int _column = 1;
    private long _read;
    private bool _hasStarted;

    public NzbInput(Stream stream, long maxBytes, CancellationToken cancellationToken)
    {
        _stream = stream;
        _maxBytes = maxBytes;
        _cancellationToken = cancellationToken;
    }

    /// <summary>
    /// Bytes read and not yet consumed. The span is valid until <see cref="Fill"/>; offsets into the window remain valid after it.
    /// </summary>
    public ReadOnlySpan<byte> Window => _buffer.AsSpan(_start, _end - _start);

    /// <summary>True once the stream has ended; the window may still hold bytes.</summary>
    public bool AtEnd { get; private set; }

    /// <summary>True if the stream is longer than allowed; input then ends at the limit.</summary>
    public bool TooLong { get; private set; }

    /// <summary>The first bytes as received, at most 16, to distinguish an archive from text.</summary>
    public ReadOnlyMemory<byte> Head { get; private set; }

    /// <summary>Drops the first <paramref name="count"/> bytes of the window.</summary>
    public void Consume(int count)
    {
        Debug.Assert(count <= _end - _start, "only what is in the window can be consumed");
        _start += count;
    }

    /// <summary>Appends to the window; false at the end of the stream.</summary>
    public bool Fill()
    {
        if (!_hasStarted)
            return Begin();
        if (AtEnd)
            return false;
        return Append(_raw.AsSpan(0, Read(_raw)));
    }

    /// <summary>
    /// Line and column, both from 1, of the byte at an offset of the window. Cheap if the offsets of successive calls grow.
    /// </summary>
    public (int Line, int Column) Locate(int offset)
    {
        var position = _start + offset;
        if (position >= _mark)
        {
            Count(_buffer.AsSpan(_mark, position - _mark), ref _line, ref _column);
            _mark = position;
            return (_line, _column);
        }

        // Before the mark, which is rare: count back from the mark on the same line, else forward from the start of the line.
        var between = _buffer.AsSpan(position, _mark - position);
        int newLines = between.Count((byte)'\n'), passed = 0, column = 1;
        if (newLines == 0)
        {
            Count(between, ref newLines, ref passed);
            return (_line, _column - passed);
        }

        var lineStart = _buffer.AsSpan(0, position).LastIndexOf((byte)'\n') + 1;
        Count(_buffer.AsSpan(lineStart, position - lineStart), ref passed, ref column);
        return (_line - newLines, column);
    }

    private static void Count(ReadOnlySpan<byte> bytes, ref int line, ref int column)
    {
        var last = bytes.LastIndexOf((byte)'\n');
        if (last >= 0)
        {
            line += bytes.Count((byte)'\n');
            column = 1;
            bytes = bytes[(last + 1)..];
        }

        // Continuation bytes belong to the character before them.
        foreach (var b in bytes)
            column += (b & 0xC0) == 0x80 ? 0 : 1;
    }

    private bool Begin()
    {
        _hasStarted = true;
        var head = Read(_raw);
        var bytes = _raw.AsSpan(0, head);
        Head = bytes[..Math.Min(bytes.Length, 16)].ToArray();
        var (encoding, bom) = Detect(bytes);
        bytes = bytes[bom..];
        if (encoding is not null)
            _transcoder = new Transcoder(encoding);
        return Append(bytes);
    }

    // The byte-order mark overrides the XML declaration, which cannot be read before the encoding is known (XML 1.0, appendix F).
    private static (Encoding? Encoding, int Bom) Detect(ReadOnlySpan<byte> head) => head switch
    {
        [0xEF, 0xBB, 0xBF, ..] => (null, 3),
        [0xFF, 0xFE, 0, 0, ..] => (new UTF32Encoding(bigEndian: false, byteOrderMark: false), 4),
        [0, 0, 0xFE, 0xFF, ..] => (new UTF32Encoding(bigEndian: true, byteOrderMark: false), 4),
        [0xFF, 0xFE, ..] => (new UnicodeEncoding(bigEndian: false, byteOrderMark: false), 2),
        [0xFE, 0xFF, ..] => (new UnicodeEncoding(bigEndian: true, byteOrderMark: false), 2),
        [not 0, 0, not 0, 0, ..] => (new UnicodeEncoding(bigEndian: false, byteOrderMark: false), 0),
        [0, not 0, 0, not 0, ..] => (new UnicodeEncoding(bigEndian: true, byteOrderMark: false), 0),
        _ => (null, 0),
    };

    private int Read(Span<byte> destination)
    {
        _cancellationToken.ThrowIfCancellationRequested();

        // Read until the buffer is full: a source that delivers single bytes must not cause the same tag to be scanned again and again.
        var count = AtEnd ? 0 : _stream.ReadAtLeast(destination, destination.Length, throwOnEndOfStream: false);
        _read += count;
        if (_read > _maxBytes)
        {
            TooLong = true;
            count = 0;
        }

        AtEnd |= count < destination.Length;
        return count;
    }

    private bool Append(ReadOnlySpan<byte> raw)
    {
        var bytes = _transcoder is null ? raw : _transcoder.Convert(raw, flush: AtEnd);
        if (_buffer.Length - _end < bytes.Length)
            MakeRoom(bytes.Length);
        bytes.CopyTo(_buffer.AsSpan(_end));
        _end += bytes.Length;

        // No output although there is more input. 64 KiB of UTF-16 cannot be half a character, but handle it anyway.
        return !bytes.IsEmpty || Fill();
    }

    private void MakeRoom(int count)
    {
        // Count the lines of the bytes that leave the window now: later these bytes are gone.
        if (_mark < _start)
            Locate(0);
        var kept = _end - _start;
        var target = _buffer;
        if (target.Length - kept < count)
        {
            // Most NZBs fit into one read. Their buffer is then no larger than needed.
            target = new byte[Math.Max(AtEnd ? 0 : Math.Max(4 * ReadSize, target.Length * 2), kept + count)];
        }

        _buffer.AsSpan(_start, kept).CopyTo(target);
        _buffer = target;
        _mark -= _start;
        _start = 0;
        _end = kept;
    }

    private sealed class Transcoder(Encoding from)
    {
        private readonly Decoder _decoder = from.GetDecoder();
        private char[] _chars = [];
        private byte[] _bytes = [];

        public ReadOnlySpan<byte> Convert(ReadOnlySpan<byte> raw, bool flush)
        {
            var most = _decoder.GetCharCount(raw, flush);
            if (_chars.Length < most)
                _chars = new char[most];
            var count = _decoder.GetChars(raw, _chars, flush);
            return Encode(_chars.AsSpan(0, count));
        }

        // A UTF-16 decoder holds back half of a surrogate pair, so each run of chars can be encoded separately.
        private ReadOnlySpan<byte> Encode(ReadOnlySpan<char> chars)
        {
            var most = Encoding.UTF8.GetMaxByteCount(chars.Length);
            if (_bytes.Length < most)
                _bytes = new byte[most];
            return _bytes.AsSpan(0, Encoding.UTF8.GetBytes(chars, _bytes));
        }
    }
}
