using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>An .nzb that lists a post in another way than most do, and posts whose headers contradict the list.</summary>
internal static class ListedShapes
{
    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly NzbOptions EachAlone = new() { FilePerSegment = true, ShuffleFiles = 3 };

    /// <summary>No subject says which part of which file an article is; the articles do.</summary>
    private static readonly PostOptions Silent = new() { ArticleSize = 7_000, Subject = index => $"{(index * 7919) % 10_007:x}" };

    /// <summary>
    /// As many posts of 2026 are: total and size are random and others in each article; number, place and checksum of the part are true.
    /// </summary>
    private static readonly PostOptions Decoys = new()
    {
        ArticleSize = 7_000,
        Claim = static index => (Random(index, 3) % 900,
        (Random(index, 5) % 9_000_000) + 1),
        Subject = index => $"{Random(index, 7):x} ({index + 1}/{Random(index, 9) % 99})"
    };

    private static int _claims;

    /// <summary>The size is the truth.</summary>
    private static readonly PostOptions WrongTotal = new()
    { ArticleSize = 7_000, Claim = static index => (Random(index, 3) % 900, Film.Length) };

    private static readonly PostOptions WrongSize = new() { ArticleSize = 7_000, Shape = _ => ArticleShape.WrongFileSize };

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["a file element for each article, the subjects count"] = () =>
            Posted(("Film.mkv", Film), ("Film.nfo", ServedShapes.Note)) with { Nzb = EachAlone },
        ["a file element for each article, only the articles count"] = () =>
            Posted(("Film.mkv", Film)) with { Nzb = EachAlone, Options = Silent },
        ["a file element for each article of two films, only the articles count"] = () =>
            Posted(("Film.mkv", Film), ("Film.2.mkv", PostShape.Film(17, 99_999))) with { Nzb = EachAlone, Options = Silent },
        ["a file element for each article of a set of volumes"] = () => Volumes() with { Nzb = EachAlone },
        ["a file element for each article of a set of volumes, only the articles count"] = () =>
            Volumes() with { Nzb = EachAlone, Options = Silent },
        ["a file element for each article, irregular articles"] = () =>
            Posted(("Film.mkv", Film)) with { Nzb = EachAlone, Options = new PostOptions { PartSize = i => 3_000 + (i * 37 % 4_000) } },
        ["a wrong size in every header"] = () => Posted(("Film.mkv", Film)) with { Options = WrongSize },
        ["a wrong size in every header, irregular articles"] = () =>
            Posted(("Film.mkv", Film)) with { Options = WrongSize with { PartSize = i => 3_000 + (i * 37 % 4_000) } },
        ["a wrong size in every header of ten films"] = () => Posted([.. Enumerable.Range(1, 10)
            .Select(i => ($"Show.S01E{i:00}.mkv", PostShape.Film(300 + i, 30_000 + i)))]) with
        { Options = WrongSize },
        ["random totals and sizes"] = () => Posted(("Film.mkv", Film)) with { Options = Decoys },
        ["random totals and sizes, the subjects do not count"] = () =>
            Posted(("Film.mkv", Film)) with { Options = Decoys with { Subject = index => $"\"Film.mkv\" {Random(index, 7):x}" } },
        ["random totals, true sizes"] = () => Posted(("Film.mkv", Film)) with { Options = WrongTotal },
        ["random totals, true sizes, one article"] = () =>
            Posted(("Film.mkv", Film)) with { Options = WrongTotal with { ArticleSize = 200_000 } },
        ["random totals and sizes, irregular articles"] = () =>
            Posted(("Film.mkv", Film)) with { Options = Decoys with { PartSize = i => 3_000 + (i * 37 % 4_000), Subject = null } },
        ["random totals and sizes, one article"] = () =>
            Posted(("Film.mkv", Film)) with { Options = Decoys with { ArticleSize = 200_000 } },
        ["random totals and sizes of two films of one article"] = () =>
            Posted(("Film.mkv", Film), ("Film.2.mkv", PostShape.Film(17, 99_999)))
                with
            { Options = Decoys with { ArticleSize = 200_000, Subject = null } },
        ["random totals and sizes of ten films"] = () =>
            Posted([.. Enumerable.Range(1, 10).Select(i => ($"Show.S01E{i:00}.mkv", PostShape.Film(300 + i, 30_000 + i)))])
                with
            { Options = Decoys with { Subject = null } },
        ["random totals and sizes of a set of volumes"] = () => Volumes(40_000) with { Options = Decoys with { Subject = null } },
        ["random totals and sizes of a set of volumes of one article"] = () =>
            Volumes(40_000) with { Options = Decoys with { ArticleSize = 50_000, Subject = null } },
        ["random totals and sizes, whole articles alone, and the subjects count them"] = () =>
            Posted(("Film.mkv", Film[..140_000]))
                with
            { Options = Decoys with { Subject = index => $"\"Film.mkv\" yEnc ({index + 1}/20)" } },
        ["random totals and sizes, a file element for each article"] = () =>
            Posted(("Film.mkv", Film)) with { Nzb = EachAlone, Options = Decoys with { Subject = index => $"{Random(index, 7):x}" } },
        ["random totals and sizes, half of the articles are listed again"] = () => Posted(("Film.mkv", Film)) with
        {
            Options = Decoys with
            {
                Subject = null,
                Claim = static _ => Interlocked.Increment(ref _claims) is var claim
                ? (Random(claim, 3) % 900, Random(claim, 5)) : default
            },
            Again = [("Film.mkv", Film)],
            Gone = segment => segment.Index % 2 == 1,
        },
        ["a wrong size in every header of a set of volumes"] = () => Volumes(40_000) with { Options = WrongSize },
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["a file element for each article, every second one is not listed"] = () => Posted(("Film.mkv", Film)) with
        {
            Nzb = EachAlone with { Include = segment => segment.Index % 2 == 0 },
            Code = ImportFailure.Missing,
            Says = "Too many articles of this post are gone",
        },
        ["an .nzb without every third article"] = () => Posted(("Film.mkv", Film)) with
        {
            Nzb = new NzbOptions { Include = segment => segment.Index % 3 != 1 },
            Code = ImportFailure.Missing,
            Says = "The .nzb does not list article 2 of the file.",
        },
        ["an .nzb that lists a third of the articles"] = () => Posted(("Film.mkv", Film)) with
        {
            Nzb = new NzbOptions { Include = segment => segment.Index % 3 == 0 },
            Code = ImportFailure.Incomplete,
            Says = "The NZB does not hold all of",
        },
        ["an .nzb that lists one article of a film"] = () => Posted(("Film.mkv", Film)) with
        {
            Nzb = new NzbOptions { Include = segment => segment.Index == 3 },
            Code = ImportFailure.Incomplete,
            Says = "part 4 of 22",
        },
        ["random totals and sizes, and the last articles are not listed"] = () => Posted(("Film.mkv", Film)) with
        {
            Options = Decoys,
            Nzb = new NzbOptions { Include = segment => segment.Index < 20 },
            Code = ImportFailure.Incomplete,
            Says = "the last is as big as the others, and the sizes in their headers are made up",
        },
        ["a wrong size in every header, and the last article is gone"] = () => Posted(("Film.mkv", Film)) with
        {
            Options = WrongSize,
            Gone = segment => segment.Index == 21,
            Code = ImportFailure.Incomplete,
            Says = "Its place cannot be told from the others.",
        },
    };

    private static int Random(int index, int salt) =>
        (int)(SeededBytes.Make((salt * 1000) + index, 4) is var bytes ? BitConverter.ToUInt32(bytes) % 1_000_000_007 : 0);

    private static PostShape Posted(params (string Name, byte[] Bytes)[] files) =>
        new() { Posted = files, Expected = ServedShapes.Map(files) };

    private static PostShape Volumes(int size = 30_000) =>
        ServedShapes.Archive(new Rar5Writer { VolumeSize = size }.Write(ServedShapes.Packed), count => VolumeNaming.Part("volume", count));
}
