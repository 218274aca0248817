namespace NzbDav.Content.Tests;

public sealed class ExtentMapBuilderTests
{
    [Fact]
    public void Every_byte_keeps_its_place()
    {
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var maps = Enumerable.Range(0, random.Next(1, 4))
                .Select(i => Map($"m{i}", Enumerable.Range(0, random.Next(1, 9)).Select(_ => random.Next(1, 30)).ToArray())).ToArray();
            var builder = new ExtentMapBuilder();
            var expected = new List<(string Id, int Offset)>();
            for (var i = 0; i < random.Next(0, 8); i++)
            {
                var map = maps[random.Next(maps.Length)];
                var start = random.NextInt64(map.Length + 1);
                var length = random.NextInt64(map.Length - start + 1);
                builder.Append(map, start, length);
                expected.AddRange(Bytes(map).Skip((int)start).Take((int)length));
                Assert.Equal(expected.Count, builder.Length);
            }

            var built = builder.Build();

            Assert.Equal(expected, Bytes(built));
            Assert.Equal(built.Segments.Count, built.Extents.ToArray().Select(extent => extent.Segment).Distinct().Count());
        }
    }

    [Fact]
    public void Segments_keep_their_known_properties()
    {
        var builder = new ExtentMapBuilder();
        builder.Append(Map("a", [10, 20, 30]), 15, 20);

        var map = builder.Build();

        Assert.Equal([new Extent(0, 0, 5, 15), new Extent(15, 1, 0, 5)], map.Extents.ToArray());
        Assert.Equal(("a1", 10L, 20), (map.Segments.Id(0), map.Segments.Begin(0), map.Segments.Size(0)));
        Assert.Equal(("a2", 30L, 30), (map.Segments.Id(1), map.Segments.Begin(1), map.Segments.Size(1)));
    }

    [Fact]
    public void A_file_from_several_posts_has_the_oldest_known_date()
    {
        var builder = new ExtentMapBuilder();
        foreach (var (id, day) in new[] { ("a", 0), ("b", 20_001), ("c", 20_000), ("d", 0), ("e", 20_002) })
        {
            var table = new SegmentTable.Builder { PostedDay = day };
            table.Add(id, 0, 10);
            builder.Append(ExtentMap.OfWholeSegments(table.Build()), 0, 10);
        }

        Assert.Equal(20_000, builder.Build().Segments.PostedDay);
    }

    [Fact]
    public void Adjacent_extents_of_a_segment_are_merged()
    {
        var map = Map("a", [10, 20]);
        var builder = new ExtentMapBuilder();
        builder.Append(map, 0, 13);
        builder.Append(map, 13, 17);

        Assert.Equal([new Extent(0, 0, 0, 10), new Extent(10, 1, 0, 20)], builder.Build().Extents.ToArray());
    }

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, -1)]
    [InlineData(0, 31)]
    [InlineData(31, 0)]
    [InlineData(1, long.MaxValue)]
    public void Ranges_outside_the_map_are_refused(long start, long length) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ExtentMapBuilder().Append(Map("a", [10, 20]), start, length));

    [Fact]
    public void A_builder_without_ranges_gives_an_empty_map() => Assert.Equal(0, new ExtentMapBuilder().Build().Length);

    private static List<(string Id, int Offset)> Bytes(ExtentMap map)
    {
        var bytes = new List<(string, int)>();
        foreach (var extent in map.Extents)
        {
            for (var i = 0; i < extent.Length; i++)
                bytes.Add((map.Segments.Id(extent.Segment), extent.Offset + i));
        }

        return bytes;
    }

    private static ExtentMap Map(string name, int[] sizes)
    {
        var table = new SegmentTable.Builder();
        long begin = 0;
        for (var i = 0; i < sizes.Length; i++)
        {
            table.Add($"{name}{i}", begin, sizes[i]);
            begin += sizes[i];
        }

        return ExtentMap.OfWholeSegments(table.Build());
    }
}
