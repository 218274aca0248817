using NzbDav.Content;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Library.Posts;

/// <summary>Finds the posted files in a file's map. Pure.</summary>
internal static class PostedParts
{
    /// <param name="map">The file's map.</param>
    /// <param name="files">The posted file of each article, by message-id; null: not known.</param>
    /// <param name="hasPatch">True for articles that a repair reconstructed; null: none were.</param>
    public static FileLayout Of(ExtentMap map, IReadOnlyDictionary<string, NzbFile>? files, Func<string, bool>? hasPatch = null)
    {
        var parts = new List<PostedPart>();
        var holes = new List<FileHole>();
        var (open, last) = (default(NzbFile), -1);
        long next = 0;
        foreach (ref readonly var extent in map.Extents)
        {
            var segment = extent.Segment;
            var begin = map.Segments.Begin(segment);
            var id = map.Segments.Id(segment);
            var isUnlisted = ArticleIds.IsUnlisted(id) && hasPatch?.Invoke(id) != true;
            if (segment != last)
            {
                var file = !isUnlisted && files is not null && ArticleIds.Split(id) is [var first, ..]
                    ? files.GetValueOrDefault(first) : null;

                // Articles of one posted file follow each other. Where the .nzb names both files, it decides.
                var continues = parts.Count > 0 && begin > 0 && (file is not null && open is not null ? file == open : begin == next);
                if (continues)
                    parts[^1] = parts[^1] with { Articles = parts[^1].Articles + 1, Missing = parts[^1].Missing + (isUnlisted ? 1 : 0) };
                else
                    parts.Add(new PostedPart(file?.FileName ?? Shorten(file?.Subject), extent.Bytes, segment, 1, isUnlisted ? 1 : 0));
                open = file ?? (continues ? open : null);
                (last, next) = (segment, begin + map.Segments.Size(segment));
            }

            parts[^1] = parts[^1] with { Bytes = parts[^1].Bytes with { End = extent.End } };
            if (isUnlisted)
                AddHole(holes, extent, $"The .nzb does not list article {ArticleIds.NumberOf(id)} of the file.");
        }

        return new FileLayout(parts, map.Segments.Count, holes);
    }

    private static void AddHole(List<FileHole> holes, Extent extent, string reason)
    {
        if (holes.Count > 0 && holes[^1] is var before && before.Bytes.End == extent.Start)
            holes[^1] = before
                with
            { Bytes = before.Bytes with { End = extent.End }, Reason = "The .nzb does not list several articles of the file." };
        else
            holes.Add(new FileHole(extent.Bytes, reason));
    }

    private static string? Shorten(string? subject) =>
        string.IsNullOrWhiteSpace(subject) ? null : subject.Length > 200 ? subject[..200] : subject;
}
