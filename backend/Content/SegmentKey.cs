namespace NzbDav.Content;

/// <summary>A segment to fetch, and the facts known about it beforehand.</summary>
/// <param name="Id">For Usenet the message-id without angle brackets.</param>
/// <param name="Begin">Offset of its first byte in the posted file; −1: unknown.</param>
/// <param name="Size">Decoded bytes; 0: unknown, although the offset may be known.</param>
public readonly record struct SegmentKey(string Id, long Begin, int Size)
{
    /// <summary>
    /// Largest segment in bytes. Articles in the wild stay under 4 MiB; the limit prevents a forged header from reserving memory.
    /// </summary>
    public const int Most = 8 << 20;

    /// <summary>Bytes expected of a segment of unknown size: articles of more than 1 MB decoded are rare.</summary>
    private const int Usual = 1 << 20;

    /// <summary>
    /// When it was posted, as <see cref="SegmentTable.PostedDay"/>; 0: not known. Affects only which provider is asked first.
    /// </summary>
    public int PostedDay { get; init; }

    /// <summary>Encoded size in bytes according to the .nzb, as an estimate of the decoded size; 0: unknown.</summary>
    public int SentSize { get; init; }

    /// <summary>
    /// Most decoded bytes that the segment may claim: twice its known size or the size in its .nzb, whichever is greater; at least
    /// <see cref="Usual"/>, as some .nzb files state too little, and at most <see cref="Most"/>; <see cref="Most"/> if neither size is
    /// known.
    /// </summary>
    public int MostSize => Size == 0 && SentSize == 0 ? Most : (int)Math.Clamp(2L * Math.Max(Size, SentSize), Usual, Most);

    /// <summary>Bytes to expect: the size if known, else the size in the .nzb, else <see cref="Usual"/>.</summary>
    public int ExpectedSize => Size > 0 ? Size : SentSize > 0 ? Math.Min(SentSize, Most) : Usual;

    /// <summary>A segment of which only the id is known.</summary>
    public static SegmentKey Unknown(string id) => new(id, -1, 0);

    /// <summary>True when a segment with this header is the expected one, or nothing was expected.</summary>
    public bool Matches(long begin, int size) => (Begin < 0 || begin == Begin) && (Size == 0 || size == Size);
}
