using System.Diagnostics;
using System.Runtime.CompilerServices;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes one article from the first byte after the status line of BODY or ARTICLE to the terminator, in pieces as the connection receives
/// them. For any input it finds the terminator and touches nothing after it, so the connection stays in step. Reusable after
/// <see cref="Reset"/>; allocates nothing while it runs. Not thread-safe.
/// </summary>
internal sealed class YencArticleDecoder
{
    /// <summary>Largest part accepted, in bytes.</summary>
    public const int MaxPartSize = SegmentKey.Most;

    /// <summary>Bytes of a control line that are kept; the rest is cut. RFC 5322 allows lines of 998 bytes.</summary>
    private const int MaxControlLine = 1024;

    /// <summary>
    /// Source bytes decoded between two updates of the checksum, which then reads from the CPU cache. Measured: 32 KiB is the best of 12 to
    /// 64 KiB.
    /// </summary>
    private const int Slice = 32 << 10;

    private readonly byte[] _line = new byte[MaxControlLine];
    private int _lineLength;
    private bool _lineCr;
    private bool _inLine;

    private YencPhase _phase;
    private YencDecoderState _state;
    private Memory<byte> _destination;
    private YencTrailer _trailer;
    private uint _crc;
    private bool _overlong;

    /// <summary>The header's fields: valid from <see cref="ArticleFeed.HeaderReady"/> until the next <see cref="Reset"/>.</summary>
    public YencHeader Header { get; } = new(MaxControlLine);

    /// <summary>Decoded bytes in the destination so far. They are final, but unverified before <see cref="Result"/>.</summary>
    public int Written { get; private set; }

    /// <summary>Result of decoding the article; <see cref="YencResult.None"/> until it is complete.</summary>
    public YencResult Result => _phase == YencPhase.Complete ? Verdict : YencResult.None;

    /// <summary>True when the article states a checksum for its part and the bytes match it.</summary>
    public bool CrcVerified => Result == YencResult.Ok && ExpectedCrc == _crc;

    /// <summary>CRC-32 of the bytes written so far.</summary>
    public uint Crc => _crc;

    private YencResult Verdict { get; set; } = YencResult.NotYenc;

    /// <summary>
    /// The checksum that <c>=yend</c> states for this part. <c>crc32</c> is that of the whole file, so it counts only if the part is the
    /// whole file.
    /// </summary>
    private uint? ExpectedCrc =>
        _trailer.PartCrc ?? (IsWholeFile ? _trailer.FileCrc : null);

    private bool IsWholeFile =>
        !Header.HasRange || (Header.Begin == 0 && (Header.PartSize == Header.FileSize || Written == Header.FileSize));

    /// <summary>Prepares for the next article and releases the destination.</summary>
    public void Reset()
    {
        _lineLength = 0;
        _lineCr = _inLine = _overlong = false;
        _phase = YencPhase.Preamble;
        _state = default;
        _destination = default;
        _trailer = default;
        _crc = 0;
        Written = 0;
        Verdict = YencResult.NotYenc;
        Header.Reset();
    }

    /// <summary>Decodes the next bytes of the article.</summary>
    /// <param name="source">Received bytes; may be empty.</param>
    /// <param name="consumed">Bytes processed: all of them if the result is <see cref="ArticleFeed.NeedMore"/>, else those before the
    /// stop.</param>
    /// <exception cref="InvalidOperationException">The header is ready and no destination is set, or the article is complete.</exception>
    public ArticleFeed Feed(ReadOnlySpan<byte> source, out int consumed)
    {
        if (_phase is YencPhase.HeaderReady or YencPhase.Complete)
            throw new InvalidOperationException(
                _phase == YencPhase.Complete ? "The article is complete." : "Set a destination or discard first.");

        consumed = 0;
        while (true)
        {
            if (_inLine)
            {
                if (!ReadLine(source, ref consumed))
                    return ArticleFeed.NeedMore;
                OnControlLine(_line.AsSpan(0, _lineLength));
                if (_phase == YencPhase.HeaderReady)
                    return ArticleFeed.HeaderReady;
            }

            var scan = _phase switch
            {
                YencPhase.Data => DecodeData(source, ref consumed),
                YencPhase.Begun => Peek(source, ref consumed),
                _ => Skip(source, ref consumed),
            };
            switch (scan)
            {
                case YencScan.NeedMore:
                    Debug.Assert(consumed == source.Length);
                    return ArticleFeed.NeedMore;
                case YencScan.ControlLine when _phase != YencPhase.Tail:
                    "=y"u8.CopyTo(_line);
                    _lineLength = 2;
                    _inLine = true;
                    break;
                case YencScan.DestinationFull when _phase == YencPhase.Begun:
                    // Data without =ypart: the article contains a whole file.
                    EnterHeaderReady();
                    if (_phase == YencPhase.HeaderReady)
                        return ArticleFeed.HeaderReady;
                    break;
                case YencScan.DestinationFull when _phase == YencPhase.Data:
                    _overlong = true;
                    _phase = YencPhase.Overlong;
                    break;
                case YencScan.ArticleEnd:
                    if (_phase is YencPhase.Begun or YencPhase.Data or YencPhase.Overlong)
                        Validate();
                    _phase = YencPhase.Complete;
                    return ArticleFeed.Complete;
            }
        }
    }

    /// <summary>
    /// Sets the destination of the decoded data. The decoder writes to it until the article is complete or the decoder is reset.
    /// </summary>
    /// <param name="destination">At least the header's <see cref="YencHeader.PartSize"/> bytes; no more are used.</param>
    public void SetDestination(Memory<byte> destination)
    {
        if (_phase != YencPhase.HeaderReady)
            throw new InvalidOperationException("A destination is set once per article, when the header is ready.");
        var size = (int)Header.PartSize;
        ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, size, nameof(destination));
        _destination = destination[..size];
        _phase = YencPhase.Data;
    }

    /// <inheritdoc cref="SetDestination(Memory{byte})"/>
    public void SetDestination(byte[] array, int offset, int length) => SetDestination(array.AsMemory(offset, length));

    /// <summary>
    /// Releases the destination, if one is set. The rest of the article is read and discarded. Allowed at any time; without effect once the
    /// result is known.
    /// </summary>
    public void Discard()
    {
        if (_phase is not (YencPhase.Tail or YencPhase.Complete))
            Finish(YencResult.Discarded);
    }

    /// <summary>Like <see cref="Discard"/>, but the article counts as damaged: its part claims more bytes than the owner accepts.</summary>
    public void Refuse() => Finish(YencResult.Oversized);

    private YencScan DecodeData(ReadOnlySpan<byte> source, ref int consumed)
    {
        var destination = _destination.Span;
        YencScan scan;
        do
        {
            var slice = source[consumed..];
            if (slice.Length > Slice)
                slice = slice[..Slice];
            scan = YencDecoder.Decode(ref _state, slice, destination[Written..], out var read, out var written);
            _crc = Crc32.Append(_crc, destination.Slice(Written, written));
            Written += written;
            consumed += read;
        }
        while (scan == YencScan.NeedMore && consumed < source.Length);
        return scan;
    }

    /// <summary>Scans to the next control line, byte of data or terminator: without a destination the decoder stops at data.</summary>
    private YencScan Peek(ReadOnlySpan<byte> source, ref int consumed)
    {
        var scan = YencDecoder.Decode(ref _state, source[consumed..], default, out var read, out _);
        consumed += read;
        return scan;
    }

    /// <summary>Scans to the next control line or terminator; the data in between is decoded and dropped.</summary>
    [SkipLocalsInit]
    private YencScan Skip(ReadOnlySpan<byte> source, ref int consumed)
    {
        Span<byte> scratch = stackalloc byte[4096];
        YencScan scan;
        do
        {
            scan = YencDecoder.Decode(ref _state, source[consumed..], scratch, out var read, out _);
            consumed += read;
        }
        while (scan == YencScan.DestinationFull);
        return scan;
    }

    /// <summary>Collects a control line up to its LF. Bytes that exceed the buffer are dropped.</summary>
    /// <returns>True when the line is complete.</returns>
    private bool ReadLine(ReadOnlySpan<byte> source, ref int consumed)
    {
        var rest = source[consumed..];
        var end = rest.IndexOf((byte)'\n');
        var line = end < 0 ? rest : rest[..end];
        var kept = Math.Min(line.Length, _line.Length - _lineLength);
        line[..kept].CopyTo(_line.AsSpan(_lineLength));
        _lineLength += kept;
        if (!line.IsEmpty)
            _lineCr = line[^1] == '\r';
        consumed += end < 0 ? rest.Length : end + 1;
        if (end < 0)
            return false;

        _state = _lineCr ? YencDecoderState.LineStart : YencDecoderState.BareLineStart;
        _lineCr = _inLine = false;
        return true;
    }

    private void OnControlLine(ReadOnlySpan<byte> line)
    {
        if (YencField.IsLine(line, "=yend"u8, out _))
        {
            if (_phase is YencPhase.Preamble or YencPhase.Tail)
                return;

            // After an unreadable field the remaining ones are empty: then there is nothing to compare with.
            _ = YencTrailer.TryRead(line, out _trailer);
            Validate();
            return;
        }

        var isBegin = YencField.IsLine(line, "=ybegin"u8, out _);
        switch (_phase)
        {
            case YencPhase.Preamble when isBegin:
                _phase = YencPhase.Begun;
                if (!Header.TryReadBegin(line))
                    Finish(YencResult.BadHeader);
                break;
            case YencPhase.Begun when YencField.IsLine(line, "=ypart"u8, out _):
                if (Header.TryReadPart(line))
                    EnterHeaderReady();
                else
                    Finish(YencResult.BadHeader);
                break;
            case YencPhase.Begun or YencPhase.Data or YencPhase.Overlong when isBegin:
                // A second file in the same article: the first one ends here, without a trailer.
                Validate();
                break;
        }
    }

    private void EnterHeaderReady()
    {
        // Without a range, the position of any part but the first is unknown.
        if (Header.PartSize < 1 || (!Header.HasRange && Header.Part > 1))
            Finish(YencResult.BadHeader);
        else if (Header.PartSize > MaxPartSize)
            Finish(YencResult.Oversized);
        else
            _phase = YencPhase.HeaderReady;
    }

    /// <summary>
    /// Decides the result. The checksum counts more than the sizes in <c>=yend</c> and <c>=ypart</c>: some posters put the file's size
    /// there. The right number of bytes with the right checksum is right.
    /// </summary>
    private void Validate()
    {
        var expected = ExpectedCrc;
        if (_phase == YencPhase.Begun && Header.PartSize is < 1 or > MaxPartSize)
            Finish(Header.PartSize < 1 ? YencResult.BadHeader : YencResult.Oversized);
        else if (_overlong || Written > Header.PartSize || (Written < Header.PartSize && !IsWholeThoughShort(expected)))
            Finish(YencResult.SizeMismatch);
        else if (expected is { } crc)
            Finish(crc == _crc ? YencResult.Ok : YencResult.CrcMismatch);
        else
            Finish(_trailer.Size is { } size && size != Written ? YencResult.SizeMismatch : YencResult.Ok);
    }

    /// <summary>
    /// True for a whole part although <c>=ypart</c> states more bytes: its end counts one byte too many or lies beyond the file. Then the
    /// checksum, or without one the size in <c>=yend</c>, must match, as the poster computed those from the bytes themselves.
    /// </summary>
    private bool IsWholeThoughShort(uint? expected) => Written > 0 && (expected is { } crc ? crc == _crc : _trailer.Size == Written);

    private void Finish(YencResult verdict)
    {
        Verdict = verdict;
        _destination = default;
        _phase = YencPhase.Tail;
    }
}

/// <summary>What the caller of a <see cref="YencArticleDecoder"/> must do next.</summary>
internal enum ArticleFeed
{
    /// <summary>All bytes are processed: pass the next ones.</summary>
    NeedMore,

    /// <summary>The header is read: set a destination or discard, then pass the remaining bytes. Occurs at most once per article.</summary>
    HeaderReady,

    /// <summary>The article's terminator is consumed. What follows belongs to the next reply.</summary>
    Complete,
}

/// <summary>Position of the decoder within an article.</summary>
internal enum YencPhase
{
    /// <summary>Before <c>=ybegin</c>.</summary>
    Preamble,

    /// <summary>After <c>=ybegin</c>: <c>=ypart</c> or data.</summary>
    Begun,

    /// <summary>Waits for the owner to set a destination.</summary>
    HeaderReady,

    /// <summary>Encoded lines.</summary>
    Data,

    /// <summary>More data than announced: nothing is written until <c>=yend</c>.</summary>
    Overlong,

    /// <summary>Everything up to the terminator is skipped.</summary>
    Tail,

    /// <summary>The terminator has been consumed.</summary>
    Complete,
}

/// <summary>Result of decoding an article.</summary>
internal enum YencResult
{
    /// <summary>The article is not complete yet.</summary>
    None,

    /// <summary>
    /// As many bytes as announced, or fewer that match the checksum or the size in <c>=yend</c>; and no checksum contradicts them.
    /// <see cref="YencArticleDecoder.CrcVerified"/> tells whether there was a checksum.
    /// </summary>
    Ok,

    /// <summary>The owner discarded the data.</summary>
    Discarded,

    /// <summary>No <c>=ybegin</c> line.</summary>
    NotYenc,

    /// <summary>A header that cannot be read, or a part without bytes.</summary>
    BadHeader,

    /// <summary>The part claims more bytes than an article may have.</summary>
    Oversized,

    /// <summary>Fewer or more bytes than <c>=ypart</c> or <c>=yend</c> states.</summary>
    SizeMismatch,

    /// <summary>The bytes do not match the checksum in <c>=yend</c>.</summary>
    CrcMismatch,
}
