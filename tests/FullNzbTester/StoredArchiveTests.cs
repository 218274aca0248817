using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>The tester's archives equal those of writers that were verified with unrar, 7z and bsdtar.</summary>
public sealed class StoredArchiveTests
{
    private static readonly byte[] Film = SeededBytes.Make(5, 10_000);

    [Fact]
    public void RAR_volumes_match_those_of_the_proven_writer()
    {
        var proved = new Rar5Writer { VolumeSize = 3_000 }.Write(new PackedFile("film.mkv", Film));

        Assert.Equal(proved, StoredRar.Pack("film.mkv", Film, 3_000));
    }

    [Fact]
    public void A_file_that_ends_with_its_volume_creates_no_empty_volume()
    {
        var set = StoredRar.Pack("film.mkv", Film, 3_000);

        var sizes = set.Select(volume => volume.Length).ToArray();
        Assert.All(sizes[..^1], size => Assert.Equal(3_000, size));
        Assert.InRange(sizes[^1], 1, 3_000);
    }

    [Fact]
    public void Volumes_that_are_made_when_they_are_read_differ_from_packed_ones_in_the_checksums_alone()
    {
        var packed = StoredRar.Pack("film.mkv", Film, 3_000);
        var laid = StoredRar.Lay("film.mkv", new MemorySource(Film), 3_000);
        Assert.Equal(packed.Select(static volume => (long)volume.Length), laid.Select(static volume => volume.Length));
        for (var i = 0; i < packed.Count; i++)
        {
            var whole = new byte[packed[i].Length];
            laid[i].Fill(0, whole);

            // Of the file's header the checksum of the file, and with it that of the header.
            Assert.InRange(whole.Zip(packed[i], static (one, other) => one != other).Count(static differs => differs), 1, 8);
            var parts = new byte[whole.Length];
            for (var at = 0; at < parts.Length; at += 7)
                laid[i].Fill(at, parts.AsSpan(at, Math.Min(7, parts.Length - at)));
            Assert.Equal(whole, parts);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Packing_again_makes_the_same_bytes(bool encrypted)
    {
        var password = encrypted ? "secret" : null;

        Assert.Equal(StoredRar.Pack("film.mkv", Film, 3_000, password), StoredRar.Pack("film.mkv", Film, 3_000, password));
        var head = StoredRar.Pack("film.mkv", Film, 20_000, password)[0].AsSpan().IndexOf(Film.AsSpan(0, 64));
        Assert.Equal(encrypted, head < 0);
    }

    [Fact]
    public void A_7z_set_has_the_file_after_its_start_header()
    {
        var set = StoredSevenZip.Pack("film.mkv", Film, 4_096);

        byte[] all = [.. set.SelectMany(volume => volume)];
        Assert.All(set.SkipLast(1), volume => Assert.Equal(4_096, volume.Length));
        Assert.Equal(Film, all[32..(32 + Film.Length)]);
        Assert.Equal(new byte[] { 0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C }, all[..6]);
    }
}
