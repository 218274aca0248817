namespace NzbDav.Catalog.Moving;

/// <summary>Finds the file of a job that corresponds to a file of another program. Names and ids differ between programs; the first article and the size do not.</summary>
internal static class AliasMatch
{
    /// <summary>The matching file: by its first article and size, by the article alone, by a size that no other file has, by its name.</summary>
    /// <param name="size">Bytes there; negative: not known.</param>
    /// <param name="name">What it is called there.</param>
    /// <param name="article">Its first article; null: not known.</param>
    /// <param name="files">All files of the job.</param>
    /// <returns>Null if no file matches, or several do.</returns>
    public static long? Find(long size, string name, string? article, IReadOnlyList<PlacedFile> files)
    {
        if (article is not null)
        {
            if (Only(files, file => file.Size == size && Holds(file, article)) is { } exact)
                return exact;

            // The other program may have estimated the size of a plain file; among several files in one article, the size decides.
            if (Only(files, file => Holds(file, article)) is { } sharing)
                return sharing;
        }

        return Only(files, file => file.Size == size && file.Name.Equals(name, StringComparison.Ordinal))
            ?? (size > 0 ? Only(files, file => file.Size == size) : null)
            ?? Only(files, file => file.Name.Equals(name, StringComparison.Ordinal));
    }

    /// <summary>A map may name several copies of an article, with a blank between them.</summary>
    private static bool Holds(PlacedFile file, string article) => file.Article is { } ids && ids.Split(' ').Contains(article, StringComparer.Ordinal);

    private static long? Only(IReadOnlyList<PlacedFile> files, Func<PlacedFile, bool> fits)
    {
        long? found = null;
        foreach (var file in files)
        {
            if (!fits(file))
                continue;
            if (found is not null)
                return null;
            found = file.Id;
        }

        return found;
    }
}
