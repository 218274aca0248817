using NzbDav.Content;

namespace NzbDav.Catalog.Tests;

public class ExtentMapCodecTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1000)]
    public void Regular_map_survives(int segments)
    {
        var map = Samples.Regular(segments);
        var stored = ExtentMapCodec.Decode(ExtentMapCodec.Encode(map, sizesVerified: true).Span);
        Samples.AssertSame(map, stored.Map);
        Assert.True(stored.SizesVerified);
        Assert.Equal(map.Segments.Count, stored.Map.Segments.Count);
    }

    [Fact]
    public void Irregular_maps_survive()
    {
        for (var seed = 0; seed < 2000; seed++)
        {
            var map = Samples.Irregular(new Random(seed));
            var stored = ExtentMapCodec.Decode(ExtentMapCodec.Encode(map, sizesVerified: false).Span);
            Samples.AssertSame(map, stored.Map);
            Assert.False(stored.SizesVerified);
        }
    }

    [Fact]
    public void Encoding_what_was_decoded_gives_the_same_bytes()
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var bytes = ExtentMapCodec.Encode(Samples.Irregular(new Random(seed)), sizesVerified: false);
            Assert.True(bytes.Span.SequenceEqual(ExtentMapCodec.Encode(ExtentMapCodec.Decode(bytes.Span).Map, sizesVerified: false).Span));
        }
    }

    [Fact]
    public void Only_the_segments_of_the_file_are_stored()
    {
        // Two files in one table, as archives have them; the second begins in the middle of a segment.
        var table = Samples.Table(new Random(1), 100, 1000);
        var second = new ExtentMap([new(0, 39, 500, 500), .. Enumerable.Range(0, 20).Select(i => new Extent(500 + (i * 1000L), 40 + i, 0, 1000))], table);
        var stored = ExtentMapCodec.Decode(ExtentMapCodec.Encode(second, sizesVerified: false).Span);
        Samples.AssertSame(second, stored.Map);
        Assert.Equal(21, stored.Map.Segments.Count);
        Assert.Equal(39_000, stored.Map.Segments.Begin(0));
    }

    [Fact]
    public void Volumes_cost_little_more_than_their_ids()
    {
        var map = Samples.Volumes(new Random(3), volumes: 100, segmentsEach: 72);
        var bytes = ExtentMapCodec.Encode(map, sizesVerified: false);
        Samples.AssertSame(map, ExtentMapCodec.Decode(bytes.Span).Map);
        Assert.InRange(bytes.Length, 7200 * 16, (7200 * 16) + (100 * 20) + 2000);
    }

    [Fact]
    public void Ids_of_several_copies_are_kept()
    {
        var ids = new[] { "a@x", "a@x b@y", $"{new string('x', 500)} {new string('y', 500)} {new string('z', 500)}", " 4", "c@x" };
        var builder = new SegmentTable.Builder();
        for (var i = 0; i < ids.Length; i++)
            builder.Add(ids[i], i * 10, 10);
        var map = ExtentMapCodec.Decode(ExtentMapCodec.Encode(ExtentMap.OfWholeSegments(builder.Build()), sizesVerified: false).Span).Map;
        Assert.Equal(ids, Enumerable.Range(0, ids.Length).Select(map.Segments.Id));
    }

    [Fact]
    public void Id_too_long_for_the_protocol_is_refused()
    {
        var builder = new SegmentTable.Builder();
        builder.Add(new string('x', 1503), 0, 1);
        Assert.Throws<ArgumentException>(() => ExtentMapCodec.Encode(ExtentMap.OfWholeSegments(builder.Build()), sizesVerified: false));
    }

    [Fact]
    public void Newer_version_is_refused_by_name()
    {
        var bytes = ExtentMapCodec.Encode(Samples.Regular(2), sizesVerified: false).ToArray();
        bytes[0] = 4;
        Assert.Contains("version 4", Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(bytes)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Truncation_at_every_byte_is_refused()
    {
        foreach (var map in new[] { Samples.Regular(20), Samples.Irregular(new Random(5)), Samples.Volumes(new Random(5), 3, 3) })
        {
            var bytes = ExtentMapCodec.Encode(map, sizesVerified: false).ToArray();
            for (var length = 0; length < bytes.Length; length++)
                Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(bytes.AsSpan(0, length)));
            Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode([.. bytes, 0]));
        }
    }

    [Fact]
    public void Damaged_input_is_refused_or_gives_a_sound_map_within_bounded_memory()
    {
        var random = new Random(7);
        for (var round = 0; round < 10_000; round++)
        {
            var bytes = ExtentMapCodec.Encode(round % 3 == 0 ? Samples.Regular(30) : Samples.Irregular(new Random(round % 50)), sizesVerified: false).ToArray();
            for (var i = random.Next(1, 6); i > 0; i--)
                bytes[random.Next(random.Next(2) == 0 ? Math.Min(40, bytes.Length) : bytes.Length)] = (byte)random.Next(256);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                Assert.NotNull(ExtentMapCodec.Decode(bytes).Map);
            }
            catch (InvalidDataException)
            {
            }

            // Ids can be told with one byte each and have 1,502: that, and the table around them, is the most.
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, (bytes.Length * 12_000L) + 100_000);
        }
    }

    [Fact]
    public void Noise_is_refused()
    {
        var random = new Random(11);
        var bytes = new byte[400];
        for (var round = 0; round < 10_000; round++)
        {
            random.NextBytes(bytes);
            bytes[0] = 1;
            bytes[1] &= 3;
            try
            {
                ExtentMapCodec.Decode(bytes);
            }
            catch (InvalidDataException)
            {
            }
        }
    }

    [Theory]
    [InlineData(new byte[] { 1, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 1 })]
    [InlineData(new byte[] { 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F })]
    [InlineData(new byte[] { 1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F })]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF })]
    [InlineData(new byte[] { })]
    public void Bombs_are_refused(byte[] bytes) => Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(bytes));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_was_reckoned_comes_back_and_costs_nothing_where_there_is_nothing(bool whole)
    {
        var map = whole ? Samples.Regular(30) : Samples.Volumes(new Random(5), 3, 3);
        ReckonedRun[] runs =
        [
            new(1, 2, new SegmentKey(map.Segments.Id(1), 0, map.Segments.Size(1)), "Fílm.part02.rar", 123_456_789_012, new byte[] { 1, 2, 3 }),
            new(3, 1, new SegmentKey("elsewhere@x", 0, 700_000), "Film.part03.rar", 5, default) { HeadHash = new byte[16] },
        ];
        var stored = ExtentMapCodec.Decode(ExtentMapCodec.Encode(new StoredExtentMap(map, SizesVerified: false) { Reckoned = runs }).Span);
        Assert.Equal(2, stored.Reckoned.Count);
        foreach (var (run, back) in runs.Zip(stored.Reckoned))
        {
            // The volumes' first segment is in no extent and is not stored: the others move up.
            Assert.Equal((run.First - (whole ? 0 : 1), run.Count, run.Proof, run.Name, run.FileSize), (back.First, back.Count, back.Proof, back.Name, back.FileSize));
            Assert.Equal(run.Header.ToArray(), back.Header.ToArray());
            Assert.Equal(run.HeadHash.ToArray(), back.HeadHash.ToArray());
        }

        Assert.Equal(1, ExtentMapCodec.Encode(new StoredExtentMap(map, SizesVerified: false)).Span[0]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_date_of_a_post_comes_back_for_three_bytes_and_maps_without_one_are_as_before(bool reckoned)
    {
        var bare = Samples.Regular(30);
        ReckonedRun[] runs = reckoned ? [new(0, 10, bare.Segments.Key(0), "a", 70, new byte[5])] : [];
        var before = ExtentMapCodec.Encode(new StoredExtentMap(bare, SizesVerified: true) { Reckoned = runs }).ToArray();
        Assert.Equal(reckoned ? 2 : 1, before[0]);
        Assert.Equal(0, ExtentMapCodec.Decode(before).Map.Segments.PostedDay);

        var table = new SegmentTable.Builder { PostedDay = 20_000 };
        for (var i = 0; i < bare.Segments.Count; i++)
            table.Add(bare.Segments.IdUtf8(i), bare.Segments.Begin(i), bare.Segments.Size(i));
        var dated = ExtentMapCodec.Encode(new StoredExtentMap(ExtentMap.OfWholeSegments(table.Build()), SizesVerified: true) { Reckoned = runs }).ToArray();
        Assert.Equal(3, dated.Length - before.Length);
        var back = ExtentMapCodec.Decode(dated);
        Samples.AssertSame(bare, back.Map);
        Assert.Equal((20_000, 20_000), (back.Map.Segments.PostedDay, back.Map.Segments.Key(3).PostedDay));
        Assert.Equal(runs.Select(static run => run.Proof with { PostedDay = 20_000 }), back.Reckoned.Select(static run => run.Proof));
        for (var length = 0; length < dated.Length; length++)
            Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(dated.AsSpan(0, length)));
    }

    [Fact]
    public void Damaged_reckoned_runs_are_refused_and_never_anything_else()
    {
        var map = Samples.Regular(30);
        ReckonedRun[] runs = [new(0, 10, new SegmentKey("a@b", 0, 7), "a", 70, new byte[5]), new(10, 20, new SegmentKey("c@d", 0, 7), "b", 70, new byte[5])];
        var bytes = ExtentMapCodec.Encode(new StoredExtentMap(map, SizesVerified: true) { Reckoned = runs }).ToArray();
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(bytes.AsSpan(0, length)));
        var random = new Random(1);
        for (var round = 0; round < 5_000; round++)
        {
            var damaged = (byte[])bytes.Clone();
            damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            try
            {
                ExtentMapCodec.Decode(damaged);
            }
            catch (InvalidDataException)
            {
            }
        }
    }
}
