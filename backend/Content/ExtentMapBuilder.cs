namespace NzbDav.Content;

/// <summary>
/// Puts a file's map together from cuts out of other maps: for instance a stored file out of the volumes that it runs through. The new map's table holds
/// only the segments that it uses, in the order in which it first uses them. For one caller at a time; not to be used after <see cref="Build"/>.
/// </summary>
public sealed class ExtentMapBuilder
{
    private readonly List<Extent> _extents = [];
    private readonly SegmentTable.Builder _segments = new();

    /// <summary>New places of segments that were cut: only those can come again (the end of one piece and the beginning of the next).</summary>
    private readonly Dictionary<(ExtentMap Map, int Segment), int> _cut = [];

    /// <summary>Bytes so far.</summary>
    public long Length { get; private set; }

    /// <summary>Segments in the new map's table so far.</summary>
    public int SegmentCount => _segments.Count;

    /// <summary>Adds bytes behind those that are there.</summary>
    /// <param name="map">Whose bytes.</param>
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
        var end = start + length;
        if (map.Segments.PostedDay is > 0 and var day && (_segments.PostedDay == 0 || day < _segments.PostedDay))
            _segments.PostedDay = day;
        for (var i = map.Find(start); i < map.Extents.Length && map.Extents[i].Start < end; i++)
        {
            ref readonly var extent = ref map.Extents[i];
            var skip = (int)Math.Max(0, start - extent.Start);
            var count = (int)(Math.Min(extent.End, end) - extent.Start) - skip;
            Add(map, extent.Segment, extent.Offset + skip, count);
        }
    }

    /// <summary>The finished map.</summary>
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
