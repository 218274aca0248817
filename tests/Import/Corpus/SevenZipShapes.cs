using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>7z archives and split files: sets with headers only in the first or last volume.</summary>
internal static class SevenZipShapes
{
    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Note = ServedShapes.Note;

    public static IReadOnlyDictionary<string, Func<PostShape>> All { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["7z, one volume"] = () => SevenZip(new(), _ => ["volume.7z"]),
        ["7z, .7z.001"] = () => SevenZip(new() { VolumeSize = 30_000 }, Numbered),
        ["7z, .7z.1 to .N"] = () => SevenZip(new() { VolumeSize = 10_000 }, count => VolumeNaming.Bare("volume.7z", count)),
        ["7z, files in one stream"] = () => SevenZip(new() { VolumeSize = 30_000, Together = true }, Numbered),
        ["7z, random stems"] = () => SevenZip(new() { VolumeSize = 30_000 }, count => VolumeNaming.Noise(11, count)),
        ["7z, obfuscated, recovery data name the volumes"] = () =>
            ServedShapes.WithRecovery(SevenZip(new() { VolumeSize = 30_000 }, Numbered)) with { Nzb = new NzbOptions { ShuffleFiles = 3 } },
        ["7z, numbers behind random stems, in any order"] = () => SevenZip(
            new() { VolumeSize = 30_000 }, count => [.. VolumeNaming.Noise(13, count).Select((stem, i) => $"{stem}.7z.{i + 1:000}")]) with
        {
            Nzb = new NzbOptions { ShuffleFiles = 6 },
        },
        ["7z, random stems, the subjects count, in any order"] = () => SevenZip(
            new() { VolumeSize = 30_000 }, count => VolumeNaming.Noise(14, count)) with
        { Nzb = new NzbOptions { ShuffleFiles = 7 } },
        ["7z, one volume posted twice"] = () => Again(SevenZip(new() { VolumeSize = 30_000 }, Numbered), 2),
        ["7z, all posted twice"] = () => Again(SevenZip(new() { VolumeSize = 30_000 }, Numbered), 0, 1, 2, 3, 4, 5),
        ["7z, many volumes smaller than an article"] = () => SevenZip(new() { VolumeSize = 4_000 }, Numbered),
        ["7z, irregular articles"] = () => SevenZip(new() { VolumeSize = 30_000 }, Numbered)
            with
        { Options = new PostOptions { PartSize = i => 2_000 + (i * 991 % 3_000) } },
        ["7z, encrypted"] = () => SevenZip(new() { VolumeSize = 30_000, Password = "sécret" }, Numbered) with { Password = "sécret" },
        ["7z, encrypted, one volume, files in one stream"] = () =>
            SevenZip(new() { Password = "secret", Together = true }, _ => ["volume.7z"]) with { Password = "secret" },
        ["7z, header encrypted, at the end of the last volume"] = () =>
            SevenZip(new() { VolumeSize = 30_000, Password = "secret", EncryptHeader = true }, Numbered) with
            {
                Nzb = new NzbOptions { Meta = [new("password", "secret")] },
            },
        ["7z, folders and an empty file"] = () => Posted(
            VolumeNaming.Numeric("x.7z", 4).Zip(new SevenZipWriter { VolumeSize = 45_000 }.Write(new("Season 1", null),
                new("Season 1/E01.mkv", Film), new("Season 1/Subs/E01.srt", ServedShapes.Subtitles), new("empty.txt", []))),
            ("Season 1/E01.mkv", Film), ("Season 1/Subs/E01.srt", ServedShapes.Subtitles), ("empty.txt", [])),
        ["7z, names hidden inside too, encrypted"] = () => Posted(
            VolumeNaming.Noise(12, 4).Zip(new SevenZipWriter { VolumeSize = 45_000, Password = "secret" }.Write(
                new PackedFile("9f86d081884c7d659a2feaa0c55ad015", Film))), ("The Job (2024).mkv", Film)) with
        {
            Password = "secret",
        },
        ["7z by the real program, header packed"] = () => PostShape.OfFixture("plain7"),
        ["7z by the real program, header packed, .7z.001"] = () => PostShape.OfFixture("split7"),
        ["7z by the real program, encrypted"] = () => PostShape.OfFixture("data7") with { Password = "secret" },
        ["7z by the real program, header packed and encrypted, .7z.001"] = () =>
            PostShape.OfFixture("headers7") with { Password = "secret" },

        ["split, .mkv.001"] = () => Split("Film.mkv", VolumeNaming.Numeric),
        ["split, .mkv.1 to .N"] = () => Split("Film.mkv", VolumeNaming.Bare),
        ["split, in any order, something beside it"] = () => Split("Film.mkv", VolumeNaming.Numeric) with
        {
            Posted = [.. Parts("Film.mkv", VolumeNaming.Numeric), ("Film.nfo", Note)],
            Nzb = new NzbOptions { ShuffleFiles = 4 },
            Expected = ServedShapes.Map(("Film.mkv", Film), ("Film.nfo", Note)),
        },
        ["split, one part posted twice"] = () => Again(Split("Film.mkv", VolumeNaming.Numeric), 2),
        ["split, parts of several sizes"] = () => Posted([("Film.mkv.001", Film[..20_000]), ("Film.mkv.002", Film[20_000..70_000]),
            ("Film.mkv.003", Film[70_000..])], ("Film.mkv", Film)),
        ["split, nothing says of what kind it is"] = () => Posted(VolumeNaming.Numeric("Film.dat", 6)
            .Zip(SeededBytes.Make(21, 150_001).Chunk(28_000)), ("Film.dat", SeededBytes.Make(21, 150_001))) with
        {
            Category = "other",
        },
        ["split, one part only"] = () => Posted([("Film.mkv.001", Film)], ("Film.mkv", Film)),
        ["split, obfuscated, recovery data name the parts"] = () => ServedShapes.WithRecovery(Split("Film.mkv", VolumeNaming.Numeric)),
        ["split, a single RAR5 archive cut into parts"] = () => Posted(
            VolumeNaming.Numeric("volume.rar", 5).Zip(new Rar5Writer().Write(ServedShapes.Packed)[0].Chunk(32_000)),
            ("Film.2024.1080p.mkv", Film), ("Film.2024.1080p.nfo", Note)),
    };

    /// <summary>Some of the files once more, under the same names.</summary>
    private static PostShape Again(PostShape shape, params int[] files) =>
        shape with { Posted = [.. shape.Posted, .. files.Select(file => shape.Posted[file])] };

    private static string[] Numbered(int count) => VolumeNaming.Numeric("volume.7z", count);

    private static PostShape SevenZip(SevenZipWriter writer, Func<int, string[]> naming) =>
        ServedShapes.Archive(writer.Write(ServedShapes.Packed), naming);

    private static PostShape Posted(IEnumerable<(string Name, byte[] Bytes)> posted, params (string Path, byte[] Bytes)[] expected) =>
        new() { Posted = [.. posted], Expected = ServedShapes.Map(expected) };

    private static PostShape Split(string name, Func<string, int, string[]> naming) => Posted(Parts(name, naming), (name, Film));

    private static IEnumerable<(string Name, byte[] Bytes)> Parts(string name, Func<string, int, string[]> naming) =>
        naming(name, 6).Zip(Film.Chunk(28_000));
}
