namespace NzbDav.Content;

/// <summary>
/// Builds a file's map from ranges of other maps, such as a stored file that runs through several volumes. The new map's table holds only
/// the segments it uses, in the order of first use. For one caller at a time; not to be used after <see cref="Build"/>.
/// </summary>
public sealed class ExtentMapBuilder
{
    private readonly List<Extent> _extents = [];
    private readonly SegmentTable.Builder _segments = new();

    /// <summary>
    /// New indices of the segments added in part. Only these can be added again, at the end of one range and the beginning of the next.
    /// </summary>
    private readonly Dictionary<(ExtentMap Map, int Segment), int> _cut = [];

    public long Length { get; private set; }

    /// <summary>Segments in the new map's table so far.</summary>
    public int SegmentCount => _segments.Count;

    /// <summary>Appends a range of a map.</summary>
    /// <param name="map">The map to copy from.</param>
    /// <param name="start">First byte, 0 … the map's length.</param>
    /// <param name="length">At least 0, not beyond the map's end.</param>
    /// <exception cref="ArgumentOutOfRangeException">The range is not inside the map.</exception>
    public void Append(ExtentMap map, long start, long length)
    {
        ArgumentNullException.ThrowIfNull(map);
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, map.Length);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, map.Length - start);
        if (length == 0)
            return;
        var range = ByteSpan.OfLength(start, length);
        if (map.Segments.PostedDay is > 0 and var day && (_segments.PostedDay == 0 || day < _segments.PostedDay))
            _segments.PostedDay = day;
        for (var i = map.Find(start); i < map.Extents.Length && map.Extents[i].Start < range.End; i++)
        {
            ref readonly var extent = ref map.Extents[i];
            var part = extent.Bytes.Intersect(range);
            Add(map, extent.Segment, extent.Offset + (int)(part.Start - extent.Start), (int)part.Length);
        }
    }

    public ExtentMap Build() => new([.. _extents], _segments.Build());

    private void Add(ExtentMap map, int segment, int offset, int count)
    {
        var index = IndexOf(map, segment, whole: count == map.Segments.Size(segment));
        if (_extents.Count > 0 && _extents[^1] is var last && last.Segment == index && last.Offset + last.Length == offset)
            _extents[^1] = last with { Length = last.Length + count };
        else
            _extents.Add(new Extent(Length, index, offset, count));
        Length += count;
    }

    private int IndexOf(ExtentMap map, int segment, bool whole)
    {
        if (_cut.TryGetValue((map, segment), out var index))
            return index;
        index = _segments.Count;
        _segments.Add(map.Segments.IdUtf8(segment), map.Segments.Begin(segment), map.Segments.Size(segment));
        if (!whole)
            _cut.Add((map, segment), index);
        return index;
    }
}
