using System.Text;
using NzbDav.Content;

namespace NzbDav.Catalog.Tests;

/// <summary>Extent maps of all shapes.</summary>
internal static class Samples
{
    private const string Letters = "abcdefghijklmnopqrstuvwxyz0123456789";

    /// <summary>Equal segments but for the last, in one posted file, with ids like those of a posting program.</summary>
    public static ExtentMap Regular(int segments, string seed = "", int size = 716_800)
        => ExtentMap.OfWholeSegments(Table(new Random(seed.Aggregate(17, (sum, c) => unchecked((sum * 31) + c))), segments, size));

    public static SegmentTable Table(Random random, int segments, int size)
    {
        var builder = new SegmentTable.Builder();
        Span<byte> id = stackalloc byte[39];
        "@ngPost"u8.CopyTo(id[32..]);
        for (var i = 0; i < segments; i++)
        {
            foreach (ref var letter in id[..32])
                letter = (byte)Letters[random.Next(36)];
            builder.Add(id, (long)i * size, i == segments - 1 ? (size / 3) + 1 : size);
        }

        return builder.Build();
    }

    /// <summary>Anything that the constructor of a map accepts: odd sizes, jumps, slices, segments used twice or not at all.</summary>
    public static ExtentMap Irregular(Random random)
    {
        var builder = new SegmentTable.Builder();
        var count = random.Next(1, 200);
        long begin = 0;
        var size = random.Next(1, 2000);
        var domain = "@" + Word(random);
        for (var i = 0; i < count; i++)
        {
            if (random.Next(5) == 0)
                size = random.Next(1, random.Next(2) == 0 ? 5 : int.MaxValue);
            if (random.Next(20) == 0)
                begin = random.NextInt64(0, random.Next(2) == 0 ? 10 : long.MaxValue - int.MaxValue);
            if (random.Next(10) == 0)
                domain = random.Next(2) == 0 ? "" : "@" + Word(random);
            var id = random.Next(8) == 0 && i > 0 ? builder.Build().Id(random.Next(i)) : Word(random) + domain;
            builder.Add(id, begin, size);
            begin += size;
        }

        var table = builder.Build();
        var extents = new List<Extent>();
        long start = 0;
        var segment = 0;
        for (var i = random.Next(0, 300); i > 0; i--)
        {
            segment = random.Next(4) == 0 ? random.Next(count) : (segment + 1) % count;
            var offset = random.Next(3) == 0 ? random.Next(table.Size(segment)) : 0;
            var length = random.Next(3) == 0 ? random.Next(1, table.Size(segment) - offset + 1) : table.Size(segment) - offset;
            extents.Add(new Extent(start, segment, offset, length));
            start += length;
        }

        return new ExtentMap([.. extents], table);
    }

    /// <summary>
    /// A file stored in volumes of an archive: each volume has a header before and a trailer after its part. The segment table also holds
    /// segments of other files.
    /// </summary>
    public static ExtentMap Volumes(Random random, int volumes, int segmentsEach)
    {
        const int Size = 700_000;
        var builder = new SegmentTable.Builder();
        var extents = new List<Extent>();
        long start = 0;
        for (var volume = 0; volume < volumes; volume++)
        {
            builder.Add($"other{volume}@elsewhere", 0, 100);
            for (var i = 0; i < segmentsEach; i++)
            {
                var offset = i == 0 ? 150 : 0;
                var length = Size - offset - (i == segmentsEach - 1 ? 20 : 0);
                extents.Add(new Extent(start, builder.Count, offset, length));
                builder.Add($"{Convert.ToHexString(BitConverter.GetBytes(random.NextInt64()))}@host", (long)i * Size, Size);
                start += length;
            }
        }

        return new ExtentMap([.. extents], builder.Build());
    }

    /// <summary>Asserts that both maps read the same bytes from the same places, whatever the numbers of the segments.</summary>
    public static void AssertSame(ExtentMap expected, ExtentMap actual)
    {
        Assert.Equal(expected.Length, actual.Length);
        Assert.Equal(expected.Extents.Length, actual.Extents.Length);
        for (var i = 0; i < expected.Extents.Length; i++)
        {
            var (left, right) = (expected.Extents[i], actual.Extents[i]);
            var same = left.Start == right.Start && left.Offset == right.Offset && left.Length == right.Length
                && expected.Segments.Size(left.Segment) == actual.Segments.Size(right.Segment)
                && expected.Segments.Begin(left.Segment) == actual.Segments.Begin(right.Segment)
                && expected.Segments.IdUtf8(left.Segment).SequenceEqual(actual.Segments.IdUtf8(right.Segment));
            Assert.True(same, $"extent {i}: {left} became {right}");
        }
    }

    private static string Word(Random random)
    {
        var word = new StringBuilder();
        for (var i = random.Next(1, random.Next(10) == 0 ? 200 : 40); i > 0; i--)
            word.Append(Letters[random.Next(36)]);
        return word.ToString();
    }
}
