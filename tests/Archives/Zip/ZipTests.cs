using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;

namespace NzbDav.Archives.Tests.Zip;

/// <summary>Stored ZIPs, in one file and in several; what real programs wrote, and what the builder writes.</summary>
public sealed class ZipTests
{
    private static readonly PackedFile[] Files =
    [
        new("Movie", Bytes: null),
        new("Movie/first.mkv", Sources.Video(51, 40_001)),
        new("Movie/Ünïcödé 日本.srt", SeededBytes.Make(52, 900)),
        new("Movie/empty.txt", []),
        new("last.nfo", SeededBytes.Make(53, 33)),
    ];

    private static readonly Dictionary<string, byte[]> Inside =
        Files.Where(static file => file.Bytes is not null)
            .ToDictionary(static file => file.Path, static file => file.Bytes!, StringComparer.Ordinal);

    public static TheoryData<int?, bool, bool, bool, string> Shapes()
    {
        var shapes = new TheoryData<int?, bool, bool, bool, string>();
        foreach (var large in (bool[])[false, true])
        {
            foreach (var descriptors in (bool[])[false, true])
            {
                shapes.Add(null, false, descriptors, large, "");
                shapes.Add(9_000, false, descriptors, large, "");
                shapes.Add(9_000, true, descriptors, large, "");
            }
        }

        shapes.Add(null, false, false, false, "A comment that holds PK\u0005\u0006.");
        shapes.Add(9_000, true, true, false, new string('c', 3_000));
        return shapes;
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Built_archives_are_accepted_by_real_programs_and_read(
        int? volumeSize, bool spanned, bool descriptors, bool large, string comment)
    {
        var writer = new ZipWriter
        {
            VolumeSize = volumeSize,
            IsSpanned = spanned,
            HasDescriptors = descriptors,
            IsLarge = large,
            Comment = comment,
        };
        var volumes = Named(writer.Write(Files), spanned);

        var layouts = (await Shelf.Of(volumes.Reverse()).ScanAsync()).Layouts;

        var layout = Assert.Single(layouts);
        Assert.Null(layout.Refusal);
        var shelf = Shelf.Of(volumes.Reverse());
        await shelf.AssertEqualAsync(Inside, layout.Format == ArchiveFormat.Split ? Assert.Single(layout.Nested).Entries : layout.Entries);
        await RealPrograms.SevenZipAsync(spanned ? volumes.Reverse() : volumes, password: null, Inside);
    }

    [Theory]
    [InlineData("zip", "-0 -r -q out.zip .", "out.z*")]
    [InlineData("zip", "-0 -r -q -s 64k out.zip .", "out.z*")]
    [InlineData("zip", "-0 -r -q -fd out.zip .", "out.z*")]
    [InlineData("7z", "a -tzip -mx0 out.zip .", "out.zip*")]
    [InlineData("7z", "a -tzip -mx0 -v50k out.zip .", "out.zip*")]
    [InlineData("bsdtar", "-a --options zip:compression=store -cf out.zip Extras big.mkv empty.txt note.nfo video.mkv", "out.zip")]
    public async Task Archives_of_real_programs_are_read(string program, string arguments, string pattern)
    {
        var sources = new Dictionary<string, byte[]>(Sources.All, StringComparer.Ordinal) { ["big.mkv"] = Sources.Video(9, 200_000) };
        var volumes = await RealPrograms.PackAsync(program, arguments.Split(' '), sources, pattern);
        var shelf = Shelf.Of(volumes);
        var layout = Assert.Single((await shelf.ScanAsync()).Layouts);
        Assert.Null(layout.Refusal);
        var entries = layout.Format == ArchiveFormat.Split ? Assert.Single(layout.Nested).Entries : layout.Entries;
        await shelf.AssertEqualAsync(
            sources, [.. entries.Select(static entry => entry with { Path = Path.GetRelativePath(".", entry.Path).Replace('\\', '/') })]);
    }

    [Fact]
    public async Task Encrypted_films_are_refused_by_name()
    {
        var layout = Assert.Single((await Shelf.Of([("x.zip", new ZipWriter { IsEncrypted = true }.Write(Files)[0])]).ScanAsync()).Layouts);
        Assert.Equal(
            (ArchiveRefusalReason.Encrypted, "ZIP encrypted: 'Movie/first.mkv' cannot be read, as encrypted ZIPs are not supported."),
            (layout.Entries[1].Refusal!.Reason, layout.Entries[1].Refusal!.Text));
    }

    [Fact]
    public async Task A_compressed_film_is_refused_and_other_compressed_files_stay_packed()
    {
        var film = new ZipWriter().Write(new PackedFile("film.mkv", Sources.Video(1, 5_000)) { Method = 3 })[0];
        var refusal = Assert.Single(Assert.Single((await Shelf.Of([("x.zip", film)]).ScanAsync()).Layouts).Entries).Refusal!;
        Assert.Equal((ArchiveRefusalReason.Compressed, "ZIP compressed, method Deflate: not streamable."), (refusal.Reason, refusal.Text));
        var book = new ZipWriter().Write(new PackedFile("book.pdf", SeededBytes.Make(1, 5_000)) { Method = 3 })[0];
        var scan = await Shelf.Of([("x.zip", book)]).ScanAsync();
        Assert.Empty(scan.Layouts);
        Assert.Equal([FileKind.Zip], scan.Kinds);
    }

    [Theory]
    [InlineData("book.epub", "x")]
    [InlineData("comic.cbz", "x")]
    [InlineData("app.apk", "x")]
    [InlineData("e3b0c44298fc1c149afb", "mimetype")]
    [InlineData("letter.zip", "[Content_Types].xml")]
    public async Task Books_documents_and_programs_stay_one_file(string name, string first)
    {
        var zip = new ZipWriter().Write(new(first, SeededBytes.Make(1, 20)), new("film.mkv", Sources.Video(1, 5_000)))[0];
        Assert.Empty((await Shelf.Of([(name, zip)]).ScanAsync()).Layouts);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public async Task A_missing_part_is_reported(int missing)
    {
        var volumes = Named(new ZipWriter { VolumeSize = 9_000, IsSpanned = true }.Write(Files), spanned: true).ToList();
        Assert.Equal(5, volumes.Count);
        volumes.RemoveAt(missing);
        var layout = Assert.Single((await Shelf.Of(volumes).ScanAsync()).Layouts);
        Assert.Equal(ArchiveRefusalReason.MissingVolumes, layout.Refusal!.Reason);
    }

    [Fact]
    public async Task Damage_anywhere_never_reaches_beyond_the_archive()
    {
        var zip = new ZipWriter { IsLarge = true }.Write(Files)[0];
        var random = new Random(4);
        for (var round = 0; round < 2_000; round++)
        {
            var damaged = zip.ToArray();
            for (var i = 0; i < 4; i++)
            {
                var at = round % 2 == 0 ? random.Next(zip.Length) : zip.Length - 1 - random.Next(700);
                damaged[at] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            damaged[0] = (byte)'P';
            foreach (var entry in (await Shelf.Of([("x.zip", damaged)]).ScanAsync()).Layouts.SelectMany(static layout => layout.Entries))
            {
                Assert.Equal(entry.Refusal is null ? entry.Size : 0, entry.Spans.Sum(static span => span.Length));
                foreach (var piece in entry.Spans.SelectMany(static span => span.Pieces))
                    Assert.True(piece.Offset >= 0 && piece.Offset + piece.Length <= zip.Length);
            }
        }
    }

    [Fact]
    public async Task An_end_record_at_the_very_beginning_has_no_room_for_what_it_refers_to()
    {
        // It says that its numbers are in a record of 64 bits, whose locator would lie before the file.
        var end = new ArchiveBytes().U32(0x06054B50).U16(0).U16(0).U16(0xFFFF).U16(0xFFFF).U32(uint.MaxValue).U32(uint.MaxValue).U16(0);
        var head = new ArchiveBytes().U32(0x04034B50).Add(new byte[4]);
        foreach (var file in (byte[][])[end.ToArray(), [.. head.ToArray(), .. end.ToArray()]])
            Assert.DoesNotContain(
                (await Shelf.Of([("x.zip", file)]).ScanAsync()).Layouts, static layout => layout.Entries.Any(entry => entry.Refusal is null));
    }

    [Fact]
    public async Task A_directory_of_a_million_files_is_refused_before_it_takes_memory()
    {
        // The end record of 64 bits claims them; 46 bytes each would follow.
        var end = new ArchiveBytes().U32(0x04034B50).Add(new byte[26]).Add(new byte[20 << 20]);
        var at = (uint)end.Length;
        end.U32(0x06064B50).U64(44).U16(45).U16(45).U32(0).U32(0).U64(1_000_000).U64(1_000_000).U64(20 << 20).U64(30);
        end.U32(0x07064B50).U32(0).U64(at).U32(1);
        end.U32(0x06054B50).U16(0).U16(0).U16(0xFFFF).U16(0xFFFF).U32(uint.MaxValue).U32(uint.MaxValue).U16(0);
        var refusal = Assert.Single((await Shelf.Of([("x.zip", end.ToArray())]).ScanAsync()).Layouts).Refusal!;
        Assert.Equal((ArchiveRefusalReason.Unsupported, "ZIP: a directory of 1000000 files is refused."), (refusal.Reason, refusal.Text));
    }

    private static (string Name, byte[] Bytes)[] Named(IReadOnlyList<byte[]> volumes, bool spanned) =>
    [
        .. volumes.Select((bytes, i) => (
            volumes.Count == 1 ? "x.zip" : !spanned ? $"x.zip.{i + 1:000}" : i == volumes.Count - 1 ? "x.zip" : $"x.z{i + 1:00}",
            bytes)),
    ];
}
