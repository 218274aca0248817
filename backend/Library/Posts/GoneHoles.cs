using NzbDav.Content;
using NzbDav.Usenet.Articles;

namespace NzbDav.Library.Posts;

/// <summary>Adds the articles that readers found missing to a file's layout. Pure.</summary>
internal static class GoneHoles
{
    /// <summary>The layout with these articles as holes, and counted as missing in their posted files.</summary>
    /// <param name="layout">The layout without them.</param>
    /// <param name="map">The file's map.</param>
    /// <param name="gone">The articles that readers found missing.</param>
    /// <param name="repair">State of the file's repair, as a sentence; null: none was begun.</param>
    public static FileLayout AddTo(FileLayout layout, ExtentMap map, GoneArticles gone, string? repair)
    {
        var (found, counts) = (new List<FileHole>(), new Dictionary<int, int>());
        var (last, since) = (-1, default(DateTimeOffset?));
        foreach (ref readonly var extent in map.Extents)
        {
            if (extent.Segment != last)
            {
                (last, since) = (extent.Segment, gone.SinceOf(map.Segments.Id(extent.Segment)));
                if (since is not null)
                    Count(layout, extent.Start, counts);
            }

            if (since is { } at)
                Add(found, extent, layout, at);
        }

        if (found.Count == 0)
            return layout;
        return layout with
        {
            Parts = [.. layout.Parts.Select((part, index) => part with { Missing = part.Missing + counts.GetValueOrDefault(index) })],
            Holes = [.. layout.Holes.Concat(repair is null ? found : found.Select(hole => hole with { Reason = $"{hole.Reason} {repair}" }))
                .OrderBy(hole => hole.Bytes.Start)],
        };
    }

    /// <summary>Counts an article for the posted file that holds the file's byte at <paramref name="offset"/>.</summary>
    private static void Count(FileLayout layout, long offset, Dictionary<int, int> counts)
    {
        for (var part = layout.Parts.Count - 1; part >= 0; part--)
        {
            if (layout.Parts[part].Bytes.Start > offset)
                continue;
            counts[part] = counts.GetValueOrDefault(part) + 1;
            return;
        }
    }

    private static void Add(List<FileHole> holes, Extent extent, FileLayout layout, DateTimeOffset since)
    {
        if (holes.Count > 0 && holes[^1] is var before && before.Bytes.End == extent.Start)
            holes[^1] = before with
            {
                Bytes = before.Bytes with { End = extent.End },
                Reason =
                "Several articles of the file are missing on every provider.",
                Since = before.Since < since ? before.Since : since
            };
        else
            holes.Add(new FileHole(extent.Bytes,
                $"{Capitalised(layout.Describe(extent.Segment))} is missing on every provider.", FileHoleKind.Gone, since));
    }

    private static string Capitalised(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
