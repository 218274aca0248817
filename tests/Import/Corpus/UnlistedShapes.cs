using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Corpus;

/// <summary>An .nzb that lacks an article of a post with recovery data: it is restored, like one that no provider has.</summary>
internal static class UnlistedShapes
{
    private static readonly byte[] Film = ServedShapes.Film;

    /// <summary>As many posts of 2026 are: total and size are random and others in each article.</summary>
    private static readonly PostOptions Decoys = new()
    {
        ArticleSize = 7_000,
        Claim = static index =>
        ((index * 7_919) % 900, (index * 7_907) % 400_000)
    };

    public static IReadOnlyDictionary<string, Func<PostShape>> Served { get; } = MakeServed();

    private static Dictionary<string, Func<PostShape>> MakeServed()
    {
        var shapes = new Dictionary<string, Func<PostShape>>(StringComparer.Ordinal);
        foreach (var (where, index) in new[] { ("the first", 0), ("the second", 1), ("a middle", 10), ("the last but one", 20),
            ("the last", 21) })
        {
            shapes.Add($"recovery data, {where} article is not listed", () => Lacking(index));
            shapes.Add($"recovery data, {where} article is not listed, the numbers close the gap", () => Closed(Lacking(index), index));
            shapes.Add($"recovery data, {where} article is not listed, random totals and sizes", () =>
                Lacking(index) with { Options = Decoys });
            shapes.Add($"recovery data, {where} article is not listed, the numbers close the gap, random totals and sizes", () =>
                Closed(Lacking(index), index) with { Options = Decoys });
            shapes.Add($"recovery data, {where} article is not listed, the subjects do not count", () => Lacking(index) with
            {
                Options = new PostOptions { ArticleSize = 7_000, Subject = static _ => "4f1c9d8e7a6b5c4d yEnc" },
            });
        }

        shapes.Add("recovery data, an article of a volume is not listed", () => Volume(4));
        shapes.Add("recovery data, an article of a volume is not listed, the numbers close the gap", () =>
            Volume(4) is var shape ? shape with
            {
                Nzb = shape.Nzb with
                {
                    Number = static segment =>
                    segment.File.Number == 2 && segment.Index > 4 ? segment.Number - 1 : segment.Number
                },
            } : null!);
        return shapes;
    }

    private static PostShape Lacking(int index) => new()
    {
        Posted =
        [
            ("Film.mkv", Film), ("set.par2", new Par2Writer { SliceSize = 7_000 }.Add("Film.mkv", Film).Index()),
            ("set.vol0+3.par2", new Par2Writer { SliceSize = 7_000 }.Add("Film.mkv", Film).Volume(3)),
        ],
        Nzb = new NzbOptions { Include = segment => segment.File.Number != 1 || segment.Index != index },
        Expected = ServedShapes.Map(("Film.mkv", Film)),
    };

    private static PostShape Closed(PostShape shape, int index) => shape with
    {
        Nzb = shape.Nzb with
        {
            Number = segment =>
            segment.File.Number == 1 && segment.Index > index ? segment.Number - 1 : segment.Number
        },
    };

    private static PostShape Volume(int index)
    {
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 60_000 }.Write(ServedShapes.Packed), count =>
            VolumeNaming.Part("volume", count)).ToArray();
        var writer = volumes.Aggregate(new Par2Writer { SliceSize = 7_000 }, (set, file) => set.Add(file.Name, file.Bytes));
        return new PostShape
        {
            Posted = [.. volumes, ("set.par2", writer.Index()), ("set.vol0+3.par2", writer.Volume(3))],
            Nzb = new NzbOptions { Include = segment => segment.File.Number != 2 || segment.Index != index },
            Expected = ServedShapes.Inside,
        };
    }
}
