using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Posts whose names stand elsewhere than in the subject of each file, or are shared by several files.</summary>
internal static class NamedShapes
{
    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Second = ServedShapes.Second;
    private static readonly byte[] Index = SeededBytes.Make(71, 400);
    private static readonly byte[] Clip = SeededBytes.Make(72, 900);

    /// <summary>A playlist and another that begins like it.</summary>
    private static readonly byte[] List = SeededBytes.Make(73, 20_000);
    private static readonly byte[] OtherList = [.. List[..^1], (byte)(List[^1] ^ 1)];

    private static readonly (string Path, byte[] Bytes)[] Disc =
    [
        ("BDMV/index.bdmv", Index), ("BDMV/BACKUP/index.bdmv", Index), ("BDMV/CLIPINF/00001.clpi", Clip),
        ("BDMV/BACKUP/CLIPINF/00001.clpi", Clip),
        ("BDMV/PLAYLIST/00800.mpls", List), ("BDMV/PLAYLIST/00801.mpls", OtherList), ("BDMV/STREAM/00001.m2ts", Film),
    ];

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = new Dictionary<string,
        Func<PostShape>>(StringComparer.Ordinal)
    {
        ["a Blu-ray, recovery data have its tree"] = () => Tree(file => file[(file.LastIndexOf('/') + 1)..]),
        ["a Blu-ray, obfuscated, recovery data have its tree"] = () =>
            Tree(file => file[(file.LastIndexOf('/') + 1)..]) with { Options = ServedShapes.Obfuscated },
        ["a Blu-ray, one of two equal files was posted, recovery data have its tree"] = () =>
            Tree(file => file[(file.LastIndexOf('/') + 1)..]) is var shape
            ? shape with { Posted = [.. shape.Posted.Where((_, index) => index is not (1 or 3))] }
            : null!,
        ["a Blu-ray, the articles have its tree"] = () => new PostShape { Posted = Disc, Expected = ServedShapes.Map(Disc) },
        ["a Blu-ray in RAR"] = () => ServedShapes.Archive(
            new Rar5Writer { VolumeSize = 40_000 }.Write([.. Disc.Select(file => new PackedFile(file.Path, file.Bytes))]), count =>
                VolumeNaming.Part("disc", count)) with
        {
            Expected = ServedShapes.Map(Disc),
        },
        ["RAR5, recovery data inside name the files"] = () => Hidden(files => new Rar5Writer { VolumeSize = 40_000 }.Write(files)),
        ["RAR5, encrypted, recovery data inside name the files"] = () =>
            Hidden(files => new Rar5Writer { VolumeSize = 40_000, Password = "secret", EncryptHeaders = true }.Write(files))
                with
            { Password = "secret" },
        ["7z, recovery data inside name the files"] = () => Hidden(files => new SevenZipWriter { VolumeSize = 40_000 }.Write(files)),
        ["three sets that all hold video.mkv"] = () => Sets("video.mkv", "Show.S01E01.1080p", "Show.S01E02.1080p", "Show.S01E03.1080p"),
        ["two 7z sets that all hold video.mkv and subtitles"] = () => new PostShape
        {
            Posted =
            [
                .. PostShape.Named(SevenZip(Film), count => VolumeNaming.Numeric("Show.S01E01.7z", count)),
                .. PostShape.Named(SevenZip(Second), count => VolumeNaming.Numeric("Show.S01E02.7z", count)),
            ],
            Expected = ServedShapes.Map(
                ("Show.S01E01.mkv", Film), ("Show.S01E01.en.srt", ServedShapes.Subtitles), ("Show.S01E02.mkv", Second),
                ("Show.S01E02.en.srt", ServedShapes.Subtitles)),
        },
        ["two sets that hold several films of the same names"] = () => new PostShape
        {
            Posted = [.. Several("Disc One", Film, Second), .. Several("Disc Two", Second, Film)],
            Expected = ServedShapes.Map(("Disc One/a.mkv", Film), ("Disc One/b.mkv", Second), ("Disc Two/a.mkv", Second),
                ("Disc Two/b.mkv", Film)),
        },
        ["two sets of random names that all hold video.mkv"] = () =>
            Sets("video.mkv", "8f14e45fceea167a5a36dedd4bea2543", "c9f0f895fb98ab9159f51fd0297e236d") with
            {
                Expected = ServedShapes.Map(("video.mkv", Film), ("video (2).mkv", Second)),
            },
        ["only an .nzb"] = () => Listed(("Film.nzb", [("Film.mkv", Film), ("Film.en.srt", ServedShapes.Subtitles)])),
        ["only two .nzb files"] = () => Listed(("E01.nzb", [("Show.S01E01.mkv", Film)]), ("E02.nzb", [("Show.S01E02.mkv", Second)])),
        ["only an .nzb, of an encrypted archive with the password in its name"] = () => Listed(
            ("Film{{secret}}.nzb",
                [.. PostShape.Named(new Rar5Writer
                {
                    VolumeSize = 40_000,
                    Password = "secret",
                    EncryptHeaders = true,
                }.Write(ServedShapes.Packed), count => VolumeNaming.Part("volume", count))])) with
        {
            Expected = ServedShapes.Inside,
        },
        ["an .nzb beside a film"] = () => Listed(("Other.nzb", [("Other.mkv", Second)])) is var shape ? shape with
        {
            Posted = [("Film.mkv", Film)],
            Again = [],
            Rules = shape.Rules with { Blocklist = ["*.nzb"] },
            Expected = ServedShapes.Map(("Film.mkv", Film)),
        } : null!,
        ["only the last quoted word is the name"] = () => new PostShape
        {
            Posted = [("a", Film)],
            Options = new PostOptions
            {
                ArticleSize = 7_000,
                YencName = _ => "4f1c",
                Subject = index =>
                $"\"Great.Films.2024\" [1/1] \"by.me\" - \"Film.2024.1080p.mkv\" yEnc ({index + 1}/22)"
            },
            Expected = ServedShapes.Map(("Film.2024.1080p.mkv", Film)),
        },
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string,
        Func<PostShape>>(StringComparer.Ordinal)
    {
        ["only an .nzb, and what it lists is gone"] = () => Listed(("Film.nzb", [("Film.mkv", Film)])) with
        {
            Gone = segment => segment.File.Name == "Film.mkv",
            Code = ImportFailure.Missing,
            Says = "'Film.mkv'",
        },
        ["only an .nzb that cannot be read"] = () =>
            new PostShape { Posted = [("Film.nzb", "<nzb>"u8.ToArray())], Code = ImportFailure.NoVideo, Says = "It lists another post" },
    };

    private static PostShape Listed(params (string Name, IReadOnlyList<(string Name, byte[] Bytes)> Files)[] inner) => new()
    {
        Posted = [("Film.nfo", ServedShapes.Note)],
        Inner = inner,
        Expected = ServedShapes.Map([.. inner.SelectMany(post => post.Files)]),
    };

    private static PostShape Tree(Func<string, string> posted) => new()
    {
        Posted =
        [
            .. Disc.Select(file => (posted(file.Path), file.Bytes)),
            ("disc.par2", Disc.Aggregate(new Par2Writer(), (writer, file) => writer.Add(file.Path, file.Bytes)).Index()),
        ],
        Expected = ServedShapes.Map(Disc),
    };

    private static PostShape Hidden(Func<PackedFile[], IReadOnlyList<byte[]>> write)
    {
        var names = new Par2Writer().Add("Film.2024.1080p.mkv", Film).Add("Film.2024.1080p.en.srt", ServedShapes.Subtitles).Index();
        return new PostShape
        {
            Posted =
            [
                .. PostShape.Named(
                    write(
                    [
                        new("9f86d081884c7d659a2feaa0c55ad015", Film), new("d7a8fbb307d7809469ca9abcb0082e4f", ServedShapes.Subtitles),
                        new("e3b0c44298fc1c149afbf4c8996fb924.par2", names),
                    ]),
                    count => VolumeNaming.Part("volume", count)),
            ],
            Expected = ServedShapes.Map(("Film.2024.1080p.mkv", Film), ("Film.2024.1080p.en.srt", ServedShapes.Subtitles)),
        };
    }

    private static PostShape Sets(string inside, params string[] names)
    {
        var films = new[] { Film, Second, PostShape.Film(74, 80_000) };
        return new PostShape
        {
            Posted =
            [
                .. names.SelectMany((name, i) => PostShape.Named(
                    new Rar5Writer { VolumeSize = 40_000, Seed = i }.Write(new PackedFile(inside, films[i])), count =>
                        VolumeNaming.Part(name, count))),
            ],
            Expected = ServedShapes.Map([.. names.Select((name, i) => (name + ".mkv", films[i]))]),
        };
    }

    private static IReadOnlyList<byte[]> SevenZip(byte[] film) =>
        new SevenZipWriter { VolumeSize = 40_000 }.Write(new("video.mkv", film), new("video.en.srt", ServedShapes.Subtitles));

    private static IEnumerable<(string Name, byte[] Bytes)> Several(string name, byte[] one, byte[] other) =>
        PostShape.Named(new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("a.mkv", one), new PackedFile("b.mkv", other)), count =>
            VolumeNaming.Part(name, count));
}
