using System.IO.Compression;
using NzbDav.Archives.Layouts;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Discs;

/// <summary>Disc images that genisoimage and the builder wrote.</summary>
public sealed class DiscTests
{
    private const string LongName =
        "deep/er/A long name, with spaces and Ünïcödé that goes on and on for quite a while until it needs more than one system use " +
        "field to be told.nfo";

    private static readonly PackedFile[] Files =
    [
        new("BDMV/STREAM/00000.m2ts", Sources.Video(61, 50_000)),
        new("BDMV/STREAM/00001.m2ts", Sources.Video(62, 2049)),
        new("BDMV/PLAYLIST/00000.mpls", SeededBytes.Make(63, 300)),
        new("Ünïcödé 日本.txt", SeededBytes.Make(64, 7)),
        new("empty.txt", []),
    ];

    [Theory]
    [InlineData("disc-r", ArchiveFormat.Iso9660)]
    [InlineData("disc-udf", ArchiveFormat.Udf)]
    public async Task Files_of_the_real_program_are_read(string name, ArchiveFormat format)
    {
        var shelf = Disc(name);

        var layout = await shelf.LayOutAsync();

        Assert.Equal((format, null), (layout.Format, layout.Refusal));
        var sources = new Dictionary<string, byte[]>(Sources.All, StringComparer.Ordinal) { [LongName] = Sources.All["note.nfo"] };
        await shelf.AssertEqualAsync(sources, layout.Entries);
        Assert.All(layout.Entries.Where(entry => entry.Path is "video.mkv" or "note.nfo"),
            entry => Assert.InRange(entry.Modified!.Value, Sources.Modified.AddSeconds(-1), Sources.Modified));
        Assert.Equal(["Extras", "deep", "deep/er"],
            layout.Entries.Where(entry => entry.IsDirectory).Select(entry => entry.Path).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Joliet_names_are_read()
    {
        var shelf = Disc("disc-j");

        var layout = await shelf.LayOutAsync();

        foreach (var (path, bytes) in Sources.All)
            Assert.Equal(bytes, await shelf.ReadAsync(Assert.Single(layout.Entries, entry => entry.Path == path)));
        Assert.Contains(
            layout.Entries, entry => entry.Path.StartsWith("deep/er/A long name, with spaces and Ünïcödé", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_metadata_partition_is_read(bool fragmented)
    {
        var image = new UdfWriter { Fragmented = fragmented }.Write(Files);
        var sources = Files.ToDictionary(file => file.Path, file => file.Bytes!, StringComparer.Ordinal);
        if (!fragmented)
            RealUdf.Read(image, sources);

        var shelf = new Shelf().Add("disc.iso", image);
        var layout = await shelf.LayOutAsync();

        Assert.Equal((ArchiveFormat.Udf, null), (layout.Format, layout.Refusal));
        await shelf.AssertEqualAsync(sources, layout.Entries);
        Assert.All(layout.Entries.Where(entry => !entry.IsDirectory), entry => Assert.Equal(Files[0].Modified, entry.Modified));
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData("secret", false)]
    [InlineData("secret", true)]
    public async Task A_disc_in_a_stored_archive_is_browsed(string? password, bool headers)
    {
        var image = new UdfWriter().Write(Files);
        var volumes = new Rar5Writer { VolumeSize = 100_000, Password = password, EncryptHeaders = headers }.Write(
            new PackedFile("Movie/disc.iso", image));
        var shelf = new Shelf();
        foreach (var (name, bytes) in VolumeNaming.Part("set", volumes.Count).Zip(volumes))
            shelf.Add(name, bytes);

        var layout = await shelf.LayOutAsync(passwords: password is null ? [] : [password]);

        var sources = Files.ToDictionary(file => "Movie/disc/" + file.Path, file => file.Bytes!, StringComparer.Ordinal);
        sources.Add("Movie/disc.iso", image);
        await shelf.AssertEqualAsync(sources, layout.Flatten());
    }

    [Theory]
    [InlineData("disc-r")]
    [InlineData("disc-udf")]
    [InlineData("built")]
    public async Task A_truncated_image_gives_right_bytes_or_a_refusal(string name)
    {
        var image = name == "built" ? new UdfWriter { Fragmented = true }.Write(Files) : Disc(name).Contents[0].Bytes;
        var whole = new Shelf().Add("disc.iso", image);
        var entries = (await whole.LayOutAsync()).Entries.ToDictionary(entry => entry.Path, StringComparer.Ordinal);
        var refused = 0;
        for (var length = 65536; length < image.Length; length += 2048)
        {
            var shelf = new Shelf().Add("disc.iso", image[..length]);
            foreach (var layout in (await shelf.ScanAsync()).Layouts)
            {
                refused += layout.Refusal is not null || layout.Entries.Any(entry => entry.Refusal is not null) ? 1 : 0;
                foreach (var entry in layout.Entries.Where(
                    entry => entry is { IsDirectory: false, Refusal: null } && entries.ContainsKey(entry.Path)))
                    Assert.Equal(await whole.ReadAsync(entries[entry.Path]), await shelf.ReadAsync(entry));
            }
        }

        Assert.NotEqual(0, refused);
    }

    private static Shelf Disc(string name)
    {
        using var packed = File.OpenRead(Path.Combine(AppContext.BaseDirectory, "Fixtures", name + ".iso.gz"));
        using var unpacked = new GZipStream(packed, CompressionMode.Decompress);
        using var image = new MemoryStream();
        unpacked.CopyTo(image);
        return new Shelf().Add("disc.iso", image.ToArray(), segmentSize: 5000);
    }
}
