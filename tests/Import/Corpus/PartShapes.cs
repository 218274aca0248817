using System.Globalization;
using System.Text.RegularExpressions;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>
/// Articles whose <c>=ypart</c> is not what the specification says, and an .nzb that lists articles in another order than that of their
/// parts.
/// </summary>
internal static partial class PartShapes
{
    private static readonly byte[] Film = ServedShapes.Film;
    private static readonly byte[] Short = PostShape.Film(51, 6_000);
    private static readonly Func<int, int> Irregular = static index => 3_000 + (index * 37 % 4_000);

    /// <summary>Ways of writing the range, by the true one (from 1, the end included).</summary>
    private static readonly (string Name, Func<int, string, string> Header)[] Ranges =
    [
        ("=ypart on the =ybegin line, behind the name", static (_, head) =>
            head.Replace("\r\n=ypart", " =ypart", StringComparison.Ordinal)),
        ("=ypart on the =ybegin line, before the name", static (_, head) => OneLine().Replace(head, "=ybegin$1 =ypart$3 name=$2\r\n")),
        ("begin and end on the =ybegin line", static (_, head) => OneLine().Replace(head, "=ybegin$1$3 name=$2\r\n")),
        ("=ypart counts from 0", static (_, head) => Ranged(head, static (begin, end) => (begin - 1, end - 1))),
        ("=ypart counts from 0, without the end", static (_, head) => Ranged(head, static (begin, end) => (begin - 1, end))),
        ("=ypart without the end", static (_, head) => Ranged(head, static (begin, end) => (begin, end + 1))),
        ("the first =ypart begins at 0", static (index, head) =>
            Ranged(head, (begin, end) => (index == 0 ? 0 : begin, index == 0 ? end - 1 : end))),
        ("the first =ypart begins at 0 and has no end", static (index, head) =>
            Ranged(head, (begin, end) => (index == 0 ? 0 : begin, end))),
        ("the last =ypart ends beyond the file", static (_, head) =>
            Ranged(head, static (begin, end) => (begin, end % 7_000 == 0 ? end : begin + 6_999))),
    ];

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = MakeServed();

    public static IReadOnlyDictionary<string, Func<PostShape>> Refused { get; } = new Dictionary<string,
        Func<PostShape>>(StringComparer.Ordinal)
    {
        ["articles are listed in any order, and two are the same part"] = () => Posted(("Film.mkv", Film)) with
        {
            Nzb = Numbered(Shuffled),
            Options = new PostOptions
            {
                ArticleSize = 7_000,
                Header = static (index, head) =>
                index == 9 ? Ranged(head, static (begin, end) => (begin - 7_000, end - 7_000)) : head
            },
            Code = ImportFailure.Incomplete,
            Says = "The NZB does not fit together for 'Film.mkv'",
        },
    };

    private static Dictionary<string, Func<PostShape>> MakeServed()
    {
        var shapes = new Dictionary<string, Func<PostShape>>(StringComparer.Ordinal)
        {
            ["=ypart counts from 0, irregular articles"] = () =>
                Posted(("Film.mkv", Film)) with { Options = From0 with { PartSize = Irregular } },
            ["=ypart counts from 0, articles are listed in any order"] = () =>
                Posted(("Film.mkv", Film)) with { Options = From0, Nzb = Numbered(Shuffled) },
            ["=ypart counts from 0, random totals and sizes"] = () => Posted(("Film.mkv", Film)) with
            {
                Options = From0 with { Claim = static index => ((index * 7_919) % 900, (index * 7_907) % 400_000) },
            },
            ["articles are listed backwards"] = () =>
                Posted(("Film.mkv", Film)) with { Nzb = Numbered(static segment => 23 - segment.Number) },
            ["articles are listed backwards, irregular articles"] = () => Posted(("Film.mkv", Film)) with
            {
                Nzb = Numbered(static segment => segment.File.Segments.Count + 1 - segment.Number),
                Options = new PostOptions { PartSize = Irregular },
            },
            ["articles are listed in any order"] = () => Posted(("Film.mkv", Film)) with { Nzb = Numbered(Shuffled) },
            ["articles are listed in any order, random totals and sizes"] = () => Posted(("Film.mkv", Film)) with
            {
                Nzb = Numbered(Shuffled),
                Options = new PostOptions
                {
                    ArticleSize = 7_000,
                    Claim = static index =>
                    ((index * 7_919) % 900, (index * 7_907) % 400_000)
                },
            },
            ["articles are listed in any order, irregular articles"] = () => Posted(("Film.mkv", Film)) with
            {
                Nzb = Numbered(static segment => 1 + (segment.Index * 7 % segment.File.Segments.Count)),
                Options = new PostOptions { PartSize = Irregular },
            },
            ["articles are listed in another order in the middle"] = () => Posted(("Film.mkv", Film)) with { Nzb = Numbered(Middle) },
            ["two articles are listed in each other's place"] = () => Posted(("Film.mkv", Film)) with
            {
                Nzb = Numbered(static segment => segment.Number switch { 8 => 15, 15 => 8, var number => number }),
            },
            ["articles of ten films are listed in another order in the middle"] = () =>
                Posted([.. Enumerable.Range(1, 10).Select(i => ($"Show.S01E{i:00}.mkv", PostShape.Film(300 + i, 60_000 + i)))])
                    with
                { Nzb = Numbered(Middle) },
            ["articles of volumes are listed backwards"] = () =>
                Volumes(30_000) with { Nzb = Numbered(static segment => segment.File.Segments.Count + 1 - segment.Number) },
            ["articles of volumes are listed in another order in the middle"] = () => Volumes(60_000) with { Nzb = Numbered(Middle) },
            ["one article that calls itself longer than it is"] = () => Posted(("Film.mkv", Short)) with
            {
                Options = new PostOptions
                {
                    ArticleSize = 7_000,
                    Header = static (_, head) =>
                    head.Replace("size=6000", "size=6999", StringComparison.Ordinal)
                },
            },
        };
        foreach (var (name, header) in Ranges)
        {
            var options = new PostOptions { ArticleSize = 7_000, Header = header };
            shapes.Add(name, () => Posted(("Film.mkv", Film)) with { Options = options });
            shapes.Add($"{name}, of ten films", () =>
                Posted([.. Enumerable.Range(1, 10).Select(i => ($"Show.S01E{i:00}.mkv", PostShape.Film(300 + i, 30_000 + i)))])
                    with
                { Options = options });
            shapes.Add($"{name}, of volumes", () => Volumes(40_000) with { Options = options });
            shapes.Add($"{name}, one article", () =>
                Posted(("Film.mkv", Short)) with { Options = options with { Claim = static _ => (1, Short.Length) } });
        }

        return shapes;
    }

    private static PostOptions From0 =>
        new() { ArticleSize = 7_000, Header = static (_, head) => Ranged(head, static (begin, end) => (begin - 1, end - 1)) };

    private static NzbOptions Numbered(Func<PostedSegment, int> number) => new() { Number = number };

    /// <summary>Another number for each of 22 articles.</summary>
    private static int Shuffled(PostedSegment segment) => 1 + (((segment.Index * 9) + 4) % 22);

    /// <summary>First and last stay where they are; those between them are turned round.</summary>
    private static int Middle(PostedSegment segment) =>
        segment.Index == 0 || segment.Number == segment.File.Segments.Count ? segment.Number
            : segment.File.Segments.Count + 1 - segment.Number;

    private static PostShape Posted(params (string Name, byte[] Bytes)[] files) =>
        new() { Posted = files, Expected = ServedShapes.Map(files) };

    private static PostShape Volumes(int size) =>
        ServedShapes.Archive(new Rar5Writer { VolumeSize = size }.Write(ServedShapes.Packed), count => VolumeNaming.Part("volume", count));

    private static string Ranged(string head, Func<long, long, (long Begin, long End)> change) => Range().Replace(head, match =>
    {
        var (begin, end) = change(Number(match.Groups[1]), Number(match.Groups[2]));
        return string.Create(CultureInfo.InvariantCulture, $"begin={begin} end={end}");
    });

    private static long Number(Group group) => long.Parse(group.ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex("begin=([0-9]+) end=([0-9]+)")]
    private static partial Regex Range();

    [GeneratedRegex("^=ybegin(.*) name=(.*)\r\n=ypart(.*)\r\n$")]
    private static partial Regex OneLine();
}
