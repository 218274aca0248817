using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Rar;

/// <summary>The builders, held against real programs; the reader, held against the builders.</summary>
public sealed class RarWriterTests
{
    private static readonly PackedFile[] Files =
    [
        new("Movie", Bytes: null),
        new("Movie/first.mkv", Sources.Video(11, 40_000)),
        new("Movie/Ünïcödé 日本.srt", SeededBytes.Make(12, 900)),
        new("Movie/empty.txt", []),
        new("last.nfo", SeededBytes.Make(13, 33)),
    ];

    public static TheoryData<ArchiveFormat, int?, string?, bool> Shapes()
    {
        var shapes = new TheoryData<ArchiveFormat, int?, string?, bool>();
        foreach (var format in (ArchiveFormat[])[ArchiveFormat.Rar5, ArchiveFormat.Rar4])
        {
            foreach (var size in (int?[])[null, 5000, 41_000])
            {
                shapes.Add(format, size, null, false);
                shapes.Add(format, size, "pässword", false);
                shapes.Add(format, size, "pässword", true);
            }
        }

        return shapes;
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Built_archives_are_accepted_by_real_programs_and_read(
        ArchiveFormat format, int? volumeSize, string? password, bool headers)
    {
        var volumes = Write(format, volumeSize, password, headers, Files);
        Assert.Equal(volumeSize is null, volumes.Count == 1);
        Assert.All(volumes.SkipLast(1), volume => Assert.Equal(volumeSize, volume.Length));
        var sources = Files.Where(file => file.Bytes is not null)
            .ToDictionary(file => file.Path, file => file.Bytes!, StringComparer.Ordinal);
        var named = VolumeNaming.Part("set", volumes.Count).Zip(volumes).ToArray();

        await RealPrograms.UnrarAsync(named, password, sources);

        var shelf = Shelf.Of(named);
        var layout = await shelf.LayOutAsync(passwords: password is null ? [] : ["no", password]);
        Assert.Null(layout.Refusal);
        Assert.Equal(format, layout.Format);
        await shelf.AssertEqualAsync(sources, layout.Entries);
        Assert.Equal(Files.Select(file => (file.Path, file.Modified)), layout.Entries.Select(entry => (entry.Path, entry.Modified!.Value)));
        if (password is null && volumeSize is null)
            await RealPrograms.BsdtarAsync(named, sources);
    }

    [Theory]
    [InlineData(ArchiveFormat.Rar5, "part")]
    [InlineData(ArchiveFormat.Rar5, "letter")]
    [InlineData(ArchiveFormat.Rar5, "numeric")]
    [InlineData(ArchiveFormat.Rar5, "bare")]
    [InlineData(ArchiveFormat.Rar5, "noise")]
    [InlineData(ArchiveFormat.Rar4, "part")]
    [InlineData(ArchiveFormat.Rar4, "letter")]
    [InlineData(ArchiveFormat.Rar4, "numeric")]
    [InlineData(ArchiveFormat.Rar4, "bare")]
    [InlineData(ArchiveFormat.Rar4, "noise")]
    public async Task Several_sets_in_one_post_are_kept_apart(ArchiveFormat format, string naming)
    {
        var random = new Random(3);
        var all = new List<(string Name, byte[] Bytes)>();
        var sources = new Dictionary<string, byte[]>(StringComparer.Ordinal);
        for (var i = 0; i < 6; i++)
        {
            var file = new PackedFile($"episode{i}.mkv", Sources.Video(20 + i, 30_000));
            sources.Add(file.Path, file.Bytes!);
            var volumes = Write(format, 4000, null, false, [file]);
            all.AddRange(Name(naming, $"show.{i}", i, volumes.Count).Zip(volumes));
        }

        var shelf = Shelf.Of(all.OrderBy(_ => random.Next()));
        var scan = await shelf.ScanAsync();

        Assert.Equal(6, scan.Layouts.Length);
        Assert.Equal(Enumerable.Range(0, all.Count), scan.Layouts.SelectMany(layout => layout.Volumes).Order());
        Assert.All(scan.Layouts, layout => Assert.Null(layout.Refusal));
        await shelf.AssertEqualAsync(sources, scan.Layouts.SelectMany(layout => layout.Entries));
    }

    [Fact]
    public async Task A_known_head_is_not_read_again()
    {
        var volumes = Write(ArchiveFormat.Rar5, 1 << 16, null, false, [new("long.mkv", Sources.Video(33, 600_000))]);
        var contents = volumes.Select(bytes => new MemoryContent(bytes)).ToArray();
        var files = contents.Select((content, i) =>
            new ArchiveVolume(content, $"noise{i}") { Head = content.Bytes.AsMemory(0, Math.Min(16384, content.Bytes.Length)) }).ToArray();

        var scan = await ArchiveReader.ReadAsync(files, new ArchiveOptions(), CancellationToken.None);

        Assert.Null(Assert.Single(scan.Layouts).Refusal);

        // Only the last volume's end is looked at, behind the data.
        Assert.All(contents.SkipLast(1), content => Assert.Equal(0, content.ReadersOpened));
        Assert.InRange(contents[^1].ReadersOpened, 0, 1);
    }

    [Theory]
    [InlineData(ArchiveFormat.Rar4)]
    [InlineData(ArchiveFormat.Rar5)]
    public async Task A_self_extracting_set_is_found_after_its_program(ArchiveFormat format)
    {
        var file = new PackedFile("a.mkv", Sources.Video(41, 5000));
        var volumes = Write(format, 2000, null, false, [file]);
        var shelf = new Shelf().Add("set.part1.exe", [.. Program, .. volumes[0]]);
        for (var i = 1; i < volumes.Count; i++)
            shelf.Add($"set.part{i + 1}.rar", volumes[i]);

        var layout = await shelf.LayOutAsync();

        await shelf.AssertEqualAsync(new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["a.mkv"] = file.Bytes! }, layout.Entries);
    }

    [Theory]
    [InlineData(ArchiveFormat.Rar4)]
    [InlineData(ArchiveFormat.Rar5)]
    public async Task A_program_that_contains_a_whole_archive_is_a_file(ArchiveFormat format)
    {
        var shelf = new Shelf().Add("set.exe",
            [.. Program, .. Write(format, null, null, false, [new("a.mkv", Sources.Video(41, 5000))])[0]]).Add("other.exe", Program);

        var scan = await shelf.ScanAsync();

        Assert.Empty(scan.Layouts);
        Assert.All(scan.Kinds, kind => Assert.Equal(FileKind.Program, kind));
    }

    [Fact]
    public async Task Volumes_without_an_end_header_are_ordered_by_name()
    {
        var file = new PackedFile("a.mkv", Sources.Video(46, 9000));
        var volumes = new Rar4Writer { VolumeSize = 1000, NoEnd = true }.Write(file);
        var random = new Random(2);
        foreach (var names in (string[][])[VolumeNaming.Part("set", volumes.Count), VolumeNaming.Letter("set", volumes.Count),
            VolumeNaming.Numeric("set", volumes.Count)])
        {
            var shelf = Shelf.Of(names.Zip(volumes).OrderBy(_ => random.Next()));

            var layout = await shelf.LayOutAsync();

            Assert.Null(layout.Refusal);
            await shelf.AssertEqualAsync(
                new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["a.mkv"] = file.Bytes! }, layout.Entries);
        }
    }

    [Fact]
    public async Task Volumes_of_a_season_with_random_names_are_sorted()
    {
        var random = new Random(9);
        var all = new List<(string Name, byte[] Bytes)>();
        for (var i = 0; i < 40; i++)
        {
            var volumes = Write(ArchiveFormat.Rar5, 400, null, false, [new($"e{i}.mkv", Sources.Video(100 + i, 6000))]);
            all.AddRange(VolumeNaming.Noise(100 + i, volumes.Count).Zip(volumes));
        }

        var scan = await Shelf.Of(all.OrderBy(_ => random.Next())).ScanAsync();

        Assert.Equal(40, scan.Layouts.Length);
        Assert.All(scan.Layouts, layout => Assert.Null(layout.Refusal));
    }

    [Fact]
    public async Task A_volume_posted_twice_does_no_harm()
    {
        var file = new PackedFile("a.mkv", Sources.Video(42, 5000));
        var volumes = Write(ArchiveFormat.Rar5, 1000, null, false, [file]);
        var shelf = Shelf.Of(
            [.. VolumeNaming.Part("set", volumes.Count).Zip(volumes), ("set.part3.rar", volumes[2]), ("copy", volumes[3])]);

        var layout = await shelf.LayOutAsync();

        Assert.Null(layout.Refusal);
        await shelf.AssertEqualAsync(new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["a.mkv"] = file.Bytes! }, layout.Entries);
    }

    [Fact]
    public async Task A_password_is_proven_by_the_file_type_that_the_name_promises()
    {
        var file = new PackedFile("a.mkv", Sources.Video(43, 300_000));
        var shelf = Shelf.Of([("a.rar", Write(ArchiveFormat.Rar4, null, "right", false, [file])[0])]);

        var layout = await shelf.LayOutAsync(passwords: ["no", "right"]);

        Assert.Equal(("right", PasswordProof.Magic), (layout.Password, layout.Proof));
        Assert.Equal(file.Bytes, await shelf.ReadAsync(Assert.Single(layout.Entries)));
        layout = await shelf.LayOutAsync(passwords: ["no"]);
        Assert.Equal(ArchiveRefusalReason.Encrypted, Assert.Single(layout.Entries).Refusal?.Reason);
    }

    [Fact]
    public async Task An_unprovable_password_is_used_only_if_it_is_the_only_one()
    {
        var file = new PackedFile("a.bin", SeededBytes.Make(44, 300_000));
        var shelf = Shelf.Of([("a.rar", Write(ArchiveFormat.Rar4, null, "right", false, [file])[0])]);

        var layout = await shelf.LayOutAsync(passwords: ["right"]);

        Assert.Equal(("right", PasswordProof.Unproved), (layout.Password, layout.Proof));
        layout = await shelf.LayOutAsync(passwords: ["right", "other"]);
        Assert.Equal(ArchiveRefusalReason.Encrypted, Assert.Single(layout.Entries).Refusal?.Reason);
    }

    [Fact]
    public async Task Of_two_passwords_the_one_that_yields_a_known_file_type_is_used()
    {
        var file = new PackedFile("a.bin", Sources.Video(44, 300_000));
        var shelf = Shelf.Of([("a.rar", Write(ArchiveFormat.Rar4, null, "right", false, [file])[0])]);

        var layout = await shelf.LayOutAsync(passwords: ["other", "right"]);

        Assert.Equal(("right", PasswordProof.Magic), (layout.Password, layout.Proof));
        Assert.Equal(file.Bytes, await shelf.ReadAsync(Assert.Single(layout.Entries)));
    }

    [Fact]
    public async Task A_compressed_member_does_not_hide_the_others()
    {
        var file = new PackedFile("a.mkv", Sources.Video(45, 3000));
        var shelf = Shelf.Of(
            [("a.rar", Write(ArchiveFormat.Rar5, null, null, false, [new("a.nfo", SeededBytes.Make(1, 99)) { Method = 5 }, file])[0])]);

        var layout = await shelf.LayOutAsync();

        Assert.Equal("RAR compressed, method m5: not streamable.", layout.Entries[0].Refusal?.Text);
        Assert.Equal(file.Bytes, await shelf.ReadAsync(layout.Entries[1]));
    }

    internal static IReadOnlyList<byte[]> Write(
        ArchiveFormat format, int? volumeSize, string? password, bool headers, PackedFile[] files) => format == ArchiveFormat.Rar5
        ? new Rar5Writer { VolumeSize = volumeSize, Password = password, EncryptHeaders = headers }.Write(files)
        : new Rar4Writer { VolumeSize = volumeSize, Password = password, EncryptHeaders = headers }.Write(files);

    private static string[] Name(string naming, string stem, int seed, int count) => naming switch
    {
        "part" => VolumeNaming.Part(stem, count),
        "letter" => VolumeNaming.Letter(stem, count),
        "numeric" => VolumeNaming.Numeric(stem, count),
        "bare" => VolumeNaming.Bare(stem, count),
        _ => VolumeNaming.Noise(seed, count),
    };

    private static byte[] Program => [(byte)'M', (byte)'Z', .. SeededBytes.Make(40, 100_000)];
}
