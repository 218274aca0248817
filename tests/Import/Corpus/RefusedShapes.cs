using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Posts that must be refused, each with its reason.</summary>
internal static class RefusedShapes
{
    private static readonly byte[] Film = PostShape.Film(1, 150_001);

    public static IReadOnlyDictionary<string, Func<PostShape>> All { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["RAR5, compressed"] = () =>
            Refused(new Rar5Writer().Write(new PackedFile("Film.mkv", Film) { Method = 3 }), ImportFailure.Compressed, "method m3"),
        ["RAR4, compressed"] = () => Refused(new Rar4Writer { VolumeSize = 40_000 }.Write(new PackedFile("Film.mkv", Film) { Method = 5 }),
            ImportFailure.Compressed, "method m5"),
        ["RAR5, the film compressed, the rest stored"] = () => Refused(
            new Rar5Writer()
                .Write(new("Film.nfo", SeededBytes.Make(1, 100)), new("Film.mkv", Film) { Method = 1 }), ImportFailure.Compressed, "m1"),
        ["RAR5, encrypted, no password"] = () => Refused(new Rar5Writer { VolumeSize = 40_000, Password = "secret" }.Write(
            new PackedFile("Film.mkv", Film)), ImportFailure.Encrypted, "encrypted"),
        ["RAR5, headers encrypted, wrong password"] = () => Refused(
            new Rar5Writer { VolumeSize = 40_000, Password = "secret", EncryptHeaders = true }.Write(new PackedFile("Film.mkv", Film)),
            ImportFailure.Encrypted, "encrypted", "wrong"),
        ["RAR4, encrypted, wrong password"] = () => Refused(
            new Rar4Writer { VolumeSize = 40_000, Password = "secret", EncryptHeaders = true }.Write(new PackedFile("Film.mkv", Film)),
            ImportFailure.Encrypted, "encrypted", "wrong"),
        ["RAR5, the first volume is missing"] = () =>
            Without(0) with { Says = "RAR volumes missing: volume 1 of the set of 'volume.part2.rar' is not there." },
        ["RAR5, the first two volumes are missing"] = () =>
            Without(0, Without(0)) with { Says = "volumes 1 to 2 of the set of 'volume.part3.rar' are not there" },
        ["RAR4, the first volume is missing"] = () => Without(0, new PostShape
        {
            Posted = [.. PostShape.Named(new Rar4Writer { VolumeSize = 30_000 }.Write(new PackedFile("Film.mkv", Film)),
                count => VolumeNaming.Letter("volume", count))],
            Code = ImportFailure.MissingVolumes,
            Says = "volume 1 of the set of 'volume.r00' is not there",
        }),
        ["RAR5, a volume in the middle is missing"] = () => Without(2),
        ["RAR5, the last volume is missing"] = () => Without(^1),
        ["7z, LZMA"] = () => Compressed("lzma7", "7z compressed, method LZMA: not streamable."),
        ["7z, LZMA2"] = () => Compressed("lzmatwo7", "7z compressed, method LZMA2: not streamable."),
        ["7z, LZMA2, encrypted"] = () => Compressed("packed7", "7z compressed, method LZMA2: not streamable."),
        ["7z, PPMd"] = () => Compressed("ppmd7", "7z compressed, method PPMd: not streamable."),
        ["7z, encrypted, no password"] = () =>
            SevenZip(new() { VolumeSize = 40_000, Password = "secret" }, ImportFailure.Encrypted, "7z encrypted, and there is no password"),
        ["7z, encrypted, wrong password"] = () =>
            SevenZip(new() { VolumeSize = 40_000, Password = "secret" }, ImportFailure.Encrypted, "wrong") with { Password = "nope" },
        ["7z, header encrypted, no password"] = () => SevenZip(new() { VolumeSize = 40_000, Password = "secret", EncryptHeader = true },
            ImportFailure.Encrypted, "7z headers encrypted, and there is no password"),
        ["7z, a volume in the middle is missing"] = () =>
            Without(1, SevenZip(new() { VolumeSize = 40_000 }, ImportFailure.MissingVolumes, "7z volumes missing")),
        ["7z, the last volume is missing"] = () =>
            Without(^1, SevenZip(new() { VolumeSize = 40_000 }, ImportFailure.MissingVolumes, "7z volumes missing")),
        ["split, a part is missing"] = () => Without(2, new PostShape
        {
            Posted = [.. VolumeNaming.Numeric("Film.mkv", 6).Zip(Film.Chunk(28_000))],
            Code = ImportFailure.MissingVolumes,
            Says = "Part 3 of 'Film.mkv' is missing",
        }),
        ["split, the first part is missing"] = () => Without(0, new PostShape
        {
            Posted = [.. VolumeNaming.Numeric("Film.mkv", 6).Zip(Film.Chunk(28_000))],
            Code = ImportFailure.MissingVolumes,
            Says = "Part 1 of 'Film.mkv' is missing",
        }),
        ["split, the first two parts are missing, a note beside"] = () => Without(0, Without(0, new PostShape
        {
            Posted = [.. VolumeNaming.Bare("Film.mkv", 6).Zip(Film.Chunk(28_000)), ("Film.nfo", SeededBytes.Make(4, 321))],
            Code = ImportFailure.MissingVolumes,
            Says = "Parts 1 to 2 of 'Film.mkv' are missing",
        })),
        ["split, the last part is missing, recovery data know it"] = () =>
            Without(5, Described(6)) with { Says = "'Film.mkv.006' is missing: the recovery data of the post describe it." },
        ["split, all parts but the first are missing, recovery data know them"] = () => Described(6) with
        {
            Posted = [Described(6).Posted[0], Described(6).Posted[^1]],
            Says = "' is missing: the recovery data of the post describe it.",
        },
        ["RAR5, a volume posted twice, neither is there"] = () => Refused(new Rar5Writer { VolumeSize = 30_000 }.Write(
            new PackedFile("Film.mkv", Film)), ImportFailure.Missing, "'volume.part3.rar': ") with
        {
            Posted =
            [
                .. PostShape.Named(new Rar5Writer { VolumeSize = 30_000 }.Write(new PackedFile("Film.mkv", Film)),
                    count => VolumeNaming.Part("volume", count)),
                ("volume.part3.rar", new Rar5Writer { VolumeSize = 30_000 }.Write(new PackedFile("Film.mkv", Film))[2]),
            ],
            Gone = segment => segment.File.Name == "volume.part3.rar",
        },
        ["RAR5, the header of a volume is damaged"] = () =>
            Damaged(new Rar5Writer { VolumeSize = 40_000 }.Write(new PackedFile("Film.mkv", Film))),
        ["RAR4, the header of a volume is damaged"] = () =>
            Damaged(new Rar4Writer { VolumeSize = 40_000 }.Write(new PackedFile("Film.mkv", Film))),
        ["7z, BCJ2"] = () => Compressed("bcjtwo7", "7z compressed, method BCJ2: not streamable."),
        ["no video, a ZIP archive"] = () => new PostShape
        {
            Posted = [("Film.zip", [.. "PK\x3\x4"u8, .. Film])],
            Code = ImportFailure.NoVideo,
            Says = "It is a ZIP that cannot be read from the middle",
        },
        ["no video, a program"] = () =>
            new PostShape { Posted = [("Film.exe", [.. "MZ"u8, .. Film])], Code = ImportFailure.NoVideo, Says = "It is a program" },
        ["7z, the first volume is missing"] = () =>
            Without(0, SevenZip(new() { VolumeSize = 40_000 }, ImportFailure.MissingVolumes, "Part 1 of 'volume.7z' is missing")),
        ["RAR5 in RAR5, the inner compressed"] = () => Refused(
            new Rar5Writer { VolumeSize = 40_000 }.Write(new PackedFile("in.rar",
                new Rar5Writer().Write(new PackedFile("Film.mkv", Film) { Method = 3 })[0])), ImportFailure.Compressed, "method m3"),
        ["RAR5 in RAR5, the headers of the inner encrypted"] = () => Refused(
            new Rar5Writer { VolumeSize = 40_000 }.Write(new PackedFile(
                "in.rar", new Rar5Writer { Password = "secret", EncryptHeaders = true }.Write(new PackedFile("Film.mkv", Film))[0])),
            ImportFailure.Encrypted, "encrypted"),
        ["RAR5 in RAR5, both encrypted"] = () => Refused(
            new Rar5Writer { VolumeSize = 40_000, Password = "secret" }.Write(
                new PackedFile("in.rar", new Rar5Writer { Password = "secret" }.Write(new PackedFile("Film.mkv", Film))[0])),
            ImportFailure.BadArchive, "is encrypted inside an encrypted archive", "secret"),
        ["RAR5 in RAR5, a volume of the inner is missing"] = () => Refused(
            new Rar5Writer().Write([.. VolumeNaming.Part("in", 6).Zip(new Rar5Writer { VolumeSize = 30_000 }.Write(
                new PackedFile("Film.mkv", Film)), (name, bytes) => new PackedFile(name, bytes)).Where((_, i) => i != 3)]),
            ImportFailure.MissingVolumes, "RAR volumes missing"),
        ["dead, no article is left"] = () => Dead(_ => true) with { Says = "'Film.mkv': " },
        ["dead, every second article is gone"] = () =>
            Dead(segment => segment.Index % 2 == 1) with { Says = "Too many articles of this post are gone: about " },
        ["dead, a set of volumes of which one is gone"] = () => Refused(new Rar5Writer { VolumeSize = 10_000 }.Write(
            new PackedFile("Film.mkv", Film)), ImportFailure.Missing, "'volume.part07.rar': ") with
        {
            Gone = segment => segment.File.Name == "volume.part07.rar",
        },
        ["uuencode"] = () => Encoded(ArticleShape.Uuencode, "was posted as uuencode, which is not supported: only yEnc is."),
        ["MIME"] = () => Encoded(ArticleShape.Base64, "was posted as MIME (base64), which is not supported: only yEnc is."),
        ["no video"] = () => new PostShape
        { Posted = [("book.epub", SeededBytes.Make(1, 5_000))], Code = ImportFailure.NoVideo, Says = "There is no video in this post" },
    };

    private static PostShape Refused(IReadOnlyList<byte[]> volumes, string code, string says, string? password = null) => new()
    {
        Posted = [.. PostShape.Named(volumes, count => VolumeNaming.Part("volume", count))],
        Code = code,
        Says = says,
        Password = password,
    };

    private static PostShape Damaged(IReadOnlyList<byte[]> volumes)
    {
        // Behind the marker: in the main header.
        volumes[2][10] ^= 1;
        return Refused(volumes, ImportFailure.BadArchive,
            "volume 3 of the set that begins with 'volume.part1.rar' cannot be read. 'volume.part3.rar': the RAR header at byte");
    }

    /// <summary>A film in parts, with recovery data.</summary>
    private static PostShape Described(int parts)
    {
        var cut = VolumeNaming.Numeric("Film.mkv", parts).Zip(Film.Chunk(28_000)).ToArray();
        var recovery = cut.Aggregate(new Par2Writer(), (writer, part) => writer.Add(part.First, part.Second)).Index();
        return new PostShape { Posted = [.. cut, ("Film.par2", recovery)], Code = ImportFailure.MissingVolumes };
    }

    private static PostShape Dead(Func<PostedSegment, bool> gone) =>
        new() { Posted = [("Film.mkv", Film)], Code = ImportFailure.Missing, Gone = gone };

    private static PostShape Encoded(ArticleShape shape, string says) => new()
    {
        Posted = [("Film.mkv", Film)],
        Options = new PostOptions { ArticleSize = 7_000, Shape = _ => shape },
        Code = ImportFailure.Corrupt,
        Says = says,
    };

    private static PostShape SevenZip(SevenZipWriter writer, string code, string says) => new()
    {
        Posted = [.. PostShape.Named(writer.Write(new PackedFile("Film.mkv", Film)), count => VolumeNaming.Numeric("volume.7z", count))],
        Code = code,
        Says = says,
    };

    /// <summary>What the real program compressed.</summary>
    private static PostShape Compressed(string fixture, string says) =>
        new() { Posted = Fixtures.Of(fixture), Code = ImportFailure.Compressed, Says = says };

    private static PostShape Without(Index volume) =>
        Without(volume, Refused(
            new Rar5Writer { VolumeSize = 30_000 }.Write(new PackedFile("Film.mkv", Film)), ImportFailure.MissingVolumes, "volume"));

    private static PostShape Without(Index volume, PostShape shape)
    {
        var posted = shape.Posted.ToList();
        posted.RemoveAt(volume.GetOffset(posted.Count));
        return shape with { Posted = posted };
    }
}
