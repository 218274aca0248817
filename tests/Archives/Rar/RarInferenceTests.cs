using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Rar;

/// <summary>Regular sets of which three volumes are read and the others inferred.</summary>
public sealed class RarInferenceTests
{
    [Theory]
    [InlineData(ArchiveFormat.Rar5, 7)]
    [InlineData(ArchiveFormat.Rar5, 140)]
    [InlineData(ArchiveFormat.Rar4, 140)]
    public async Task A_regular_set_is_inferred_from_three_volumes(ArchiveFormat format, int about)
    {
        var file = new PackedFile("long.mkv", Sources.Video(30, about * 900));
        var volumes = RarWriterTests.Write(format, 1000, null, false, [file]);
        var named = VolumeNaming.Part("set", volumes.Count).Zip(volumes).ToArray();
        var shelf = Shelf.Of(named);

        var layout = await shelf.LayOutAsync(infer: true);

        Assert.Null(layout.Refusal);
        Assert.Equal([0, 1, volumes.Count - 1], Enumerable.Range(0, volumes.Count).Where(i => shelf.Contents[i].ReadersOpened > 0));
        Assert.Equal(Enumerable.Range(2, volumes.Count - 3), layout.Expected.Keys.Order());
        foreach (var (volume, bytes) in layout.Expected)
        {
            var header = ExpectedHeader.Parse(bytes);
            Assert.True(await header.AgreesAsync(volumes[volume].AsMemory(0, header.HeaderLength)));
            Assert.True(await header.AgreesAsync(volumes[volume]));
            Assert.False(await header.AgreesAsync(volumes[volume].AsMemory(0, header.HeaderLength - 1)));
            Assert.False(await header.AgreesAsync(volumes[0].AsMemory(0, header.HeaderLength)));
            Assert.False(await header.AgreesAsync(volumes[0]));
            Assert.Equal(bytes.ToArray(), header.ToBytes().ToArray());
        }

        await shelf.AssertEqualAsync(new Dictionary<string, byte[]>(StringComparer.Ordinal) { [file.Path] = file.Bytes! }, layout.Entries);
    }

    [Fact]
    public async Task A_set_that_only_looks_regular_is_read_in_full()
    {
        // Volumes of one size, but a file ends in the middle of the set.
        PackedFile[] files = [new("a.mkv", Sources.Video(31, 4500)), new("b.mkv", Sources.Video(32, 4500))];
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, files);
        var shelf = Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes));

        var layout = await shelf.LayOutAsync(infer: true);

        Assert.Empty(layout.Expected);
        await shelf.AssertEqualAsync(files.ToDictionary(file => file.Path, file => file.Bytes!, StringComparer.Ordinal), layout.Entries);
    }

    [Fact]
    public async Task A_wrong_inferred_header_is_detected()
    {
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, [new("long.mkv", Sources.Video(30, 9000))]);
        var other = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, [new("longer.mkv", Sources.Video(30, 9000))]);
        var layout = await Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes)).LayOutAsync(infer: true);

        var header = ExpectedHeader.Parse(layout.Expected[2]);
        Assert.False(await header.AgreesAsync(other[2]));
        Assert.False(await header.AgreesAsync(volumes[3]));
        Assert.True(await header.AgreesAsync(volumes[2]));
    }

    /// <summary>The bytes are those that the first version of this form wrote: catalogs hold them.</summary>
    [Theory]
    [InlineData(ArchiveFormat.Rar5, "secret", "01050201086C6F6E672E6D6B76A846E80767F906")]
    [InlineData(ArchiveFormat.Rar4, null, "0104FFFFFFFF0F00086C6F6E672E6D6B76A846E8073E9D07")]
    public async Task An_expected_header_stored_by_an_older_version_is_read(ArchiveFormat format, string? password, string hex)
    {
        var volumes = RarWriterTests.Write(format, 1000, password, false, [new("long.mkv", Sources.Video(30, 9000))]);
        var header = ExpectedHeader.Parse(Convert.FromHexString(hex));
        Assert.True(await header.AgreesAsync(volumes[2]));
        Assert.False(await header.AgreesAsync(volumes[0]));
        Assert.Equal(hex, Convert.ToHexString(header.ToBytes().Span));
    }

    [Fact]
    public async Task An_invalid_expected_header_is_refused()
    {
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, null, false, [new("long.mkv", Sources.Video(30, 9000))]);
        var bytes = (await Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes)).LayOutAsync(infer: true)).Expected[2];
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<InvalidDataException>(() => ExpectedHeader.Parse(bytes[..length]));
        Assert.Throws<InvalidDataException>(() => ExpectedHeader.Parse((byte[])[2, .. bytes.Span[1..]]));
    }

    [Fact]
    public async Task Encrypted_headers_are_not_inferred()
    {
        var volumes = RarWriterTests.Write(ArchiveFormat.Rar5, 1000, "secret", true, [new("long.mkv", Sources.Video(30, 9000))]);
        var layout = await Shelf.Of(VolumeNaming.Part("set", volumes.Count).Zip(volumes)).LayOutAsync(infer: true, "secret");
        Assert.Null(layout.Refusal);
        Assert.Empty(layout.Expected);
    }
}
