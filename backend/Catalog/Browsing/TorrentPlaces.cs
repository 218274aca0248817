using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Browsing;

/// <summary>The places of torrents in the tree and in the queue. Thread-safe.</summary>
public sealed class TorrentPlaces
{
    private const string Published =
        "SELECT f.torrent AS InfoHash, COALESCE(MAX(j.name), MIN(f.name)) AS Name, COALESCE(MAX(j.item_id), MIN(f.id)) AS ItemId, " +
        "MAX(f.job_id) AS JobId, CAST(SUM(f.size) AS BIGINT) AS Size " +
        "FROM (SELECT torrent, torrent_file, MIN(id) AS id, MIN(name) AS name, MAX(job_id) AS job_id, MAX(size) AS size FROM items WHERE " +
        "torrent IS NOT NULL AND (@hash IS NULL OR torrent = @hash) " +
        "GROUP BY torrent, torrent_file) AS f LEFT JOIN jobs AS j ON j.id = f.job_id GROUP BY f.torrent ORDER BY MIN(f.id) DESC";

    private const string Queued =
        "SELECT content_hash AS InfoHash, name AS Name, NULL AS ItemId, id AS JobId, 0 AS Size FROM jobs " +
        "WHERE kind <> 'nzb' AND content_hash IS NOT NULL AND state IN ('queued', 'running') AND (@hash IS NULL OR content_hash = @hash) " +
        "ORDER BY id DESC";

    /// <summary>For each torrent of the user: what was published of it, and the latest job that added it.</summary>
    private const string Sources =
        "SELECT t.hash AS InfoHash, i.Map, i.ItemId, COALESCE(i.Size, 0) AS Size, j.id AS JobId, j.name AS JobName, j.kind AS Kind, " +
        "j.state AS State, j.nzb AS Brought, j.failure_code AS Code, j.failure_message AS Failure, j.item_id AS JobItem " +
        "FROM torrents AS t " +
        "LEFT JOIN (SELECT torrent, MAX(extent_map) AS Map, MIN(id) AS ItemId, MAX(job_id) AS Job, CAST(SUM(size) AS BIGINT) AS Size " +
        "FROM items WHERE torrent IS NOT NULL AND (@hash IS NULL OR torrent = @hash) GROUP BY torrent) AS i " +
        "ON i.torrent = t.hash " +
        "LEFT JOIN jobs AS j ON j.id = COALESCE(i.Job, (SELECT MAX(id) FROM jobs WHERE content_hash = t.hash AND kind <> 'nzb')) " +
        "WHERE @hash IS NULL OR t.hash = @hash";

    private readonly CatalogDatabase _database;

    public TorrentPlaces(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>All torrents, latest first; those in the queue come before those in the tree.</summary>
    public ValueTask<IReadOnlyList<CatalogTorrent>> ListAsync(CancellationToken cancellationToken) =>
        ReadAsync(hash: null, cancellationToken);

    /// <summary>A torrent; null if it is neither in the tree nor in the queue.</summary>
    public async ValueTask<CatalogTorrent?> FindAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return await ReadAsync(hash, cancellationToken) is [var found, ..] ? found : null;
    }

    /// <summary>The source of each torrent of the user, in no order.</summary>
    /// <param name="hash">Info-hash of the only torrent to return; null: all.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public ValueTask<IReadOnlyList<TorrentSource>> ListSourcesAsync(string? hash, CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyList<TorrentSource>>(
            async reader =>
                (await reader.AllAsync<SourceRow>(Sources, new { hash })).Select(static row => row.ToSource()).ToList(), cancellationToken);

    /// <summary>The files in the tree from a torrent, in the torrent's order; a file published twice is listed twice.</summary>
    public async ValueTask<IReadOnlyList<CatalogItem>> ListFilesAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<ItemRow>(
                $"SELECT {ItemRow.Columns} FROM items WHERE torrent = @hash ORDER BY torrent_file, id", new { hash }), cancellationToken);
        return rows.ConvertAll(row => row.ToItem());
    }

    private async ValueTask<IReadOnlyList<CatalogTorrent>> ReadAsync(string? hash, CancellationToken cancellationToken)
    {
        var (published, queued) = await _database.ReadAsync(
            async reader =>
                (await reader.AllAsync<Row>(Published, new { hash }), await reader.AllAsync<Row>(Queued, new { hash })), cancellationToken);
        return [.. queued.Concat(published).DistinctBy(static row => row.InfoHash, StringComparer.Ordinal)
            .Select(static row => new CatalogTorrent(row.InfoHash, row.Name, row.ItemId, row.JobId, row.Size))];
    }

    private sealed class Row
    {
        public string InfoHash { get; set; } = "";

        public string Name { get; set; } = "";

        public long? ItemId { get; set; }

        public long? JobId { get; set; }

        public long Size { get; set; }
    }

    private sealed class SourceRow
    {
        public string InfoHash { get; set; } = "";

        public string? Map { get; set; }

        public long? ItemId { get; set; }

        public long Size { get; set; }

        public long? JobId { get; set; }

        public string? JobName { get; set; }

        public string? Kind { get; set; }

        public string? State { get; set; }

        public string? Brought { get; set; }

        public string? Code { get; set; }

        public string? Failure { get; set; }

        public long? JobItem { get; set; }

        public TorrentSource ToSource()
        {
            var brought = Brought is null ? default(BlobHash?) : BlobHash.Parse(Brought);
            return new TorrentSource
            {
                InfoHash = InfoHash,
                Metainfo = Map is not null ? BlobHash.Parse(Map) : Kind == JobRow.Text(JobKind.Torrent) ? brought : null,
                Magnet = Map is null && Kind == JobRow.Text(JobKind.Magnet) ? brought : null,
                JobId = JobId,
                Job = State is null ? null : JobRow.StateOf(State),
                JobName = JobName,
                FailureCode = Code,
                Failure = Failure,
                ItemId = JobItem ?? ItemId,
                Size = Size,
            };
        }
    }
}

/// <summary>Where a torrent of the user came from, and where it was published.</summary>
public sealed record TorrentSource
{
    /// <summary>40 lower-case hexadecimal digits.</summary>
    public required string InfoHash { get; init; }

    /// <summary>Its .torrent; null for a magnet link whose metadata is not there yet.</summary>
    public BlobHash? Metainfo { get; init; }

    /// <summary>The magnet link as text, if there is no .torrent.</summary>
    public BlobHash? Magnet { get; init; }

    /// <summary>The job that added it, while that is on record.</summary>
    public long? JobId { get; init; }

    /// <summary>The state of that job; null: it is no longer on record.</summary>
    public JobState? Job { get; init; }

    /// <summary>The name of that job; null: it is no longer on record.</summary>
    public string? JobName { get; init; }

    /// <summary>The code of <see cref="Failure"/>; null if nothing is wrong.</summary>
    public string? FailureCode { get; init; }

    /// <summary>Why the job failed, or what it waits for; null if nothing is wrong.</summary>
    public string? Failure { get; init; }

    /// <summary>The collection that it was published as, or its first file; null: not published.</summary>
    public long? ItemId { get; init; }

    /// <summary>Bytes of its files in the tree.</summary>
    public long Size { get; init; }
}

/// <summary>A torrent of files in the tree, or of an unfinished job.</summary>
/// <param name="InfoHash">40 lower-case hexadecimal digits.</param>
/// <param name="Name">The name of its job, or else of its file.</param>
/// <param name="ItemId">The collection that it was published as, or its first file; null: not published yet.</param>
/// <param name="JobId">The job that added it, while that is on record.</param>
/// <param name="Size">Bytes of its files in the tree; 0: not published yet.</param>
public sealed record CatalogTorrent(string InfoHash, string Name, long? ItemId, long? JobId, long Size);
