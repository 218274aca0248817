namespace NzbDav.Content;

/// <summary>A segment to fetch, and what is known about it beforehand.</summary>
/// <param name="Id">For Usenet the message-id without angle brackets.</param>
/// <param name="Begin">Offset of its first byte in the posted file, or −1 when unknown.</param>
/// <param name="Size">Decoded bytes, or 0 when unknown; then the offset may still be known.</param>
public readonly record struct SegmentKey(string Id, long Begin, int Size)
{
    /// <summary>When it was posted, as <see cref="SegmentTable.PostedDay"/>; 0: not known. Affects only which provider is asked first.</summary>
    public int PostedDay { get; init; }

    /// <summary>A segment of which only the id is known.</summary>
    public static SegmentKey Unknown(string id) => new(id, -1, 0);

    /// <summary>True when a segment with this header is what was expected, or nothing was expected.</summary>
    public bool Matches(long begin, int size) => (Begin < 0 || begin == Begin) && (Size == 0 || size == Size);
}
