using System.Buffers;
using System.Text;

namespace NzbDav.MockUsenet.Articles;

/// <summary>One article of a posted file. Thread-safe. Its encoded form is created once and kept until <see cref="Forget"/>.</summary>
public sealed class PostedSegment
{
    /// <summary>222 = body follows; 0 is the number of an article requested by message-id (RFC 3977, 6.2.3.2).</summary>
    private const string BodyStatus = "222 0 ";

    private static readonly SearchValues<char> NotInId = SearchValues.Create("<> \t\r\n");

    private byte[]? _wire;

    internal PostedSegment(PostedFile file, int index, string messageId, long offset, int size)
    {
        if (messageId.Length is 0 or > 248 || !Ascii.IsValid(messageId) || messageId.AsSpan().ContainsAny(NotInId))
            throw new ArgumentException($"Not a message-id: {messageId}", nameof(messageId));
        (File, Index, MessageId, Offset, Size) = (file, index, messageId, offset, size);
    }

    public PostedFile File { get; }

    /// <summary>Index in the file, from 0.</summary>
    public int Index { get; }

    /// <summary>Part number as in NZB and yEnc, from 1.</summary>
    public int Number => Index + 1;

    /// <summary>Without angle brackets.</summary>
    public string MessageId { get; }

    /// <summary>Offset of its first byte in the decoded file.</summary>
    public long Offset { get; }

    /// <summary>Number of decoded bytes.</summary>
    public int Size { get; }

    /// <summary>
    /// Encoded bytes, as in an NZB: exact once the article was encoded, before that an estimate (within some tenths of a per cent).
    /// </summary>
    public int EncodedSize => Volatile.Read(ref _wire) is { } wire ? wire.Length - StatusLength - 3 : ArticleEncoder.Estimate(Size);

    /// <summary>The dot-stuffed body with the final dot line, as BODY sends it after its status line. Encodes on first use.</summary>
    public ReadOnlyMemory<byte> Body => Wire[StatusLength..];

    private ArticlePart Part => new()
    {
        MessageId = MessageId,
        Shape = File.Options.Shape?.Invoke(Index) ?? ArticleShape.Regular,
        Source = File.Source,
        Name = File.YencNameOf(Index),
        Claim = File.Options.Claim?.Invoke(Index),
        Header = File.Options.Header,
        Index = Index,
        Count = File.Segments.Count,
        Offset = Offset,
        Size = Size,
    };

    /// <summary>Status line and body in one piece, ready to send.</summary>
    internal ReadOnlyMemory<byte> Wire
    {
        get
        {
            if (Volatile.Read(ref _wire) is { } known)
                return known;
            // Two connections may encode at the same time: the results are equal, and the first one is kept.
            var made = ArticleEncoder.Encode(Part, StatusLine(BodyStatus));
            return Interlocked.CompareExchange(ref _wire, made, null) ?? made;
        }
    }

    internal int StatusLength => BodyStatus.Length + MessageId.Length + 4;

    /// <summary>Fills <paramref name="destination"/>, of <see cref="Size"/> bytes, with the decoded payload.</summary>
    public void ReadPayload(Span<byte> destination) => File.Source.Fill(Offset, destination[..Size]);

    /// <summary>Drops the encoded form; the next request encodes again. For posts larger than memory.</summary>
    public void Forget() => Volatile.Write(ref _wire, null);

    /// <summary>The article's header lines, without the blank line after them.</summary>
    internal byte[] HeaderLines() => Encoding.UTF8.GetBytes(
        $"Path: mock.invalid!not-for-mail\r\nFrom: {File.Options.Poster}\r\nNewsgroups: {string.Join(',', File.Options.Groups)}\r\n"
        + $"Subject: {File.SubjectOf(Index)}\r\nMessage-ID: <{MessageId}>\r\n"
        + $"Date: {File.Options.Date.ToUniversalTime():ddd, dd MMM yyyy HH:mm:ss} +0000\r\n"
        + "X-Newsreader: MockUsenet\r\n");

    internal byte[] StatusLine(string code) => Encoding.ASCII.GetBytes($"{code}<{MessageId}>\r\n");
}
