using NzbDav.Archives.Tests;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Archives inside archives, and disc images: the image itself and what is in it.</summary>
internal static class NestedShapes
{
    /// <summary>The longest name in the images of the fixtures.</summary>
    private const string LongName =
        "deep/er/A long name, with spaces and Ünïcödé that goes on and on for quite a while until it needs more than one system use " +
        "field to be told.nfo";

    private static readonly byte[] Film = ServedShapes.Film;

    private static readonly PackedFile[] OnDisc =
    [
        new("BDMV/STREAM/00000.m2ts", PostShape.Film(61, 120_000)),
        new("BDMV/STREAM/00001.m2ts", PostShape.Film(62, 2_049)),
        new("BDMV/PLAYLIST/00000.mpls", SeededBytes.Make(63, 300)),
        new("empty.txt", []),
    ];

    public static IReadOnlyDictionary<string, Func<PostShape>> All { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["RAR5 in RAR5"] = () => InRar5(Rar5()),
        ["RAR4 in RAR5"] = () => InRar5(Rar4()),
        ["7z in RAR5"] = () => InRar5(SevenZip()),
        ["RAR5 in RAR4"] = () =>
            Outside(new Rar4Writer { VolumeSize = 37_000 }.Write(Inside(Rar5())), count => VolumeNaming.Letter("out", count)),
        ["7z in RAR4"] = () =>
            Outside(new Rar4Writer { VolumeSize = 37_000 }.Write(Inside(SevenZip())), count => VolumeNaming.Part("out", count)),
        ["RAR5 in 7z"] = () =>
            Outside(new SevenZipWriter { VolumeSize = 37_000 }.Write(Inside(Rar5())), count => VolumeNaming.Numeric("out.7z", count)),
        ["7z in 7z"] = () =>
            Outside(new SevenZipWriter { VolumeSize = 37_000 }.Write(Inside(SevenZip())), count => VolumeNaming.Numeric("out.7z", count)),
        ["RAR5 in RAR5, the outer encrypted"] = () => InRar5(Rar5(), "secret") with { Password = "secret" },
        ["7z in RAR5, the outer encrypted"] = () => InRar5(SevenZip(), "secret") with { Password = "secret" },
        ["RAR5 in RAR5, the inner encrypted"] = () => InRar5(Rar5("secret")) with { Password = "secret" },
        ["RAR5 in RAR5, random stems inside and outside"] = () => Outside(
            new Rar5Writer { VolumeSize = 37_000 }.Write([.. VolumeNaming.Noise(21, Rar5().Length)
                .Zip(Rar5(), (name, volume) => new PackedFile(name, volume.Bytes))]), count => VolumeNaming.Noise(22, count)) with
        {
            Expected = ServedShapes.Inside,
        },
        ["split in RAR5"] = () => InRar5([.. VolumeNaming.Numeric("Film.mkv", 6).Zip(Film.Chunk(28_000))])
            with
        { Expected = ServedShapes.Map(("Release/Film.mkv", Film), ("Release/in.nfo", ServedShapes.Note)) },
        ["7z of three levels"] = () => InRar5(VolumeNaming.Part("in", 4).Zip(
            new Rar5Writer { VolumeSize = 45_000 }.Write([.. SevenZip().Select(file => new PackedFile(file.Name, file.Bytes))])).ToArray()),

        ["disc, UDF"] = () => Disc(new UdfWriter().Write(OnDisc)),
        ["disc, UDF, metadata in two places"] = () => Disc(new UdfWriter { Fragmented = true }.Write(OnDisc)),
        ["disc, UDF, obfuscated"] = () => Disc(new UdfWriter().Write(OnDisc)) with
        {
            Options = ServedShapes.Obfuscated,
            Expected = DiscFiles("The Job (2024)", new UdfWriter().Write(OnDisc)),
        },
        ["disc, UDF, in RAR5"] = () => DiscInRar5(password: null),
        ["disc, UDF, in encrypted RAR5"] = () => DiscInRar5("secret") with { Password = "secret" },
        ["disc, UDF, cut into parts"] = () => new PostShape
        {
            Posted = [.. VolumeNaming.Numeric("disc.iso", 20).Zip(new UdfWriter().Write(OnDisc).Chunk(40_000))],
            Expected = DiscFiles("disc", new UdfWriter().Write(OnDisc)),
        },
        ["disc by the real program, ISO 9660 with Rock Ridge"] = () => RealDisc("disc-r"),
        ["disc by the real program, UDF"] = () => RealDisc("disc-udf"),
        ["disc that holds nothing known"] = () => new PostShape
        {
            Posted = [("disc.iso", NotQuite())],
            Expected = ServedShapes.Map(("disc.iso", NotQuite())),
        },
    };

    private static (string Name, byte[] Bytes)[] Rar5(string? password = null) => [.. PostShape.Named(
        new Rar5Writer { VolumeSize = 30_000, Password = password }.Write(ServedShapes.Packed), count => VolumeNaming.Part("in", count))];

    private static (string Name, byte[] Bytes)[] Rar4() =>
        [.. PostShape.Named(new Rar4Writer { VolumeSize = 30_000 }.Write(ServedShapes.Packed), count => VolumeNaming.Letter("in", count))];

    private static (string Name, byte[] Bytes)[] SevenZip() => [.. PostShape.Named(
        new SevenZipWriter { VolumeSize = 30_000 }.Write(ServedShapes.Packed), count => VolumeNaming.Numeric("in.7z", count))];

    private static PackedFile[] Inside((string Name, byte[] Bytes)[] inner) =>
        [.. inner.Select(file => new PackedFile("Release/" + file.Name, file.Bytes)), new("Release/in.nfo", ServedShapes.Note)];

    private static PostShape InRar5((string Name, byte[] Bytes)[] inner, string? password = null) =>
        Outside(new Rar5Writer { VolumeSize = 37_000, Password = password }.Write(Inside(inner)), count => VolumeNaming.Part("out", count));

    private static PostShape Outside(IReadOnlyList<byte[]> volumes, Func<int, string[]> naming)
    {
        var expected = ServedShapes.Inside.ToDictionary(file => "Release/" + file.Key, file => file.Value, StringComparer.Ordinal);
        expected.Add("Release/in.nfo", ServedShapes.Note);
        return new PostShape { Posted = [.. PostShape.Named(volumes, naming)], Expected = expected };
    }

    private static PostShape Disc(byte[] image) => new() { Posted = [("disc.iso", image)], Expected = DiscFiles("disc", image) };

    private static Dictionary<string, byte[]> DiscFiles(string name, byte[] image)
    {
        var files = OnDisc.ToDictionary(file => $"{name}/{file.Path}", file => file.Bytes!, StringComparer.Ordinal);
        files.Add(name + ".iso", image);
        return files;
    }

    private static PostShape DiscInRar5(string? password)
    {
        var image = new UdfWriter().Write(OnDisc);
        return new PostShape
        {
            Posted = [.. PostShape.Named(new Rar5Writer { VolumeSize = 100_000, Password = password }.Write(
                new PackedFile("Movie/disc.iso", image)), count => VolumeNaming.Part("volume", count))],
            Expected = DiscFiles("Movie/disc", image),
        };
    }

    private static PostShape RealDisc(string name)
    {
        var image = Fixtures.Disc(name);
        var files = Sources.All.ToDictionary(file => "disc/" + file.Key, file => file.Value, StringComparer.Ordinal);
        files.Add("disc/" + LongName, Sources.All["note.nfo"]);
        files.Add("disc.iso", image);
        return new PostShape { Posted = [("disc.iso", image)], Options = new PostOptions { ArticleSize = 5_000 }, Expected = files };
    }

    /// <summary>The descriptor of a disc, and noise where its folders should be.</summary>
    private static byte[] NotQuite()
    {
        var image = SeededBytes.Make(64, 90_000);
        Fixtures.Disc("disc-r").AsSpan(0, 34_816).CopyTo(image);
        return image;
    }
}
