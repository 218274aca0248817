using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Posts that look like something else, and posts whose files have no recognisable order.</summary>
internal static class OddShapes
{
    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Big = PostShape.Film(36, 300_001);
    private static readonly byte[] Stored = new Rar5Writer().Write(new PackedFile("page01.jpg", SeededBytes.Make(31, 20_000)))[0];
    private static readonly byte[] Compressed = new Rar5Writer()
        .Write(new PackedFile("extras.txt", SeededBytes.Make(32, 20_000)) { Method = 3 })[0];
    private static readonly byte[] Program = [(byte)'M', (byte)'Z', .. SeededBytes.Make(33, 4_000), .. Stored];

    /// <summary>Neither names, counts nor dates order the files.</summary>
    private static readonly PostOptions Silent = new()
    { ArticleSize = 7_000, Obfuscated = true, Subject = index => $"yEnc ({index + 1}/9)" };

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["a comic book stays a file"] = () => Plain(("Film.mkv", Film), ("Comic.cbr", Stored)),
        ["a comic book in 7z stays a file"] = () => Plain(
            ("Film.mkv", Film), ("Comic.cb7", new SevenZipWriter().Write(new PackedFile("page01.jpg", SeededBytes.Make(31, 20_000)))[0])),
        ["a self-extracting program stays a file"] = () => Plain(("Film.mkv", Film), ("setup.exe", Program)),
        ["a compressed archive beside a film stays a file"] = () => Plain(("Film.mkv", Film), ("extras.rar", Compressed)),
        ["dead subtitles beside a film"] = () => Plain(("Film.mkv", Film))
            with
        { Posted = [("Film.mkv", Film), ("Film.en.srt", SeededBytes.Make(34, 900))], Gone = segment => segment.File.Number == 2 },
        ["a dead small file without a name beside a film"] = () => Plain(("The Job (2024).mkv", Film)) with
        {
            Posted = [("x", Film), ("y", SeededBytes.Make(35, 900))],
            Options = ServedShapes.Obfuscated,
            Gone = segment => segment.File.Number == 2,
        },
        ["RAR4 without numbers, the subjects count, in any order"] = () =>
            Rar4(new PostOptions { ArticleSize = 7_000 }) with { Nzb = new NzbOptions { ShuffleFiles = 8 } },
        ["7z in three volumes that nothing names: only one order fits"] = () =>
            SevenZip(70_000, Silent) with { Nzb = new NzbOptions { ShuffleFiles = 9 } },
        ["RAR4, data encrypted, two passwords, nothing names the type"] = () =>
            Locked("4f1c", Big, new Rar4Writer { VolumeSize = 90_000, Password = "secret" }),
        ["RAR4, data encrypted, two passwords, another type than the name's"] = () =>
            Locked("Film.avi", Big, new Rar4Writer { VolumeSize = 90_000, Password = "secret" }) with
            {
                Expected = ServedShapes.Map(("Film.avi", Big)),
            },
        ["7z, encrypted, two passwords, nothing names the type"] = () =>
            Locked("4f1c", Big, new SevenZipWriter { VolumeSize = 90_000, Password = "secret" }),
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["RAR4 without numbers, nothing orders it"] = () => Rar4(Silent)
            with
        { Nzb = new NzbOptions { ShuffleFiles = 8 }, Code = ImportFailure.BadArchive, Says = "is the first is unknown" },
        ["7z, nothing orders it"] = () => SevenZip(30_000, Silent)
            with
        { Nzb = new NzbOptions { ShuffleFiles = 9 }, Code = ImportFailure.BadArchive, Says = "is the first is unknown" },
        ["RAR4, data encrypted, two passwords, and the data are of no known type"] = () =>
            Locked("4f1c", SeededBytes.Make(37, 300_001), new Rar4Writer { VolumeSize = 90_000, Password = "secret" })
                with
            { Code = ImportFailure.Encrypted, Says = "none of the 2 passwords is right" },
        ["a small part of a cut film is dead"] = () => new PostShape
        {
            Posted = [.. VolumeNaming.Numeric("Film.mkv", 6).Zip(Film[..140_900].Chunk(28_000))],
            Gone = segment => segment.File.Number == 6,
            Code = ImportFailure.Missing,
            Says = "'Film.mkv.006': ",
        },
    };

    private static PostShape Plain(params (string Name, byte[] Bytes)[] files) =>
        new() { Posted = files, Expected = ServedShapes.Map(files) };

    /// <summary>Too big to compute its checksum, with a wrong password before the right one.</summary>
    private static PostShape Locked(string name, byte[] bytes, Rar4Writer writer) =>
        Locked(PostShape.Named(writer.Write(new PackedFile(name, bytes)), count => VolumeNaming.Part("volume", count)), bytes);

    private static PostShape Locked(string name, byte[] bytes, SevenZipWriter writer) =>
        Locked(VolumeNaming.Numeric("volume.7z", 4).Zip(writer.Write(new PackedFile(name, bytes))), bytes);

    private static PostShape Locked(IEnumerable<(string Name, byte[] Bytes)> volumes, byte[] bytes) => new()
    {
        Posted = [.. volumes],
        Password = "wrong",
        Rules = ImportFixture.Options with { MaxNzbBytes = 8 << 20, Passwords = ["secret"] },
        Expected = ServedShapes.Map(("4f1c.mkv", bytes)),
    };

    private static PostShape Rar4(PostOptions options) =>
        ServedShapes.Archive(new Rar4Writer { VolumeSize = 30_000, NoEnd = true }.Write(ServedShapes.Packed),
            count => VolumeNaming.Noise(15, count)) with
        { Options = options };

    private static PostShape SevenZip(int volume, PostOptions options) =>
        ServedShapes.Archive(new SevenZipWriter { VolumeSize = volume }.Write(ServedShapes.Packed), count => VolumeNaming.Noise(16, count))
            with
        { Options = options };
}
