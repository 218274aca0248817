
namespace NzbDav.Catalog.Tree;

/// <summary>Lists parts of the tree: the latest files, those of a job, the torrents and posts that it needs.</summary>
public sealed partial class TreeStore
{
    /// <summary>One of the files that were published last, of a post and with bytes; null if none of the last 200 items is such a file.</summary>
    /// <param name="maxSize">Bytes that it has at most.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<CatalogItem?> FindRecentFileAsync(long maxSize, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM (SELECT * FROM items ORDER BY id DESC LIMIT 200) AS latest " +
            "WHERE kind = 'file' AND torrent IS NULL AND size BETWEEN 1 AND @maxSize ORDER BY id DESC LIMIT 1";
        var row = await _database.ReadAsync(reader => reader.FirstAsync<ItemRow>(Sql, new { maxSize }), cancellationToken);
        return row?.ToItem();
    }

    /// <summary>The largest files of posts among the last 200 items, largest first.</summary>
    /// <param name="most">How many.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListRecentFilesAsync(int most, CancellationToken cancellationToken)
    {
        const string Sql =
            $"SELECT {ItemRow.Columns} FROM (SELECT * FROM items ORDER BY id DESC LIMIT 200) AS latest " +
            "WHERE kind = 'file' AND torrent IS NULL AND size > 0 ORDER BY size DESC LIMIT @most";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { most }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>Files of posts, the one that was published last first.</summary>
    /// <param name="before">Only those with a smaller id; <see cref="long.MaxValue"/> begins.</param>
    /// <param name="most">How many.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListNewestFilesAsync(long before, int most, CancellationToken cancellationToken)
    {
        const string Sql = $"SELECT {ItemRow.Columns} FROM items WHERE id < @before AND kind = 'file' AND torrent IS NULL AND size > 0 ORDER BY id DESC LIMIT @most";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, new { before, most }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>The items that a job published directly or below, collections too, by id.</summary>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListByJobAsync(long jobId, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<ItemRow>($"SELECT {ItemRow.Columns} FROM items WHERE job_id = @jobId ORDER BY id", new { jobId }),
            cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    /// <summary>Info-hashes of all torrents that a file of the tree or a job that is not done yet needs.</summary>
    public async ValueTask<IReadOnlyCollection<string>> ListTorrentsAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.AllAsync<string>(
            "SELECT torrent FROM items WHERE torrent IS NOT NULL UNION " +
            "SELECT content_hash FROM jobs WHERE kind <> 'nzb' AND content_hash IS NOT NULL AND state IN ('queued', 'running')"),
        cancellationToken);

    /// <summary>Posts of which the reconstructed articles are needed: by a file, or by the import that goes on or may be tried once more. Named by the id of the job that made them.</summary>
    public async ValueTask<IReadOnlyCollection<string>> ListPatchedPostsAsync(CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.AllAsync<string>(
            "SELECT post FROM patched_items UNION SELECT CAST(id AS TEXT) FROM jobs WHERE kind = 'nzb' AND state <> 'completed'"),
        cancellationToken);

    /// <summary>
    /// All files of a job, and files of others that read the same articles as one of them, need the reconstructed articles for a post, from now on and as long as they are there. To be called
    /// before the first of these is kept.
    /// </summary>
    /// <param name="jobId">The job.</param>
    /// <param name="post">Names them.</param>
    /// <param name="cancellationToken">Nothing is written.</param>
    public Task NotePatchesAsync(long jobId, string post, CancellationToken cancellationToken) => _database.WriteAsync(
        transaction => transaction.Execute(
            "INSERT INTO patched_items (item_id, post) SELECT DISTINCT readers.id, @post FROM items JOIN items AS readers ON readers.extent_map = items.extent_map " +
            "WHERE items.job_id = @jobId AND items.kind = 'file' ON CONFLICT DO NOTHING",
            new { jobId, post }),
        cancellationToken);
}
