using NzbDav.Content;

namespace NzbDav.Catalog;

/// <summary>
/// Extent maps as bytes. What is regular costs nothing: sizes and offsets are runs, whole segments are implied, ids share their
/// beginning and end with the id before. What is left are the random parts of the ids, which nothing can shorten but
/// entropy coding, which the blob store does.
/// </summary>
/// <remarks>
/// All numbers are LEB128 varints.
/// <code>
/// version (1, 2 with reckoned runs, 3 with a date)  flags  segment count n  extent count m
/// posted:  if flag 8 says so: days since 1970-01-01
/// sizes:   (count, size)…                  until n
/// begins:  (count, begin of the first)…    until n; within a run each begins where the one before ends
/// ids:     (count, prefix, suffix, middle)… until n: bytes shared with the id before at its beginning and end, own bytes between;
///          then all own bytes
/// extents: unless flag 2 says "every segment, whole, in order":
///          2k      k whole segments, from the next one on; each segment at most once in such a run
///          2z + 1  offset  cut: one extent; z = zigzag of its segment relative to the next one; cut = bytes left out at the segment's end
/// reckoned: if flag 4 says so: number of runs, then for each
///          segments since the end of the run before  segments  size of the posted file  of its first segment  id  name  header  hash of its head, the last four with their lengths before them;
///          the id's is 0 when it is that of the run's first segment
/// </code>
/// "The next one" is the segment after that of the last extent. Segments are stored in the order in which extents first use them.
/// </remarks>
public static class ExtentMapCodec
{
    internal const int Version = 1;
    internal const int ReckonedVersion = 2;
    internal const int DatedVersion = 3;
    internal const int SizesVerifiedFlag = 1;
    internal const int WholeFlag = 2;
    internal const int ReckonedFlag = 4;
    internal const int DatedFlag = 8;

    /// <summary>1 January 10000: what damaged input may claim as a date ends there.</summary>
    internal const int LastDay = 2_932_896;

    /// <summary>Longest id in bytes: three message-ids with spaces between them. A line of NNTP holds 512 bytes with the command (RFC 3977, 3.1), so a longer one could not be asked for.</summary>
    internal const int LongestId = 1502;

    /// <summary>More segments than any post has (12 TB at the usual size): a bound for what damaged input may claim.</summary>
    internal const int MostSegments = 1 << 24;

    /// <summary>The bytes of a map; equal maps give equal bytes.</summary>
    /// <exception cref="ArgumentException">An id is longer than 500 bytes, or there are more than 16 million segments.</exception>
    public static ReadOnlyMemory<byte> Encode(ExtentMap map, bool sizesVerified)
    {
        ArgumentNullException.ThrowIfNull(map);
        return Encode(new StoredExtentMap(map, sizesVerified));
    }

    /// <inheritdoc cref="Encode(ExtentMap, bool)"/>
    public static ReadOnlyMemory<byte> Encode(StoredExtentMap stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        return new ExtentMapEncoder(stored.Map).Encode(stored.SizesVerified, stored.Reckoned);
    }

    /// <summary>The map of these bytes. Memory use is bounded by the length of the input, whatever it claims.</summary>
    /// <exception cref="InvalidDataException">The bytes are damaged, or a newer version wrote them.</exception>
    public static StoredExtentMap Decode(ReadOnlySpan<byte> bytes) => new ExtentMapDecoder(bytes).Decode();
}
