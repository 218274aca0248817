using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>Posts of which articles or files were posted again.</summary>
internal static class CopiedShapes
{
    internal static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Second = PostShape.Film(9, Film.Length);

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["every second article is gone, the .nzb lists each again"] = () => Again(Film) with { Gone = segment => segment.Index % 2 == 1 },
        ["articles are gone by turns, the .nzb lists each again"] = () =>
            Again(Film) with { Gone = segment => segment.Index % 3 == 0, AgainGone = segment => segment.Index % 3 == 1 },
        ["one article was posted again and listed, and the first is gone"] = () =>
            Again(Film) with { Listed = segment => segment.Index == 4, Gone = segment => segment.Index == 4 },
        ["first and last article are gone, the .nzb lists each again"] = () =>
            Again(Film) with { Gone = segment => segment.Index is 0 or 21 },
        ["a set of volumes with gaps, the .nzb lists each article again"] = () =>
            Volumes() with { Again = Volumes().Posted, Gone = segment => segment.Index % 2 == 1 },
        ["articles of two files under one number: the first of each"] = () => Again(Second),
        ["a film posted twice, the first copy has gaps"] = () =>
            Twice() with { Gone = segment => segment.File.Number == 1 && segment.Index % 2 == 1 },
        ["a film posted twice, the second copy has gaps"] = () =>
            Twice() with { Gone = segment => segment.File.Number == 2 && segment.Index % 2 == 1 },
        ["a film posted twice, of the first only the first article is left"] = () =>
            Twice() with { Gone = segment => segment.File.Number == 1 && segment.Index > 0 },
        ["a set of volumes posted twice, both have gaps"] = () => Volumes() with
        {
            Posted = [.. Volumes().Posted, .. Volumes().Posted],
            Gone = segment => segment.Index > 0 && segment.File.Number <= Volumes().Posted.Count == (segment.Index % 2 == 1),
        },
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string, Func<PostShape>>(
        StringComparer.Ordinal)
    {
        ["articles of two files under one number, half of the first are gone"] = () => Again(Second) with
        {
            Gone = segment => segment.Index % 2 == 1,
            Code = ImportFailure.Missing,
            Says = "Too many articles of this post are gone",
        },
    };

    internal static PostShape Again(byte[] again) =>
        new() { Posted = [("Film.mkv", Film)], Again = [("Film.mkv", again)], Expected = ServedShapes.Map(("Film.mkv", Film)) };

    private static PostShape Twice() =>
        new() { Posted = [("Film.mkv", Film), ("Film.mkv", Film)], Expected = ServedShapes.Map(("Film.mkv", Film)) };

    private static PostShape Volumes() => ServedShapes.Archive(
        new Rar5Writer { VolumeSize = 30_000 }.Write(ServedShapes.Packed), count => VolumeNaming.Part("volume", count));
}
