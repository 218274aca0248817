#if !POSTGRES
using NzbDav.Catalog.Maps;
using NzbDav.Content;

namespace NzbDav.Catalog.Tests.Maps;

public class ExtentMapCodecTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1000)]
    public void A_regular_map_round_trips(int segments)
    {
        var map = Samples.Regular(segments);
        var stored = ExtentMapCodec.Decode(ExtentMapCodec.Encode(map, sizesVerified: true).Span);
        Samples.AssertSame(map, stored.Map);
        Assert.True(stored.SizesVerified);
        Assert.Equal(map.Segments.Count, stored.Map.Segments.Count);
    }

    [Fact]
    public void Irregular_maps_round_trip()
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
    public void Re_encoding_a_decoded_map_gives_the_same_bytes()
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
        // Two files in one table, as in archives; the second begins in the middle of a segment.
        var table = Samples.Table(new Random(1), 100, 1000);
        var second = new ExtentMap(
            [new(0, 39, 500, 500), .. Enumerable.Range(0, 20).Select(i => new Extent(500 + (i * 1000L), 40 + i, 0, 1000))], table);
        var stored = ExtentMapCodec.Decode(ExtentMapCodec.Encode(second, sizesVerified: false).Span);
        Samples.AssertSame(second, stored.Map);
        Assert.Equal(21, stored.Map.Segments.Count);
        Assert.Equal(39_000, stored.Map.Segments.Begin(0));
    }

    [Fact]
    public void Volumes_take_little_more_space_than_their_ids()
    {
        var map = Samples.Volumes(new Random(3), volumes: 100, segmentsEach: 72);
        var bytes = ExtentMapCodec.Encode(map, sizesVerified: false);
        Samples.AssertSame(map, ExtentMapCodec.Decode(bytes.Span).Map);
        Assert.InRange(bytes.Length, 7200 * 16, (7200 * 16) + (100 * 20) + 2000);
    }

    [Fact]
    public void Ids_of_several_copies_round_trip()
    {
        var ids = new[] { "a@x", "a@x b@y", $"{new string('x', 500)} {new string('y', 500)} {new string('z', 500)}", " 4", "c@x" };
        var builder = new SegmentTable.Builder();
        for (var i = 0; i < ids.Length; i++)
            builder.Add(ids[i], i * 10, 10);
        var map = ExtentMapCodec.Decode(ExtentMapCodec.Encode(ExtentMap.OfWholeSegments(builder.Build()), sizesVerified: false).Span).Map;
        Assert.Equal(ids, Enumerable.Range(0, ids.Length).Select(map.Segments.Id));
    }

    [Fact]
    public void An_id_too_long_for_the_protocol_is_refused()
    {
        var builder = new SegmentTable.Builder();
        builder.Add(new string('x', 1503), 0, 1);
        Assert.Throws<ArgumentException>(() => ExtentMapCodec.Encode(ExtentMap.OfWholeSegments(builder.Build()), sizesVerified: false));
    }

    [Fact]
    public void A_newer_version_is_refused_and_named()
    {
        var bytes = ExtentMapCodec.Encode(Samples.Regular(2), sizesVerified: false).ToArray();
        bytes[0] = 4;
        Assert.Contains(
            "version 4", Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(bytes)).Message, StringComparison.Ordinal);
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
    public void Damaged_input_is_refused_or_gives_a_valid_map_within_bounded_memory()
    {
        var random = new Random(7);
        for (var round = 0; round < 10_000; round++)
        {
            var bytes = ExtentMapCodec.Encode(
                round % 3 == 0 ? Samples.Regular(30) : Samples.Irregular(new Random(round % 50)), sizesVerified: false).ToArray();
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

            // An id can be encoded in one byte and be 1,502 long: that, and the table around the ids, is the maximum.
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
    public void Decompression_bombs_are_refused(byte[] bytes) => Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(bytes));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Inferred_volumes_round_trip_and_cost_nothing_in_maps_without_them(bool whole)
    {
        var map = whole ? Samples.Regular(30) : Samples.Volumes(new Random(5), 3, 3);
        InferredVolume[] volumes =
        [
            new(new SegmentKey(map.Segments.Id(1), 0, map.Segments.Size(1)), "Fílm.part02.rar", 123_456_789_012)
                { First = 1, Count = 2, Header = new byte[] { 1, 2, 3 } },
            new(new SegmentKey("elsewhere@x", 0, 700_000), "Film.part03.rar", 5) { First = 3, Count = 1, HeadHash = new byte[16] },
        ];
        var stored = ExtentMapCodec.Decode(
            ExtentMapCodec.Encode(new StoredExtentMap(map, SizesVerified: false) { Inferred = volumes }).Span);
        Assert.Equal(2, stored.Inferred.Count);
        foreach (var (volume, back) in volumes.Zip(stored.Inferred))
        {
            // The volumes' first segment is in no extent and is not stored, so the others are renumbered.
            Assert.Equal((volume.First - (whole ? 0 : 1), volume.Count, volume.Proof, volume.Name, volume.FileSize),
                (back.First, back.Count, back.Proof, back.Name, back.FileSize));
            Assert.Equal(volume.Header.ToArray(), back.Header.ToArray());
            Assert.Equal(volume.HeadHash.ToArray(), back.HeadHash.ToArray());
        }

        Assert.Equal(1, ExtentMapCodec.Encode(new StoredExtentMap(map, SizesVerified: false)).Span[0]);
    }

    /// <summary>The bytes are as earlier versions wrote them; existing catalogs hold such maps.</summary>
    [Theory]
    [InlineData(0, "0204030301BC0502AC02020001BC050300000461314078613240786232407801320001000A013C00020002E807BC050005612E726172020708000001E807BC05046231407805622E726172000109")]
    [InlineData(20_000, "030C0303A09C0101BC0502AC02020001BC050300000461314078613240786232407801320001000A013C00020002E807BC050005612E726172020708000001E807BC05046231407805622E726172000109")]
    public void Maps_of_older_catalogs_can_be_read(int postedDay, string hex)
    {
        var stored = ExtentMapCodec.Decode(Convert.FromHexString(hex));
        Assert.Equal([new Extent(0, 0, 50, 650), new Extent(650, 1, 0, 290), new Extent(940, 2, 60, 240)], stored.Map.Extents.ToArray());
        Assert.Equal(["a1@x", "a2@x", "b2@x"], Enumerable.Range(0, 3).Select(stored.Map.Segments.Id));
        Assert.Equal((postedDay, false), (stored.Map.Segments.PostedDay, stored.SizesVerified));
        Assert.Equal(
            ["a1@x 0+700 a.rar 1000 [0+2] 0708/", "b1@x 0+700 b.rar 1000 [2+1] /09"],
            stored.Inferred.Select(one =>
                $"{one.Proof.Id} {one.Proof.Begin}+{one.Proof.Size} {one.Name} {one.FileSize} [{one.First}+{one.Count}] " +
                $"{Convert.ToHexString(one.Header.Span)}/{Convert.ToHexString(one.HeadHash.Span)}"));
        Assert.Equal(hex, Convert.ToHexString(ExtentMapCodec.Encode(stored).Span));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_post_date_takes_three_bytes_and_maps_without_one_are_unchanged(bool inferred)
    {
        var bare = Samples.Regular(30);
        InferredVolume[] volumes = inferred ? [new(bare.Segments.Key(0), "a", 70) { Count = 10, Header = new byte[5] }] : [];
        var before = ExtentMapCodec.Encode(new StoredExtentMap(bare, SizesVerified: true) { Inferred = volumes }).ToArray();
        Assert.Equal(inferred ? 2 : 1, before[0]);
        Assert.Equal(0, ExtentMapCodec.Decode(before).Map.Segments.PostedDay);

        var table = new SegmentTable.Builder { PostedDay = 20_000 };
        for (var i = 0; i < bare.Segments.Count; i++)
            table.Add(bare.Segments.IdUtf8(i), bare.Segments.Begin(i), bare.Segments.Size(i));
        var dated = ExtentMapCodec.Encode(
            new StoredExtentMap(ExtentMap.OfWholeSegments(table.Build()), SizesVerified: true) { Inferred = volumes }).ToArray();
        Assert.Equal(3, dated.Length - before.Length);
        var back = ExtentMapCodec.Decode(dated);
        Samples.AssertSame(bare, back.Map);
        Assert.Equal((20_000, 20_000), (back.Map.Segments.PostedDay, back.Map.Segments.Key(3).PostedDay));
        Assert.Equal(
            volumes.Select(static volume => volume.Proof with { PostedDay = 20_000 }), back.Inferred.Select(static volume => volume.Proof));
        for (var length = 0; length < dated.Length; length++)
            Assert.Throws<InvalidDataException>(() => ExtentMapCodec.Decode(dated.AsSpan(0, length)));
    }

    [Fact]
    public void Damaged_inferred_volumes_throw_nothing_but_InvalidDataException()
    {
        var map = Samples.Regular(30);
        InferredVolume[] volumes =
        [
            new(new SegmentKey("a@b", 0, 7), "a", 70) { Count = 10, Header = new byte[5] },
            new(new SegmentKey("c@d", 0, 7), "b", 70) { First = 10, Count = 20, Header = new byte[5] },
        ];
        var bytes = ExtentMapCodec.Encode(new StoredExtentMap(map, SizesVerified: true) { Inferred = volumes }).ToArray();
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
#endif
