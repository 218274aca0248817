using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>
/// Split 7z archives and RAR4 volumes whose order neither names, numbers nor dates prove, and several sets of them in one post.
/// </summary>
internal static class UnnamedShapes
{
    private const int Volume = 30_000;

    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Other = PostShape.Film(8, Film.Length);

    /// <summary>Neither names, counts nor dates order the files.</summary>
    private static readonly PostOptions Silent = new()
    {
        ArticleSize = 7_000,
        Obfuscated = true,
        Subject = index =>
        $"yEnc ({index + 1}/9)"
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = new Dictionary<string,
        Func<PostShape>>(StringComparer.Ordinal)
    {
        ["two 7z sets of two names, volumes by turns"] = () => Two(stem => count => VolumeNaming.Numeric($"{stem}.7z", count), ByTurns),
        ["two 7z sets without names, one behind the other, the subjects count"] = () => Two(Noise, Behind),
        ["two 7z sets without names, one behind the other"] = () => Two(Noise, Behind) with { Options = Silent },
        ["two 7z sets of one name, volumes by turns"] = () => Two(_ => count => VolumeNaming.Numeric("volume.7z", count), ByTurns),
        ["two 7z sets of one name, one behind the other"] = () => Two(_ => count => VolumeNaming.Numeric("volume.7z", count), Behind),
        ["two 7z sets without names, volumes by turns, the subjects count"] = () => Two(Noise, ByTurns),
        ["two 7z sets without names, volumes by turns"] = () => Two(Noise, ByTurns) with { Options = Silent },
        ["two 7z sets of three volumes without names"] = () => Two(Noise, ByTurns, 70_000) with { Options = Silent },
        ["two encrypted 7z sets without names, volumes by turns"] = () =>
            Two(Noise, ByTurns, Volume, "secret") with { Options = Silent, Password = "secret" },
        ["7z without names, listed in its order"] = () => One(new SevenZipWriter { VolumeSize = Volume }.Write(ServedShapes.Packed)),
        ["RAR4 without names, listed in its order"] = () =>
            One(new Rar4Writer { VolumeSize = Volume, NoEnd = true }.Write(ServedShapes.Packed)),
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string,
        Func<PostShape>>(StringComparer.Ordinal)
    {
        ["two 7z sets without names, in any order"] = () =>
            Unordered(Two(Noise, ByTurns)) with { Options = Silent, Nzb = new NzbOptions { ShuffleFiles = 5 } },
        ["two split films of one name, parts by turns"] = () => Unordered(Split(ByTurns)),
        ["two split films of one name, one behind the other"] = () => Unordered(Split(Behind)),
        ["two 7z sets of one name, a volume of one is missing"] = () =>
            Two(_ => count => VolumeNaming.Numeric("volume.7z", count), ByTurns) with
            {
                Nzb = new NzbOptions { Include = static segment => segment.File.Number != 6 },
                Code = ImportFailure.BadArchive,
                Says = "is the first is unknown",
            },
    };

    private static PostShape One(IReadOnlyList<byte[]> volumes) =>
        ServedShapes.Archive(volumes, count => VolumeNaming.Noise(17, count)) with { Options = Silent };

    private static Func<int, string[]> Noise(string stem) => count => VolumeNaming.Noise(stem[0], count);

    private static PostShape Unordered(PostShape shape) => shape with { Code = ImportFailure.BadArchive, Says = "is the first is unknown" };

    private static PostShape Two(
        Func<string, Func<int, string[]>> naming,
        Func<(string Name, byte[] Bytes)[], (string Name, byte[] Bytes)[], IReadOnlyList<(string Name, byte[] Bytes)>> mix,
        int volume = Volume,
        string? password = null) => new()
        {
            Posted = mix(Set("one", "E01.mkv", Film, naming, volume, password), Set("two", "E02.mkv", Other, naming, volume, password)),
            Expected = ServedShapes.Map(("E01.mkv", Film), ("E02.mkv", Other)),
        };

    private static (string Name, byte[] Bytes)[] Set(string stem, string name, byte[] film, Func<string, Func<int, string[]>> naming,
        int volume, string? password) =>
        [.. PostShape.Named(new SevenZipWriter { VolumeSize = volume, Password = password }.Write(new PackedFile(name, film)),
            naming(stem))];

    private static PostShape Split(
        Func<(string Name, byte[] Bytes)[], (string Name, byte[] Bytes)[], IReadOnlyList<(string Name, byte[] Bytes)>> mix) => new()
        {
            Posted = mix(
            [.. VolumeNaming.Numeric("Film.mkv", 6).Zip(Film.Chunk(28_000))],
            [.. VolumeNaming.Numeric("Film.mkv", 6).Zip(Other.Chunk(28_000))]),
        };

    /// <summary>A volume of the first set, then one of the second, the wrong one before the right one.</summary>
    private static IReadOnlyList<(string Name, byte[] Bytes)> ByTurns((string Name, byte[] Bytes)[] one,
        (string Name, byte[] Bytes)[] other) =>
        [one[0], other[0], .. Enumerable.Range(1, one.Length - 1).SelectMany(i => new[] { other[i], one[i] })];

    private static IReadOnlyList<(string Name, byte[] Bytes)> Behind((string Name, byte[] Bytes)[] one,
        (string Name, byte[] Bytes)[] other) => [.. one, .. other];
}
