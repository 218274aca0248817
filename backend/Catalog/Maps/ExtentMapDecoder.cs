using System.Text;
using NzbDav.Content;

namespace NzbDav.Catalog.Maps;

/// <summary>Decodes one map; trusts nothing that the input claims. See <see cref="ExtentMapFormat"/> for the format.</summary>
internal ref struct ExtentMapDecoder(ReadOnlySpan<byte> bytes)
{
    /// <summary>
    /// Most bytes of all ids together: above 16 million ids of the usual 50 bytes. Without it, shared prefixes could expand damaged input
    /// 500-fold.
    /// </summary>
    private const long MostIdBytes = 1 << 30;

    private VarintReader _in = new(bytes);

    public StoredExtentMap Decode()
    {
        var version = _in.Number();
        if (version is not (ExtentMapFormat.Version or ExtentMapFormat.InferredVersion or ExtentMapFormat.DatedVersion))
            throw new InvalidDataException(
                $"The extent map has version {version}; this version of NzbDav knows {ExtentMapFormat.DatedVersion} and those before.");
        var known = ExtentMapFormat.SizesVerifiedFlag | ExtentMapFormat.WholeFlag
            | (version >= ExtentMapFormat.InferredVersion ? ExtentMapFormat.InferredFlag : 0)
            | (version >= ExtentMapFormat.DatedVersion ? ExtentMapFormat.DatedFlag : 0);
        var flags = _in.Number(0, known, "the set of flags");

        // Each segment has at least one byte of its own; each extent is a segment in a run or has at least one byte of its own.
        var segmentCount = _in.Number(0, Math.Min(_in.Remaining, ExtentMapFormat.MostSegments), "the number of segments");
        var extentCount = _in.Number(0, segmentCount + _in.Remaining, "the number of extents");
        var postedDay = (flags & ExtentMapFormat.DatedFlag) != 0 ? _in.Number(1, ExtentMapFormat.LastDay, "the date") : 0;
        var sizes = Sizes(segmentCount);
        var begins = Begins(sizes);
        var segments = Segments(sizes, begins, postedDay);
        var whole = (flags & ExtentMapFormat.WholeFlag) != 0;
        if (whole && extentCount != segmentCount)
            throw Damaged("the number of extents is not that of the segments");
        var map = whole ? ExtentMap.OfWholeSegments(segments) : new ExtentMap(Extents(extentCount, sizes), segments);
        IReadOnlyList<InferredVolume> inferred = (flags & ExtentMapFormat.InferredFlag) != 0 ? Inferred(segments) : [];
        if (_in.Remaining > 0)
            throw Damaged("it goes on after its end");
        return new StoredExtentMap(map, (flags & ExtentMapFormat.SizesVerifiedFlag) != 0) { Inferred = inferred };
    }

    private static InvalidDataException Damaged(string what) => new($"The extent map is damaged: {what}.");

    private int[] Sizes(int count)
    {
        var sizes = new int[count];
        for (var i = 0; i < count;)
        {
            var run = _in.Number(1, count - i, "a run of sizes");
            sizes.AsSpan(i, run).Fill(_in.Number(1, int.MaxValue, "a size"));
            i += run;
        }

        return sizes;
    }

    private long[] Begins(int[] sizes)
    {
        var begins = new long[sizes.Length];
        for (var i = 0; i < begins.Length;)
        {
            var run = _in.Number(1, begins.Length - i, "a run of offsets");
            var begin = _in.Number();
            for (var end = i + run; i < end; i++)
            {
                if (begin < 0)
                    throw Damaged("an offset is too large");
                begins[i] = begin;
                begin = unchecked(begin + sizes[i]);
            }
        }

        return begins;
    }

    private SegmentTable Segments(int[] sizes, long[] begins, int postedDay)
    {
        var shapes = new List<(int Count, IdShape Shape)>();
        long total = 0, own = 0;
        var before = 0;
        for (var i = 0; i < sizes.Length;)
        {
            var run = _in.Number(1, sizes.Length - i, "a run of ids");
            var shape = new IdShape(_in.Number(0, before, "a shared beginning"), _in.Number(0, before, "a shared end"),
                _in.Number(1, ExtentMapFormat.LongestId, "an id's own part"));
            if (shape.Length > ExtentMapFormat.LongestId)
                throw Damaged($"an id has {shape.Length} bytes");
            before = shape.Length;
            total += (long)shape.Length * run;
            own += (long)shape.Middle * run;
            shapes.Add((run, shape));
            i += run;
        }

        if (total > MostIdBytes || own > _in.Remaining)
            throw Damaged("there are more ids than bytes");
        return Fill(shapes, _in.Bytes((int)own), sizes, begins, postedDay);
    }

    private static SegmentTable Fill(
        List<(int Count, IdShape Shape)> shapes, ReadOnlySpan<byte> own, int[] sizes, long[] begins, int postedDay)
    {
        var builder = new SegmentTable.Builder { PostedDay = postedDay };
        Span<byte> id = stackalloc byte[ExtentMapFormat.LongestId];
        Span<byte> ending = stackalloc byte[ExtentMapFormat.LongestId];
        var before = 0;
        foreach (var (count, shape) in shapes)
        {
            // The suffix moves where the length changes; within the run only the middle changes.
            id[(before - shape.Suffix)..before].CopyTo(ending);
            ending[..shape.Suffix].CopyTo(id[(shape.Prefix + shape.Middle)..]);
            before = shape.Length;
            for (var i = 0; i < count; i++)
            {
                own[..shape.Middle].CopyTo(id[shape.Prefix..]);
                own = own[shape.Middle..];
                builder.Add(id[..before], begins[builder.Count], sizes[builder.Count]);
            }
        }

        return builder.Build();
    }

    private Extent[] Extents(int count, int[] sizes)
    {
        var extents = new Extent[count];
        var next = 0;
        var wholeFrom = 0;
        long start = 0;
        for (var i = 0; i < count;)
        {
            var head = _in.Number();
            if ((head & 1) == 0)
            {
                var run = head >> 1;
                if (run < 1 || run > count - i || run > sizes.Length - next || next < wholeFrom)
                    throw Damaged("a run of whole segments goes too far");
                for (var end = i + (int)run; i < end; i++, next++)
                {
                    extents[i] = new Extent(start, next, 0, sizes[next]);
                    start += sizes[next];
                }

                wholeFrom = next;
                continue;
            }

            var zigzag = head >> 1;
            var segment = next + ((zigzag >> 1) ^ -(zigzag & 1));
            if (segment < 0 || segment >= sizes.Length)
                throw Damaged("an extent points at no segment");
            var offset = _in.Number();
            var cut = _in.Number();
            if (offset > sizes[segment] || cut > sizes[segment] || offset + cut >= sizes[segment])
                throw Damaged("an extent points outside its segment");
            var length = (int)(sizes[segment] - offset - cut);
            extents[i++] = new Extent(start, (int)segment, (int)offset, length);
            start += length;
            next = (int)segment + 1;
        }

        return extents;
    }

    private InferredVolume[] Inferred(SegmentTable segments)
    {
        var volumes = new InferredVolume[_in.Number(0, Math.Min(_in.Remaining, segments.Count), "the number of inferred volumes")];
        var next = 0;
        for (var i = 0; i < volumes.Length; i++)
        {
            var first = next + _in.Number(0, segments.Count - next, "the place of an inferred volume");
            var count = _in.Number(1, segments.Count - first, "an inferred volume");
            var fileSize = _in.Number();
            var size = _in.Number(1, int.MaxValue, "a size");
            var id = _in.Bytes(_in.Number(0, ExtentMapFormat.LongestId, "the length of an id"));
            var key = new SegmentKey(id.IsEmpty ? segments.Id(first) : Encoding.UTF8.GetString(id), 0, size)
            { PostedDay = segments.PostedDay };
            var name = Encoding.UTF8.GetString(_in.Bytes(_in.Number(0, _in.Remaining, "the length of a name")));
            var header = _in.Bytes(_in.Number(0, _in.Remaining, "the length of a header")).ToArray();
            var hash = _in.Bytes(_in.Number(0, _in.Remaining, "the length of a hash")).ToArray();
            volumes[i] = new InferredVolume(key, name, fileSize) { Header = header, HeadHash = hash, First = first, Count = count };
            next = first + count;
        }

        return volumes;
    }
}
