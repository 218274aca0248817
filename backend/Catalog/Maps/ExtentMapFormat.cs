namespace NzbDav.Catalog.Maps;

/// <summary>The binary form of an extent map, and its limits.</summary>
/// <remarks>
/// All numbers are LEB128 varints.
/// <code>
/// version (1, 2 with inferred volumes, 3 with a date)  flags  segment count n  extent count m
/// posted:  if flag 8 says so: days since 1970-01-01
/// sizes:   (count, size)…                  until n
/// begins:  (count, begin of the first)…    until n; within a run each begins where the one before ends
/// ids:     (count, prefix, suffix, middle)… until n: bytes shared with the id before at its beginning and end, own bytes between;
///          then all own bytes
/// extents: unless flag 2 says "every segment, whole, in order":
///          2k      k whole segments, from the next one on; each segment at most once in such a run
///          2z + 1  offset  cut: one extent; z = zigzag of its segment relative to the next one; cut = bytes left out at the segment's end
/// inferred: if flag 4 says so: number of volumes, then for each
///          segments since the end of the volume before  segments  size of the posted file  of its first segment  id  name  header  hash of
/// its head, the last four with their lengths before them;          the id's is 0 when it is that of the volume's first segment in the map
/// </code>
/// "The next one" is the segment after that of the last extent. Segments are stored in the order in which extents first use them.
/// </remarks>
internal static class ExtentMapFormat
{
    public const int Version = 1;
    public const int InferredVersion = 2;
    public const int DatedVersion = 3;
    public const int SizesVerifiedFlag = 1;
    public const int WholeFlag = 2;
    public const int InferredFlag = 4;
    public const int DatedFlag = 8;

    /// <summary>1 January 10000: the latest date accepted from damaged input.</summary>
    public const int LastDay = 2_932_896;

    /// <summary>
    /// Longest id in bytes: three message-ids with spaces between them. An NNTP command line holds 512 bytes (RFC 3977, 3.1), so a longer
    /// message-id could not be requested.
    /// </summary>
    public const int LongestId = 1502;

    /// <summary>More segments than any post has (12 TB at the usual size): limits what damaged input may claim.</summary>
    public const int MostSegments = 1 << 24;
}

/// <summary>How an id is encoded: the number of bytes shared with the previous id at both ends, and of its own bytes between.</summary>
internal readonly record struct IdShape(int Prefix, int Suffix, int Middle)
{
    /// <summary>
    /// Least growth of a shared part. A chance match of a character or two would end a run of equal shapes, which costs more than it saves.
    /// A shared part shrinks at once, because it must.
    /// </summary>
    private const int WorthGrowing = 4;

    public int Length => Prefix + Suffix + Middle;

    /// <summary>The shape of <paramref name="id"/> after <paramref name="previous"/>; equal to this one if possible.</summary>
    public IdShape Next(ReadOnlySpan<byte> previous, ReadOnlySpan<byte> id)
    {
        // At least one byte is the id's own, so the number of bytes bounds the number of ids.
        var room = id.Length - 1;
        var prefix = Settle(Prefix, Math.Min(room, previous.CommonPrefixLength(id)));
        room = Math.Min(room - prefix, previous.Length);
        var shared = 0;
        while (shared < room && previous[^(shared + 1)] == id[^(shared + 1)])
            shared++;
        var suffix = Settle(Suffix, shared);
        return new IdShape(prefix, suffix, id.Length - prefix - suffix);
    }

    private static int Settle(int before, int shared) => shared < before || shared >= before + WorthGrowing ? shared : before;
}
