using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Moving;

/// <summary>Writes the rows of titles migrated from another program, inside the transactions that write their jobs.</summary>
internal static class AliasRows
{
    public const string Scope = "aliases";

    /// <summary>Stores the title, and its paths until the job is published.</summary>
    public static void Add(CatalogTransaction transaction, MovedTitle title, long jobId, IReadOnlyList<PlacedFile>? published, long now)
    {
        transaction.Execute(
            "INSERT INTO moved_titles (source, title, job_id) VALUES (@Source, @Title, @jobId) ON CONFLICT (source, title) DO UPDATE SET " +
            "job_id = excluded.job_id",
            new { title.Source, title.Title, jobId });
        var rows = title.Files
            .SelectMany(file => file.Paths.Select(path => new AliasRow
            {
                Path = path,
                JobId = jobId,
                Size = file.Size,
                Name = file.Name,
                Article = file.Article,
                Keys = file.Keys.Count == 0 ? null : string.Join(' ', file.Keys)
            }))
            .ToArray();
        foreach (var row in rows)
            row.ItemId = published is null ? null : AliasMatch.Find(row.Size, row.Name, row.Article, published);

        // A path that already leads to a file keeps it: two titles cannot have had it at the same time.
        transaction.ExecuteAll(
            "INSERT INTO aliases (path, job_id, item_id, size, name, article, keys) VALUES (@Path, @JobId, @ItemId, @Size, @Name, " +
            "@Article, @Keys) " +
            "ON CONFLICT (path) DO UPDATE SET job_id = excluded.job_id, item_id = excluded.item_id, size = excluded.size, name = " +
            "excluded.name, article = excluded.article, keys = excluded.keys " +
            "WHERE aliases.item_id IS NULL",
            rows);
        MarkLinksRead(transaction, rows.Select(row => row.ItemId), now);
        transaction.MarkChanged(Scope);
    }

    /// <summary>Resolves the paths that wait for a job to its files.</summary>
    public static void ResolveJob(CatalogTransaction transaction, long jobId, Func<IReadOnlyList<PlacedFile>> published, long now)
    {
        var rows = transaction.All<AliasRow>(
            "SELECT path AS Path, size AS Size, name AS Name, article AS Article FROM aliases WHERE job_id = @jobId AND item_id IS NULL",
            new { jobId });
        if (rows.Count == 0)
            return;
        var files = published();
        foreach (var row in rows)
            row.ItemId = AliasMatch.Find(row.Size, row.Name, row.Article, files);
        transaction.ExecuteAll("UPDATE aliases SET item_id = @ItemId WHERE path = @Path", rows.Where(row => row.ItemId is not null));
        MarkLinksRead(transaction, rows.Select(row => row.ItemId), now);
        transaction.MarkChanged(Scope);
    }

    /// <summary>
    /// Gives the title's download id to a job that existed before. A job added by a download client keeps the id that the client knows.
    /// </summary>
    public static void Adopt(CatalogTransaction transaction, MovedTitle title, long jobId)
    {
        if (title.DownloadId is { } id)
            transaction.Execute(
                "UPDATE jobs SET download_id = @id, archived = 0 WHERE id = @jobId AND download_id IS NULL AND source <> 'api'",
                new { id, jobId });
    }

    /// <summary>Moves the aliases of a job to a new attempt of it.</summary>
    /// <returns>False if the job did not come from another program.</returns>
    public static bool MoveToJob(CatalogTransaction transaction, long from, long to)
    {
        if (transaction.Execute("UPDATE moved_titles SET job_id = @to WHERE job_id = @from", new { from, to }) == 0)
            return false;
        transaction.Execute("UPDATE aliases SET job_id = @to WHERE job_id = @from AND item_id IS NULL", new { from, to });
        return true;
    }

    /// <summary>Marks the links of these files as read, because libraries may have them.</summary>
    private static void MarkLinksRead(CatalogTransaction transaction, IEnumerable<long?> items, long now) => transaction.ExecuteAll(
        "INSERT INTO links (item_id, given) VALUES (@id, @now) ON CONFLICT (item_id) DO UPDATE SET given = COALESCE(links.given, " +
        "excluded.given)",
        items.OfType<long>().Distinct().Select(id => new { id, now }));
}

/// <summary>A row of <c>aliases</c>.</summary>
internal sealed class AliasRow
{
    public string Path { get; set; } = "";

    public long JobId { get; set; }

    public long? ItemId { get; set; }

    public long Size { get; set; }

    public string Name { get; set; } = "";

    public string? Article { get; set; }

    public string? Keys { get; set; }
}

/// <summary>
/// Finds the file of a job that corresponds to a file of another program. Names and ids differ between programs; the first article and the
/// size do not.
/// </summary>
internal static class AliasMatch
{
    /// <summary>
    /// The matching file: by its first article and size, by the article alone, by size and name, by a size that no other file has, or by
    /// its name.
    /// </summary>
    /// <param name="size">Its size there, in bytes; negative: unknown.</param>
    /// <param name="name">Its name there.</param>
    /// <param name="article">Its first article; null: unknown.</param>
    /// <param name="files">All files of the job.</param>
    /// <returns>Null if no file matches, or several do.</returns>
    public static long? Find(long size, string name, string? article, IReadOnlyList<PlacedFile> files)
    {
        if (article is not null)
        {
            if (Only(files, file => file.Size == size && Holds(file, article)) is { } exact)
                return exact;

            // The other program may have estimated the size of a plain file. Among several files in one article, the size decides.
            if (Only(files, file => Holds(file, article)) is { } sharing)
                return sharing;
        }

        return Only(files, file => file.Size == size && file.Name.Equals(name, StringComparison.Ordinal))
            ?? (size > 0 ? Only(files, file => file.Size == size) : null)
            ?? Only(files, file => file.Name.Equals(name, StringComparison.Ordinal));
    }

    /// <summary>A map may name several copies of an article, separated by spaces.</summary>
    private static bool Holds(PlacedFile file, string article) =>
        file.Article is { } ids && ids.Split(' ').Contains(article, StringComparer.Ordinal);

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

/// <summary>A file of a published job.</summary>
/// <param name="Id">The item.</param>
/// <param name="Name">Its name.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Article">The id of its first segment, as in its map; null: it has none.</param>
public sealed record PlacedFile(long Id, string Name, long Size, string? Article);
