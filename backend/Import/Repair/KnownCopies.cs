using NzbDav.Import.Probing;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Repair;

/// <summary>
/// Finds the posted file that holds an article of a published one. The article's ids show which listed articles the import found to be copies of each other
/// (<see cref="CopyCheck"/>, <see cref="PostedTwice"/>). Copies that are gone by now could not be compared again.
/// </summary>
internal static class KnownCopies
{
    /// <returns>The file as it was published, null if it cannot be told; and the files of the .nzb that it consists of.</returns>
    /// <param name="posted">The files that the .nzb lists.</param>
    /// <param name="article">The article, given as in <see cref="ArticleIds"/>; null: none.</param>
    public static (NzbFile? File, IReadOnlyList<NzbFile> Listed) Find(IReadOnlyList<NzbFile> posted, string? article)
    {
        var ids = ArticleIds.Split(article ?? "").ToHashSet(StringComparer.Ordinal);
        NzbFile[] listed = [.. posted.Where(file => file.Segments.Any(segment => ArticleIds.Split(segment.ArticleIds).Any(ids.Contains)))];
        if (listed.Length == 0)
            return (null, []);

        // Articles that the .nzb lists under one number may have turned out not to be copies.
        NzbFile[] files = [Join(listed), Join(listed.Select(static file => file.WithoutCopies()))];
        return Array.Find(files, file => file.Segments.Any(segment => segment.ArticleIds == article)) is { } file ? (file, listed) : (null, []);
    }

    private static NzbFile Join(IEnumerable<NzbFile> files) => files.Aggregate(static (one, other) => one.WithCopies(other));
}
