namespace NzbDav.Content;

/// <summary>A segment to fetch, and what is known about it beforehand.</summary>
/// <param name="Id">For Usenet the message-id without angle brackets.</param>
/// <param name="Begin">Offset of its first byte in the posted file, or −1 when unknown.</param>
/// <param name="Size">Decoded bytes, or 0 when unknown; then the offset may still be known.</param>
public readonly record struct SegmentKey(string Id, long Begin, int Size)
{
    /// <summary>
    /// Largest segment in bytes. Articles in the wild stay under 4 MiB; the bound keeps a made-up header from reserving memory.
    /// </summary>
    public const int Most = 8 << 20;

    /// <summary>Bytes to expect of a segment of unknown size: articles of more than 1 MB decoded are rare.</summary>
    private const int Usual = 1 << 20;

    /// <summary>
    /// When it was posted, as <see cref="SegmentTable.PostedDay"/>; 0: not known. Affects only which provider is asked first.
    /// </summary>
    public int PostedDay { get; init; }

    /// <summary>Bytes of the segment as it is sent, as its .nzb says: an estimate of its size; 0: not known.</summary>
    public int SentSize { get; init; }

    /// <summary>
    /// Most decoded bytes that the segment may claim to have: twice its size or what its .nzb says, whichever is more, but at least
    /// <see cref="Usual"/>, because some .nzb files say too little, and never more than <see cref="Most"/>.
    /// </summary>
    public int MostSize => Size == 0 && SentSize == 0 ? Most : (int)Math.Clamp(2L * Math.Max(Size, SentSize), Usual, Most);

    /// <summary>Bytes to expect: the size if it is known, else what its .nzb says, else <see cref="Usual"/>.</summary>
    public int ExpectedSize => Size > 0 ? Size : SentSize > 0 ? Math.Min(SentSize, Most) : Usual;

    /// <summary>A segment of which only the id is known.</summary>
    public static SegmentKey Unknown(string id) => new(id, -1, 0);

    /// <summary>True when a segment with this header is what was expected, or nothing was expected.</summary>
    public bool Matches(long begin, int size) => (Begin < 0 || begin == Begin) && (Size == 0 || size == Size);
}
