using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Options;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Posts that must come out as the files inside, by name.</summary>
internal static class ServedShapes
{
    internal static readonly byte[] Film = PostShape.Film(1, 150_001);
    internal static readonly byte[] Second = PostShape.Film(2, 90_003);
    internal static readonly byte[] Subtitles = SeededBytes.Make(3, 2_345);
    internal static readonly byte[] Note = SeededBytes.Make(4, 321);

    internal static readonly PackedFile[] Packed = [new("Film.2024.1080p.mkv", Film), new("Film.2024.1080p.nfo", Note)];
    internal static readonly Dictionary<string, byte[]> Inside = new(StringComparer.Ordinal)
    { ["Film.2024.1080p.mkv"] = Film, ["Film.2024.1080p.nfo"] = Note };

    public static IReadOnlyDictionary<string, Func<PostShape>> All { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["plain, one file"] = () => Plain(("Film.mkv", Film)),
        ["plain, a film with what belongs to it"] = () => Plain(("Film.mkv", Film), ("Film.en.srt", Subtitles), ("Film.nfo", Note)),
        ["plain, one segment"] = () => Plain(("Short.mkv", PostShape.Film(5, 5_000))),
        ["plain, irregular articles"] = () =>
            Plain(("Film.mkv", Film)) with { Options = new PostOptions { PartSize = i => 3_000 + (i * 37 % 4_000) } },
        ["plain, twenty episodes"] = () =>
            Plain([.. Enumerable.Range(1, 20).Select(i => ($"Show.S01E{i:00}.mkv", PostShape.Film(100 + i, 20_000 + i)))]),
        ["plain, an .nzb in any order"] = () =>
            Plain(("Film.mkv", Film), ("Film.nfo", Note)) with { Nzb = new NzbOptions { ShuffleFiles = 1, ShuffleSegments = 2 } },
        ["plain, names of all scripts"] = () => Plain(("Ünïcödé – 日本語 – עברית.mkv", Film)),
        ["plain, two files of one name"] = () =>
            Plain(("Film.mkv", Film), ("Film.mkv", Second)) with { Expected = Map(("Film.mkv", Film), ("Film (2).mkv", Second)) },
        ["obfuscated, one segment, no extension"] = () => Plain(("x", PostShape.Film(7, 6_000)))
            with
        { Options = Obfuscated, Expected = Map(("The Job (2024).mkv", PostShape.Film(7, 6_000))) },
        ["obfuscated, the job names it"] = () =>
            Plain(("x", Film)) with { Options = Obfuscated, Expected = Map(("The Job (2024).mkv", Film)) },
        ["obfuscated, recovery data name it"] = () =>
            Plain(("x", Film), ("y", Subtitles), ("z", new Par2Writer().Add("Film.mkv", Film).Add("Film.en.srt", Subtitles).Index())) with
            {
                Options = Obfuscated,
                Expected = Map(("Film.mkv", Film), ("Film.en.srt", Subtitles)),
            },
        ["plain, a film that calls itself an archive"] = () => Plain(("Film.rar", Film)) with { Expected = Map(("Film.mkv", Film)) },
        ["plain, a film that calls itself a document in its articles"] = () =>
            Plain(("Film.mkv", Film)) with { Options = new PostOptions { ArticleSize = 7_000, YencName = _ => "invoice.pdf" } },
        ["RAR5, a film that calls itself a disc inside"] = () => Archive(
            new Rar5Writer { VolumeSize = 40_000 }.Write(new PackedFile("Film.bin", Film)), count => VolumeNaming.Part("x", count)) with
        {
            Expected = Map(("Film.mkv", Film)),
        },
        ["plain, an empty file of noise beside it"] = () =>
            Plain(("Film.mkv", Film), ("kjh34k5jh3k4jh5kj7", [])) with { Expected = Map(("Film.mkv", Film)) },
        ["with a sample and recovery volumes"] = () => Plain(
            ("Film.mkv", Film), ("film-sample.mkv", PostShape.Film(6, 9_000)), ("Film.par2", new Par2Writer().Add("Film.mkv", Film)
                .Index()), ("Film.vol0+3.par2", new Par2Writer().Add("Film.mkv", Film).Volume(3))) with
        {
            Expected = Map(("Film.mkv", Film)),
        },

        ["RAR5, one volume"] = () => Rar5(VolumeNaming.Part, volume: null),
        ["RAR5, parts"] = () => Rar5(VolumeNaming.Part),
        ["RAR5, .rar and .rNN"] = () => Rar5(VolumeNaming.Letter),
        ["RAR5, parts, in capitals"] = () =>
            Rar5((stem, count) => [.. VolumeNaming.Part(stem, count).Select(name => name.ToUpperInvariant())]),
        ["RAR5, .001"] = () => Rar5(VolumeNaming.Numeric),
        ["RAR5, .1 to .N"] = () => Rar5(VolumeNaming.Bare),
        ["RAR5, random stems"] = () => Rar5((_, count) => VolumeNaming.Noise(3, count)),
        ["RAR5, obfuscated"] = () => Rar5(VolumeNaming.Part) with { Options = Obfuscated, Nzb = new NzbOptions { ShuffleFiles = 5 } },
        ["RAR5, irregular articles"] = () =>
            Rar5(VolumeNaming.Part) with { Options = new PostOptions { PartSize = i => 2_000 + (i * 991 % 3_000) } },
        ["RAR5, articles that only look equal"] = () =>
            Rar5(VolumeNaming.Part) with { Options = new PostOptions { PartSize = LooksEqual } },
        ["RAR5, one volume, articles that only look equal"] = () =>
            Rar5(VolumeNaming.Part, volume: null) with { Options = new PostOptions { PartSize = LooksEqual } },
        ["plain, ten files, articles that only look equal"] = () =>
            Plain([.. Enumerable.Range(1, 10).Select(i => ($"Show.S01E{i:00}.mkv", PostShape.Film(200 + i, 60_000 + i)))]) with
            {
                Options = new PostOptions { PartSize = LooksEqual },
            },
        ["RAR5, many volumes smaller than an article"] = () => Rar5(VolumeNaming.Part, volume: 4_000),
        ["RAR5, data encrypted, password with the job"] = () => Rar5(VolumeNaming.Part, password: "secret") with { Password = "secret" },
        ["RAR5, data encrypted, one volume"] = () => Rar5(VolumeNaming.Part, volume: null, password: "secret") with { Password = "secret" },
        ["RAR5, headers encrypted, password in the .nzb"] = () => Rar5(VolumeNaming.Part, password: "sécret wörd", headers: true)
            with
        { Nzb = new NzbOptions { Meta = [new("password", "sécret wörd")] } },
        ["RAR5, headers encrypted, random stems, password in the name"] = () =>
            Rar5((_, count) => VolumeNaming.Noise(4, count), password: "a}b", headers: true) with { Job = "The Job (2024){{a}b}}" },
        ["RAR5, password from the list of the settings"] = () =>
            Rar5(VolumeNaming.Part, password: "third") with { Rules = Rules(passwords: ["first", "second", "third"]), Password = "wrong" },
        ["RAR5, folders and an empty file"] = () => Archive(
            new Rar5Writer { VolumeSize = 40_000 }.Write(new("Season 1", null), new("Season 1/E01.mkv", Film),
                new("Season 1/Subs/E01.srt", Subtitles), new("empty.txt", [])), count => VolumeNaming.Part("x", count)) with
        {
            Expected = Map(("Season 1/E01.mkv", Film), ("Season 1/Subs/E01.srt", Subtitles), ("empty.txt", [])),
        },
        ["RAR5, two sets in one post"] = () => new PostShape
        {
            Posted =
            [
                .. PostShape.Named(new Rar5Writer { VolumeSize = 40_000, Seed = 1 }.Write(new PackedFile("E01.mkv", Film)),
                    count => VolumeNaming.Part("one", count)),
                .. PostShape.Named(new Rar5Writer { VolumeSize = 40_000, Seed = 2 }.Write(new PackedFile("E02.mkv", Second)),
                    count => VolumeNaming.Part("two", count)),
            ],
            Expected = Map(("E01.mkv", Film), ("E02.mkv", Second)),
        },
        ["RAR5, two sets of one name, with files of one name and size, in any order"] = () =>
            TwoOfOneName(file => new Rar5Writer { VolumeSize = 30_000 }.Write(file)),
        ["RAR4, two sets of one name, with files of one name and size, in any order"] = () =>
            TwoOfOneName(file => new Rar4Writer { VolumeSize = 30_000 }.Write(file)),
        ["RAR5, all posted twice"] = () =>
            Rar5(VolumeNaming.Part) with { Posted = [.. Rar5(VolumeNaming.Part).Posted, .. Rar5(VolumeNaming.Part).Posted] },
        ["RAR4, all posted twice"] = () =>
            Rar4(VolumeNaming.Letter) with { Posted = [.. Rar4(VolumeNaming.Letter).Posted, .. Rar4(VolumeNaming.Letter).Posted] },
        ["RAR5, a volume posted again because it had not come through"] = () => Rar5(VolumeNaming.Part) with
        {
            Posted = [Rar5(VolumeNaming.Part).Posted[2], .. Rar5(VolumeNaming.Part).Posted],
            Gone = segment => segment.File.Number == 1,
        },
        ["RAR5, names hidden inside too"] = () => Archive(
            new Rar5Writer { VolumeSize = 40_000 }.Write(new PackedFile("9f86d081884c7d659a2feaa0c55ad015", Film)), count =>
                VolumeNaming.Noise(8, count)) with
        {
            Expected = Map(("The Job (2024).mkv", Film)),
        },
        ["RAR5, headers encrypted, names hidden inside too"] = () => Archive(
            new Rar5Writer { VolumeSize = 40_000, Password = "secret", EncryptHeaders = true }.Write(
                new PackedFile("9f86d081884c7d659a2feaa0c55ad015", Film)), count => VolumeNaming.Noise(9, count)) with
        {
            Password = "secret",
            Expected = Map(("The Job (2024).mkv", Film)),
        },
        ["RAR5, obfuscated, recovery data name the volumes"] = () => WithRecovery(Rar5(VolumeNaming.Part)),
        ["RAR5, a plain film beside it"] = () => Rar5(VolumeNaming.Part) with
        {
            Posted = [.. Rar5(VolumeNaming.Part).Posted, ("Extra.mkv", Second)],
            Expected = Map(("Film.2024.1080p.mkv", Film), ("Film.2024.1080p.nfo", Note), ("Extra.mkv", Second)),
        },
        ["RAR5, names that lead out"] = () => Archive(new Rar5Writer().Write(new PackedFile("../../etc/evil.mkv", Film)),
            count => VolumeNaming.Part("x", count)) with
        { Expected = Map(("etc/evil.mkv", Film)) },

        ["RAR4, one volume"] = () => Rar4(VolumeNaming.Part, volume: null),
        ["RAR4, .rar and .rNN"] = () => Rar4(VolumeNaming.Letter),
        ["RAR4, parts"] = () => Rar4(VolumeNaming.Part),
        ["RAR4, .001"] = () => Rar4(VolumeNaming.Numeric),
        ["RAR4, .1 to .N"] = () => Rar4(VolumeNaming.Bare),
        ["RAR4, random stems"] = () => Rar4((_, count) => VolumeNaming.Noise(5, count)),
        ["RAR4, obfuscated, recovery data name the volumes"] = () => WithRecovery(Rar4(VolumeNaming.Letter)),
        ["RAR4, many volumes smaller than an article"] = () => Rar4(VolumeNaming.Letter, volume: 4_000),
        ["RAR4, data encrypted"] = () => Rar4(VolumeNaming.Part, password: "secret") with { Password = "secret" },
        ["RAR5 by the real program"] = () => PostShape.OfFixture("plain5"),
        ["RAR5 by the real program, encrypted"] = () => PostShape.OfFixture("data5") with { Password = "secret" },
        ["RAR5 by the real program, headers encrypted"] = () => PostShape.OfFixture("headers5") with { Password = "secret" },
        ["RAR4 by the real program"] = () => PostShape.OfFixture("plain4"),
        ["RAR4 by the real program, encrypted"] = () => PostShape.OfFixture("data4") with { Password = "secret" },
        ["RAR4 by the real program, headers encrypted"] = () => PostShape.OfFixture("headers4") with { Password = "secret" },
        ["RAR4, headers encrypted"] = () => Rar4(VolumeNaming.Letter, password: "secret", headers: true) with { Password = "secret" },
    };

    /// <summary>The article count and the .nzb sizes fit a regular post: only reading the articles reveals otherwise.</summary>
    private static int LooksEqual(int index) => 4_000 + (index % 3) switch { 1 => 40, 2 => -40, _ => 0 };

    internal static PostOptions Obfuscated => new() { ArticleSize = 7_000, Obfuscated = true };

    private static ImportOptions Rules(IReadOnlyList<string> passwords) =>
        ImportFixture.Options with { MaxNzbBytes = 8 << 20, Passwords = passwords };

    /// <summary>Only the date of the file inside shows which set a volume belongs to.</summary>
    private static PostShape TwoOfOneName(Func<PackedFile, IReadOnlyList<byte[]>> write)
    {
        var other = PostShape.Film(8, Film.Length);
        var first = write(new PackedFile("Film.mkv", Film));
        var second = write(new PackedFile("Film.mkv", other) { Modified = DateTimeOffset.FromUnixTimeSeconds(1_600_000_100) });
        var posted = new[] { first, second }.SelectMany(volumes => PostShape.Named(volumes, count => VolumeNaming.Part("volume", count)))
            .ToList();

        // Both first volumes come first; then alternately a volume of each set, the wrong one before the right one.
        var middle = Enumerable.Range(1, first.Count - 1).SelectMany(i => new[] { posted[first.Count + i], posted[i] });
        return new PostShape
        { Posted = [posted[0], posted[first.Count], .. middle], Expected = Map(("Film.mkv", Film), ("Film (2).mkv", other)) };
    }

    private static PostShape Plain(params (string Name, byte[] Bytes)[] files) => new()
    {
        Posted = files,
        Expected = files.DistinctBy(file => file.Name).ToDictionary(file => file.Name, file => file.Bytes, StringComparer.Ordinal),
    };

    internal static Dictionary<string, byte[]> Map(params (string Path, byte[] Bytes)[] files) =>
        files.ToDictionary(file => file.Path, file => file.Bytes, StringComparer.Ordinal);

    internal static PostShape Archive(IReadOnlyList<byte[]> volumes, Func<int, string[]> naming) =>
        new() { Posted = [.. PostShape.Named(volumes, naming)], Expected = Inside };

    private static PostShape Rar5(
        Func<string, int, string[]> naming, int? volume = 30_000, string? password = null, bool headers = false) =>
        Archive(new Rar5Writer { VolumeSize = volume, Password = password, EncryptHeaders = headers }.Write(Packed),
            count => naming("volume", count));

    private static PostShape Rar4(
        Func<string, int, string[]> naming, int? volume = 30_000, string? password = null, bool headers = false) =>
        Archive(new Rar4Writer { VolumeSize = volume, Password = password, EncryptHeaders = headers }.Write(Packed),
            count => naming("volume", count));

    internal static PostShape WithRecovery(PostShape shape) => shape with
    {
        Posted = [.. shape.Posted,
            ("volume.par2", shape.Posted.Aggregate(new Par2Writer(), (writer, file) => writer.Add(file.Name, file.Bytes)).Index())],
        Options = Obfuscated,
    };
}
