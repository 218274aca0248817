using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Rar;

/// <summary>Long regular sets of which three volumes are read and the others reckoned.</summary>
public sealed class RarReckonerTests
{
    [Theory]
    [InlineData(ArchiveFormat.Rar5, 7)]
    [InlineData(ArchiveFormat.Rar5, 140)]
    [InlineData(ArchiveFormat.Rar4, 140)]
    public async Task A_regular_set_is_reckoned_from_three_volumes(ArchiveFormat format, int about)
    {
        var file = new PackedFile("long.mkv", Sources.Video(30, about * 900));
        var volumes = RarWriterTests.Write(format, 1000, null, false, [file]);
        var named = VolumeNaming.Part("set", volumes.Count).Zip(volumes).ToArray();
        var shelf = Shelf.Of(named);

        var layout = await shelf.LayOutAsync(reckon: true);

        Assert.Null(layout.Refusal);
        Assert.Equal([0, 1, volumes.Count - 1], Enumerable.Range(0, volumes.Count).Where(i => shelf.Contents[i].ReadersOpened > 0));
        Assert.Equal(Enumerable.Range(2, volumes.Count - 3), layout.Expected.Select(header => header.Volume));
        foreach (var header in layout.Expected)
        {
            Assert.True(await header.AgreesAsync(volumes[header.Volume].AsMemory(0, header.HeaderLength)));
            Assert.False(await header.AgreesAsync(volumes[header.Volume].AsMemory(0, header.HeaderLength - 1)));
            Assert.False(await header.AgreesAsync(volumes[0].AsMemory(0, header.HeaderLength)));

            // Stored and read again it expects the same.
            var stored = ExpectedHeader.Parse(header.ToBytes());
            Assert.Equal((header.HeaderLength, -1), (stored.HeaderLength, stored.Volume));
            Assert.True(await stored.AgreesAsync(volumes[header.Volume]));
            Assert.False(await stored.AgreesAsync(volumes[0]));
        }

        await shelf.AssertEqualAsync(new Dictionary<string, byte[]>(StringComparer.Ordinal) { [file.Path] = file.Bytes! }, layout.Entries);
    }

    [Fact]
    public async Task A_set_that_only_looks_regular_is_read_whole()
    {
        // Volumes of one size, but a file ends in the middle of the set.
        PackedFile[] files = [new("a.mkv", Sources.Video(31, 4500)), new("b.mkv", Sources.Video(32, 4500))];
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, files);
        var shelf = Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes));

        var layout = await shelf.LayOutAsync(reckon: true);

        Assert.Empty(layout.Expected);
        await shelf.AssertEqualAsync(files.ToDictionary(file => file.Path, file => file.Bytes!, StringComparer.Ordinal), layout.Entries);
    }

    [Fact]
    public async Task A_reckoned_header_that_is_wrong_is_found_out()
    {
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, [new("long.mkv", Sources.Video(30, 9000))]);
        var other = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, [new("longer.mkv", Sources.Video(30, 9000))]);
        var layout = await Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes)).LayOutAsync(reckon: true);

        Assert.NotEmpty(layout.Expected);
        Assert.False(await layout.Expected[0].AgreesAsync(other[2]));
        Assert.False(await layout.Expected[0].AgreesAsync(volumes[3]));
        Assert.True(await layout.Expected[0].AgreesAsync(volumes[2]));
    }

    [Fact]
    public async Task What_is_no_expected_header_is_refused()
    {
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, [new("long.mkv", Sources.Video(30, 9000))]);
        var bytes = (await Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes)).LayOutAsync(reckon: true)).Expected[0].ToBytes();
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<InvalidDataException>(() => ExpectedHeader.Parse(bytes[..length]));
        Assert.Throws<InvalidDataException>(() => ExpectedHeader.Parse((byte[])[2, .. bytes.Span[1..]]));
    }

    [Fact]
    public async Task Encrypted_headers_are_not_reckoned()
    {
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, "secret", true, [new("long.mkv", Sources.Video(30, 9000))]);
        var layout = await Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes)).LayOutAsync(reckon: true, "secret");
        Assert.Null(layout.Refusal);
        Assert.Empty(layout.Expected);
    }
}
