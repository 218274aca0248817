using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests;

/// <summary>Archives inside archives, and files cut into parts.</summary>
public sealed class NestingTests
{
    private static readonly PackedFile[] Files = [new("a.mkv", Sources.Video(71, 20_000)), new("Sub/b.srt", SeededBytes.Make(72, 500))];

    public static TheoryData<string, string?, string?> Shapes()
    {
        var shapes = new TheoryData<string, string?, string?>();
        foreach (var shape in (string[])["rar5 in rar5", "rar4 in rar5", "7z in rar4", "rar5 in 7z", "7z in 7z"])
        {
            shapes.Add(shape, null, null);
            shapes.Add(shape, "outer", null);
            shapes.Add(shape, null, "inner");
        }

        return shapes;
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task The_innermost_files_are_listed(string shape, string? outerPassword, string? innerPassword)
    {
        var (inner, outer) = (shape.Split(" in ")[0], shape.Split(" in ")[1]);
        var volumes = Write(inner, innerPassword, 3000, Files);
        var names = inner == "7z" ? VolumeNaming.Numeric("Release/in.7z", volumes.Count) : VolumeNaming.Part("Release/in", volumes.Count);
        PackedFile[] packed = [
            .. names.Zip(volumes, (name, bytes) => new PackedFile(name, bytes)), new("Release/in.nfo", SeededBytes.Make(73, 50))];
        var outside = Write(outer, outerPassword, 5000, packed);
        var shelf = new Shelf();
        var outerNames = outer == "7z" ? VolumeNaming.Numeric("set.7z", outside.Count) : VolumeNaming.Part("set", outside.Count);
        for (var i = 0; i < outside.Count; i++)
            shelf.Add(outerNames[i], outside[i]);

        var layout = await shelf.LayOutAsync(passwords: ["no", "inner", "outer"]);

        Assert.Null(layout.Refusal);
        Assert.Null(Assert.Single(layout.Nested).Refusal);
        var sources = Files.ToDictionary(file => "Release/" + file.Path, file => file.Bytes!, StringComparer.Ordinal);
        sources.Add("Release/in.nfo", packed[^1].Bytes!);
        await shelf.AssertEqualAsync(sources, layout.Flatten());
    }

    [Fact]
    public async Task An_encrypted_archive_in_an_encrypted_one_is_refused()
    {
        var inner = Write("rar5", "inner", null, Files);
        var shelf = new Shelf().Add("set.rar", Write("rar5", "outer", null, [new PackedFile("in.rar", inner[0])])[0]);

        var layout = await shelf.LayOutAsync(passwords: ["inner", "outer"]);

        Assert.All(layout.Flatten(), entry => Assert.Equal(ArchiveRefusalReason.Unsupported, entry.Refusal?.Reason));
        Assert.Equal(2, layout.Flatten().Count());
    }

    [Fact]
    public async Task A_refused_inner_archive_is_listed_as_a_file()
    {
        var inner = Write("rar5", "inner", null, Files, headers: true);
        var shelf = new Shelf().Add("set.rar", Write("rar5", null, null, [new PackedFile("in.rar", inner[0])])[0]);

        var layout = await shelf.LayOutAsync();

        Assert.Equal(ArchiveRefusalReason.Encrypted, Assert.Single(layout.Nested).Refusal?.Reason);
        await shelf.AssertEqualAsync(new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["in.rar"] = inner[0] }, layout.Flatten());
    }

    [Fact]
    public async Task Parts_of_a_file_are_joined()
    {
        var bytes = Sources.Video(74, 10_500);
        var random = new Random(1);
        var parts = VolumeNaming.Numeric("Movie.mkv", 6).Zip(bytes.Chunk(2000)).OrderBy(_ => random.Next());
        var shelf = new Shelf();
        foreach (var (name, part) in parts)
            shelf.Add(name, part);

        var layout = await shelf.LayOutAsync();

        Assert.Equal((ArchiveFormat.Split, null), (layout.Format, layout.Refusal));
        await shelf.AssertEqualAsync(new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["Movie.mkv"] = bytes }, layout.Entries);
    }

    [Fact]
    public async Task Parts_in_a_folder_of_an_archive_are_joined_in_that_folder()
    {
        var bytes = Sources.Video(74, 10_500);
        var parts = VolumeNaming.Numeric("Release/Movie.mkv", 6).Zip(bytes.Chunk(2000), (name, part) => new PackedFile(name, part))
            .ToArray();
        var shelf = new Shelf().Add("set.rar", Write("rar5", null, null, parts)[0]);

        var layout = await shelf.LayOutAsync();

        await shelf.AssertEqualAsync(
            new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["Release/Movie.mkv"] = bytes }, layout.Flatten());
    }

    [Fact]
    public async Task Parts_of_a_disc_image_become_the_image_and_its_content()
    {
        var image = new UdfWriter().Write(Files);
        var shelf = new Shelf();
        foreach (var (name, part) in VolumeNaming.Numeric("disc.iso", 100).Zip(image.Chunk(20_000)))
            shelf.Add(name, part);

        var layout = await shelf.LayOutAsync();

        var sources = Files.ToDictionary(file => "disc/" + file.Path, file => file.Bytes!, StringComparer.Ordinal);
        sources.Add("disc.iso", image);
        await shelf.AssertEqualAsync(sources, layout.Flatten());
    }

    [Fact]
    public async Task A_gap_between_parts_is_reported()
    {
        var shelf = new Shelf();
        foreach (var (name, part) in VolumeNaming.Numeric("Movie.mkv", 6).Zip(Sources.Video(74, 10_500).Chunk(2000))
            .Where((_, i) => i != 2))
            shelf.Add(name, part);

        var layout = await shelf.LayOutAsync();

        Assert.Equal("Part 3 of 'Movie.mkv' is missing.", layout.Refusal?.Text);
    }

    [Fact]
    public async Task A_single_archive_cut_into_parts_is_read()
    {
        foreach (var format in (string[])["rar5", "rar4"])
        {
            var archive = Write(format, null, null, Files)[0];
            var shelf = new Shelf();
            foreach (var (name, part) in VolumeNaming.Numeric("set.rar", 5).Zip(archive.Chunk((archive.Length / 5) + 1)))
                shelf.Add(name, part);

            var layout = await shelf.LayOutAsync();

            await shelf.AssertEqualAsync(
                Files.ToDictionary(file => file.Path, file => file.Bytes!, StringComparer.Ordinal), layout.Flatten());
        }
    }

    [Fact]
    public async Task Files_with_numeric_extensions_are_not_always_parts()
    {
        var shelf = new Shelf().Add("track.1", Sources.Video(75, 900)).Add("track.2", Sources.Video(76, 900))
            .Add("note.001", SeededBytes.Make(77, 10));

        var scan = await shelf.ScanAsync();

        Assert.Empty(scan.Layouts);
        Assert.Equal([FileKind.Matroska, FileKind.Matroska, FileKind.Unknown], scan.Kinds.ToArray());
    }

    private static IReadOnlyList<byte[]> Write(
        string format, string? password, int? volumeSize, PackedFile[] files, bool headers = false) => format switch
        {
            "rar5" => new Rar5Writer { Password = password, VolumeSize = volumeSize, EncryptHeaders = headers }.Write(files),
            "rar4" => new Rar4Writer { Password = password, VolumeSize = volumeSize }.Write(files),
            _ => new SevenZipWriter { Password = password, VolumeSize = volumeSize, Together = true }.Write(files),
        };
}
