using System.Text;
using NzbDav.Content;

namespace NzbDav.Catalog.Maps;

/// <summary>Encodes one map; see <see cref="ExtentMapFormat"/> for the format.</summary>
internal sealed class ExtentMapEncoder
{
    private readonly ExtentMap _map;
    private readonly SegmentTable _segments;
    private readonly VarintWriter _out = new();

    // Stored index → index in the table, and back.
    private readonly int[] _order;
    private readonly int[] _stored;

    public ExtentMapEncoder(ExtentMap map)
    {
        _map = map;
        _segments = map.Segments;
        _stored = new int[_segments.Count];
        Array.Fill(_stored, -1);
        var order = new List<int>(Math.Min(map.Extents.Length, _segments.Count));
        foreach (ref readonly var extent in map.Extents)
        {
            if (_stored[extent.Segment] >= 0)
                continue;
            _stored[extent.Segment] = order.Count;
            order.Add(extent.Segment);
        }

        _order = [.. order];
        foreach (var segment in _order)
        {
            if (_segments.IdUtf8(segment).Length > ExtentMapFormat.LongestId)
                throw new ArgumentException($"An id of {_segments.IdUtf8(segment).Length} bytes cannot be stored.", nameof(map));
        }

        if (_order.Length > ExtentMapFormat.MostSegments)
            throw new ArgumentException($"A map of {_order.Length} segments cannot be stored.", nameof(map));
    }

    public ReadOnlyMemory<byte> Encode(bool sizesVerified, IReadOnlyList<InferredVolume> inferred)
    {
        var whole = IsWhole();
        var dated = _segments.PostedDay > 0;
        _out.Number(dated ? ExtentMapFormat.DatedVersion : inferred.Count == 0 ? ExtentMapFormat.Version : ExtentMapFormat.InferredVersion);
        _out.Number((sizesVerified ? ExtentMapFormat.SizesVerifiedFlag : 0) | (whole ? ExtentMapFormat.WholeFlag : 0)
            | (inferred.Count == 0 ? 0 : ExtentMapFormat.InferredFlag)
            | (dated ? ExtentMapFormat.DatedFlag : 0));
        _out.Number(_order.Length);
        _out.Number(_map.Extents.Length);
        if (dated)
            _out.Number(Math.Min(_segments.PostedDay, ExtentMapFormat.LastDay));
        Sizes();
        Begins();
        Ids();
        if (!whole)
            Extents();
        if (inferred.Count > 0)
            Inferred(inferred);
        return _out.Written;
    }

    private bool IsWhole()
    {
        var extents = _map.Extents;
        if (extents.Length != _order.Length)
            return false;
        for (var i = 0; i < extents.Length; i++)
        {
            if (_stored[extents[i].Segment] != i || !IsWhole(extents[i]))
                return false;
        }

        return true;
    }

    private bool IsWhole(Extent extent) => extent.Offset == 0 && extent.Length == _segments.Size(extent.Segment);

    private void Sizes()
    {
        for (int start = 0, end; start < _order.Length; start = end)
        {
            var size = _segments.Size(_order[start]);
            for (end = start + 1; end < _order.Length && _segments.Size(_order[end]) == size;)
                end++;
            _out.Number(end - start);
            _out.Number(size);
        }
    }

    private void Begins()
    {
        for (int start = 0, end; start < _order.Length; start = end)
        {
            for (end = start + 1; end < _order.Length && _segments.Begin(_order[end]) == EndOf(_order[end - 1]);)
                end++;
            _out.Number(end - start);
            _out.Number(_segments.Begin(_order[start]));
        }
    }

    // Wraps near long.MaxValue: the result is negative, so it never equals a begin.
    private long EndOf(int segment) => unchecked(_segments.Begin(segment) + _segments.Size(segment));

    private void Ids()
    {
        var shape = default(IdShape);
        var own = new VarintWriter();
        var run = 0;
        ReadOnlySpan<byte> previous = [];
        foreach (var segment in _order)
        {
            var id = _segments.IdUtf8(segment);
            var next = shape.Next(previous, id);
            if (next != shape && run > 0)
            {
                Shape(run, shape);
                run = 0;
            }

            run++;
            shape = next;
            own.Bytes(id.Slice(shape.Prefix, shape.Middle));
            previous = id;
        }

        if (run > 0)
            Shape(run, shape);
        _out.Bytes(own.Written.Span);
    }

    private void Shape(int count, IdShape shape)
    {
        _out.Number(count);
        _out.Number(shape.Prefix);
        _out.Number(shape.Suffix);
        _out.Number(shape.Middle);
    }

    private void Extents()
    {
        var extents = _map.Extents;
        var next = 0;
        var wholeFrom = 0;
        for (var i = 0; i < extents.Length;)
        {
            var run = 0;
            while (i + run < extents.Length && next >= wholeFrom && _stored[extents[i + run].Segment] == next + run
                && IsWhole(extents[i + run]))
                run++;
            if (run > 0)
            {
                _out.Number((long)run << 1);
                next += run;
                wholeFrom = next;
                i += run;
                continue;
            }

            var extent = extents[i++];
            var segment = _stored[extent.Segment];
            var distance = segment - next;
            _out.Number(((long)(uint)((distance << 1) ^ (distance >> 31)) << 1) | 1);
            _out.Number(extent.Offset);
            _out.Number(_segments.Size(extent.Segment) - extent.Offset - extent.Length);
            next = segment + 1;
        }
    }

    private void Inferred(IReadOnlyList<InferredVolume> volumes)
    {
        // Places in stored order; a volume without a segment in use is left out.
        var stored = volumes.Select(
            volume => (Volume: volume, Places: _stored.AsSpan(volume.First, volume.Count).ToArray().Where(place => place >= 0).ToArray()))
            .Where(one => one.Places.Length > 0)
            .Select(one => (one.Volume, First: one.Places.Min(), End: one.Places.Max() + 1)).OrderBy(one => one.First).ToArray();
        _out.Number(stored.Length);
        var before = 0;
        foreach (var (volume, first, end) in stored)
        {
            if (first < before)
                throw new ArgumentException("Inferred volumes overlap.", nameof(volumes));
            _out.Number(first - before);
            _out.Number(end - first);
            _out.Number(volume.FileSize);
            _out.Number(volume.Proof.Size);
            var id = Encoding.UTF8.GetBytes(volume.Proof.Id);
            Sized(_segments.IdUtf8(_order[first]).SequenceEqual(id) ? [] : id);
            Sized(Encoding.UTF8.GetBytes(volume.Name));
            Sized(volume.Header.Span);
            Sized(volume.HeadHash.Span);
            before = end;
        }
    }

    private void Sized(ReadOnlySpan<byte> bytes)
    {
        _out.Number(bytes.Length);
        _out.Bytes(bytes);
    }
}
