using FsCheck;
using FsCheck.Fluent;

namespace NzbDav.Content.Tests;

public sealed class ExtentMapTests
{
    [Fact]
    public void Finding_an_extent_agrees_with_a_linear_search() => Prop.ForAll(
        Gen.Choose(1, 1000).NonEmptyListOf().Select(sizes => sizes.ToArray()).ToArbitrary(),
        sizes =>
        {
            var map = ExtentMap.OfWholeSegments(Table(sizes));
            Assert.Equal(sizes.Sum(), map.Length);
            for (long offset = 0; offset < map.Length; offset += Math.Max(1, map.Length / 500))
                Assert.Equal(Linear(map, offset), map.Find(offset));
            for (var i = 0; i < sizes.Length; i++)
            {
                Assert.Equal(i, map.Find(map.Extents[i].Start));
                Assert.Equal(i, map.Find(map.Extents[i].End - 1));
            }
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Offsets_outside_the_file_are_refused()
    {
        var map = ExtentMap.OfWholeSegments(Table([10, 20]));
        Assert.Throws<ArgumentOutOfRangeException>(() => map.Find(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => map.Find(30));
        Assert.Throws<ArgumentOutOfRangeException>(() => ExtentMap.OfWholeSegments(Table([])).Find(0));
        Assert.Equal(0, ExtentMap.OfWholeSegments(Table([])).Length);
    }

    [Fact]
    public void Offsets_beyond_32_bits_are_found()
    {
        var sizes = Enumerable.Repeat(int.MaxValue, 5).ToArray();
        var map = ExtentMap.OfWholeSegments(Table(sizes));
        Assert.Equal(5L * int.MaxValue, map.Length);
        Assert.Equal(4, map.Find(map.Length - 1));
    }

    public static TheoryData<string, Extent[]> Wrong => new()
    {
        { "begins late", [new(1, 0, 0, 5)] },
        { "leaves a gap", [new(0, 0, 0, 5), new(6, 1, 0, 5)] },
        { "overlaps", [new(0, 0, 0, 5), new(4, 1, 0, 5)] },
        { "is empty", [new(0, 0, 0, 0)] },
        { "is negative", [new(0, 0, 0, -1)] },
        { "has no such segment", [new(0, 2, 0, 5)] },
        { "has a negative segment", [new(0, -1, 0, 5)] },
        { "begins before its segment", [new(0, 0, -1, 5)] },
        { "ends behind its segment", [new(0, 0, 6, 5)] },
        { "overflows", [new(0, 0, int.MaxValue, int.MaxValue)] },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Invalid_extents_are_refused(string why, Extent[] extents)
    {
        Assert.NotEmpty(why);
        Assert.Throws<ArgumentException>(() => new ExtentMap(extents, Table([10, 10])));
    }

    [Fact]
    public void A_segment_can_be_used_in_pieces_and_in_any_order()
    {
        var map = new ExtentMap([new(0, 1, 5, 5), new(5, 0, 0, 3), new(8, 0, 7, 3)], Table([10, 10]));
        Assert.Equal((11, 0, 1, 2), (map.Length, map.Find(4), map.Find(5), map.Find(8)));
    }

    [Fact]
    public void A_table_returns_the_added_segments()
    {
        var builder = new SegmentTable.Builder();
        for (var i = 0; i < 1000; i++)
            builder.Add($"part{i}ä@{new string('x', i % 70)}", i * 3_000_000_000L, i + 1);
        Assert.Equal(1000, builder.Count);
        var table = builder.Build();

        Assert.Equal(1000, table.Count);
        for (var i = 0; i < 1000; i++)
        {
            Assert.Equal(($"part{i}ä@{new string('x', i % 70)}", i * 3_000_000_000L, i + 1), (table.Id(i), table.Begin(i), table.Size(i)));
            Assert.Equal(System.Text.Encoding.UTF8.GetBytes(table.Id(i)), table.IdUtf8(i).ToArray());
        }
    }

    [Fact]
    public void A_table_refuses_invalid_segments()
    {
        var builder = new SegmentTable.Builder();
        Assert.Throws<ArgumentException>(() => builder.Add(string.Empty, 0, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => builder.Add("a", -1, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => builder.Add("a", 0, 0));
        Assert.Equal(0, builder.Build().Count);
    }

    private static int Linear(ExtentMap map, long offset)
    {
        for (var i = 0; i < map.Extents.Length; i++)
        {
            if (offset >= map.Extents[i].Start && offset < map.Extents[i].End)
                return i;
        }

        return -1;
    }

    private static SegmentTable Table(int[] sizes)
    {
        var builder = new SegmentTable.Builder();
        long begin = 0;
        foreach (var size in sizes)
        {
            builder.Add($"{begin}@x", begin, size);
            begin += size;
        }

        return builder.Build();
    }
}
