using System.Diagnostics;

namespace NzbDav.Content;

/// <summary>
/// The flat map of one file: sorted extents that cover it without gaps, over a table of segments (for Usenet: articles). A read is one
/// binary search, whatever the layout of the post. Immutable and thread-safe.
/// </summary>
/// <remarks>Compact: the ids are one UTF-8 block, so a map takes about 24 + 12 bytes per segment plus its id. Maps may have 700,000
/// segments.</remarks>
public sealed class ExtentMap
{
    private readonly Extent[] _extents;
    private readonly SegmentTable _segments;

    /// <param name="extents">Sorted by <see cref="Extent.Start"/>, first at 0, each beginning where the one before ends.</param>
    /// <param name="segments">The segments that the extents point into.</param>
    /// <exception cref="ArgumentException">The extents leave a gap, overlap, or point outside a segment.</exception>
    public ExtentMap(Extent[] extents, SegmentTable segments)
    {
        ArgumentNullException.ThrowIfNull(extents);
        ArgumentNullException.ThrowIfNull(segments);
        long next = 0;
        foreach (ref readonly var extent in extents.AsSpan())
        {
            if (extent.Start != next || extent.Length < 1)
                throw new ArgumentException($"The extent at {extent.Start} does not continue at {next}.", nameof(extents));
            if ((uint)extent.Segment >= (uint)segments.Count || extent.Offset < 0
                || (long)extent.Offset + extent.Length > segments.Size(extent.Segment))
                throw new ArgumentException($"The extent at {extent.Start} points outside its segment.", nameof(extents));
            next = extent.End;
        }

        _extents = extents;
        _segments = segments;
        Length = next;
    }

    /// <summary>Size of the file in bytes.</summary>
    public long Length { get; }

    /// <summary>The extents, in file order.</summary>
    public ReadOnlySpan<Extent> Extents => _extents;

    /// <summary>The segments that the extents point into.</summary>
    public SegmentTable Segments => _segments;

    /// <summary>The id of the segment that holds the first byte; null for an empty file. Allocates.</summary>
    public string? FirstSegmentId => _extents.Length == 0 ? null : _segments.Id(_extents[0].Segment);

    /// <summary>Makes the map of a file that consists of whole segments, one after the other.</summary>
    public static ExtentMap OfWholeSegments(SegmentTable segments)
    {
        ArgumentNullException.ThrowIfNull(segments);
        var extents = new Extent[segments.Count];
        long start = 0;
        for (var i = 0; i < extents.Length; i++)
        {
            extents[i] = new Extent(start, i, 0, segments.Size(i));
            start += segments.Size(i);
        }

        return new ExtentMap(extents, segments);
    }

    /// <summary>True when both maps have the same bytes of the same segments in a range.</summary>
    /// <param name="other">Must be at least <paramref name="end"/> bytes long, as this one.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">One past the last byte; an empty range always agrees.</param>
    internal bool AgreesWith(ExtentMap other, long start, long end)
    {
        if (start >= end)
            return true;
        for (int mine = Find(start), its = other.Find(start); start < end;)
        {
            ref readonly var a = ref _extents[mine];
            ref readonly var b = ref other._extents[its];
            if (a.Offset + (start - a.Start) != b.Offset + (start - b.Start)
                || !_segments.IdUtf8(a.Segment).SequenceEqual(other._segments.IdUtf8(b.Segment)))
                return false;
            start = Math.Min(a.End, b.End);
            mine += a.End == start ? 1 : 0;
            its += b.End == start ? 1 : 0;
        }

        return true;
    }

    /// <summary>Index of the extent that holds <paramref name="offset"/>.</summary>
    /// <param name="offset">0 … <see cref="Length"/> − 1.</param>
    public int Find(long offset)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(offset, Length);
        int low = 0, high = _extents.Length - 1;
        while (low < high)
        {
            var middle = (int)(((uint)low + (uint)high + 1) / 2);
            if (_extents[middle].Start <= offset)
                low = middle;
            else
                high = middle - 1;
        }

        Debug.Assert(_extents[low].Start <= offset && offset < _extents[low].End, "extents are contiguous");
        return low;
    }
}

/// <summary>A run of a file's bytes inside one segment.</summary>
/// <param name="Start">Offset in the file of the run's first byte.</param>
/// <param name="Segment">Index into the map's segment table.</param>
/// <param name="Offset">Offset in the decoded segment of the run's first byte.</param>
/// <param name="Length">Bytes in the run, at least 1.</param>
public readonly record struct Extent(long Start, int Segment, int Offset, int Length)
{
    /// <summary>Offset in the file one past the run's last byte.</summary>
    public long End => Start + Length;

    /// <summary>The run's bytes in the file.</summary>
    public ByteSpan Bytes => new(Start, End);
}
