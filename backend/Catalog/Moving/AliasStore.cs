using System.Collections.Frozen;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Moving;

/// <summary>
/// Paths that files had in another program, as links in libraries name them: <c>.ids/8/f/3/e/3/8f3e356e-…</c>, <c>content/tv/Job/a.mkv</c>.
/// They lead to files for as long as these exist, and to nothing before the job is published. Lookups cost no query while there are no such
/// paths. Thread-safe.
/// </summary>
public sealed class AliasStore
{
    /// <summary>Most names listed for one folder; no library has more.</summary>
    private const int MostListed = 100_000;

    private readonly CatalogDatabase _database;
    private readonly ChangeWatch _watch;

    /// <summary>0: unknown, 1: there are some, 2: there are none.</summary>
    private volatile int _any;

    public AliasStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        _watch = new ChangeWatch(database, AliasRows.Scope, () => _any = 0);
    }

    /// <summary>True if there are such paths, whether or not they lead to files yet.</summary>
    public async ValueTask<bool> AnyAsync(CancellationToken cancellationToken)
    {
        await _watch.CheckAsync(cancellationToken);
        var known = _any;
        if (known != 0)
            return known == 1;
        known = await _database.ReadAsync(
            reader => reader.ScalarAsync<long>("SELECT EXISTS (SELECT 1 FROM aliases)"), cancellationToken) != 0 ? 1 : 2;
        _any = known;
        return known == 1;
    }

    /// <summary>The file that a path leads to; null if it leads to none.</summary>
    /// <param name="path">Names joined by '/'.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<long?> FindAsync(string path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        return await AnyAsync(cancellationToken)
            ? await _database.ReadAsync(
                reader => reader.ScalarAsync<long?>("SELECT item_id FROM aliases WHERE path = @path", new { path }), cancellationToken)
            : null;
    }

    /// <summary>
    /// The file that an address of another program opens; null if the path leads to none, or the key does not belong to it.
    /// </summary>
    /// <param name="path">Names joined by '/'.</param>
    /// <param name="key">As in the address.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<long?> FindByKeyAsync(string path, string key, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(key);
        if (!await AnyAsync(cancellationToken))
            return null;
        var (item, keys) = await _database.ReadAsync(
            reader => reader.FirstAsync<(long? Item, string? Keys)>("SELECT item_id, keys FROM aliases WHERE path = @path", new { path }),
            cancellationToken);
        return item is not null && AddressKey.Opens(key, keys) ? item : null;
    }

    /// <summary>The paths that lead to a file.</summary>
    public async ValueTask<IReadOnlyList<string>> ListPathsAsync(long itemId, CancellationToken cancellationToken) =>
        await AnyAsync(cancellationToken)
        ? await _database.ReadAsync(reader =>
            reader.AllAsync<string>("SELECT path FROM aliases WHERE item_id = @itemId ORDER BY path", new { itemId }), cancellationToken)
        : [];

    /// <summary>Revokes the keys of all addresses of other programs. Paths stay.</summary>
    public Task RevokeKeysAsync(CancellationToken cancellationToken) =>
        _database.WriteAsync(
            static transaction => transaction.Execute("UPDATE aliases SET keys = NULL WHERE keys IS NOT NULL"), cancellationToken);

    /// <summary>The entries of such paths directly below a folder, by name: files with their ids, folders without.</summary>
    /// <param name="folder">Names joined by '/'; empty: the root.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyDictionary<string, long?>> ListAsync(string folder, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(folder);
        if (!await AnyAsync(cancellationToken))
            return FrozenDictionary<string, long?>.Empty;
        var first = folder.Length == 0 ? "" : folder + "/";
        return await _database.ReadAsync(reader => ListAsync(reader, first), cancellationToken);
    }

    /// <summary>The jobs of a program's titles, by the titles' ids there.</summary>
    public async ValueTask<IReadOnlyDictionary<string, MovedJob>> ListTitlesAsync(string source, CancellationToken cancellationToken) =>
        await _database.ReadAsync(reader => ReadAsync(reader, source), cancellationToken);

    /// <summary>Records that an existing job is also a title of another program.</summary>
    /// <param name="title">The title.</param>
    /// <param name="jobId">The job.</param>
    /// <param name="published">Its files; null while it is not published.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>False, with nothing changed, if the job was published meanwhile: call again with its files.</returns>
    public Task<bool> AdoptAsync(MovedTitle title, long jobId, IReadOnlyList<PlacedFile>? published, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(title);
        return _database.WriteAsync(
            transaction =>
            {
                if (published is null
                    && transaction.Scalar<long>("SELECT COUNT(*) FROM jobs WHERE id = @jobId AND state = 'completed'", new { jobId }) > 0)
                    return false;
                AliasRows.Add(transaction, title, jobId, published, _database.Time.GetUtcNow().UtcTicks);
                AliasRows.Adopt(transaction, title, jobId);
                return true;
            },
            cancellationToken);
    }

    private static async ValueTask<FrozenDictionary<string, MovedJob>> ReadAsync(CatalogReader reader, string source) =>
        (await reader.AllAsync<(string Title, long JobId, string? State, string? Message)>(
            "SELECT title, job_id, jobs.state, jobs.failure_message FROM moved_titles LEFT JOIN jobs ON jobs.id = job_id WHERE " +
            "moved_titles.source = @source", new { source }))
        .ToFrozenDictionary(row => row.Title, row => new MovedJob(row.JobId, row.State, row.Message), StringComparer.Ordinal);

    /// <summary>Lists by seeking from name to name, which skips everything deeper below a folder.</summary>
    private static async ValueTask<Dictionary<string, long?>> ListAsync(CatalogReader reader, string first)
    {
        const string Sql =
            "SELECT path, item_id FROM aliases WHERE path >= @from AND path < @end AND item_id IS NOT NULL ORDER BY path LIMIT 1";
        var found = new Dictionary<string, long?>(StringComparer.Ordinal);

        // '0' follows '/'. Text compares byte by byte.
        var end = first.Length == 0 ? "\U0010FFFF" : first[..^1] + "0";
        var from = first;
        while (found.Count < MostListed
            && await reader.FirstAsync<(string? Path, long? Item)>(Sql, new { from, end }) is { Path: { } path } row)
        {
            var slash = path.IndexOf('/', first.Length);
            if (slash < 0)
                found[path[first.Length..]] = row.Item;
            else
                found.TryAdd(path[first.Length..slash], null);
            from = slash < 0 ? path + "\u0001" : path[..slash] + "0";
        }

        return found;
    }
}

/// <summary>The job of a title that was moved from another program.</summary>
/// <param name="JobId">The job.</param>
/// <param name="State">Its state: <c>queued</c>, <c>running</c>, <c>completed</c>, <c>failed</c>; null: it was removed since.</param>
/// <param name="Message">Why it failed, or what it waits for.</param>
public sealed record MovedJob(long JobId, string? State, string? Message);

/// <summary>
/// The keys in addresses that another program wrote into .strm files. Only a digest is stored, so the catalog does not reveal them.
/// </summary>
public static class AddressKey
{
    private const int Length = 16;

    /// <summary>The stored digest of a key: half of its SHA-256, 32 lower-case hexadecimal digits.</summary>
    public static string Of(string key) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)).AsSpan(0, Length));

    /// <summary>True if the digest of a key is among the stored ones.</summary>
    /// <param name="key">As in the address.</param>
    /// <param name="kept">Separated by spaces; null: none.</param>
    internal static bool Opens(string key, string? kept)
    {
        var digest = Encoding.ASCII.GetBytes(Of(key));
        return (kept ?? "").Split(' ').Any(one => CryptographicOperations.FixedTimeEquals(digest, Encoding.ASCII.GetBytes(one)));
    }
}

/// <summary>The title of another program that a job was moved from, and the paths under which its files must stay reachable.</summary>
/// <param name="Source">The program and its library: <c>nzbdav</c>.</param>
/// <param name="Title">Its id there, the same in every run.</param>
/// <param name="Files">Its files there.</param>
public sealed record MovedTitle(string Source, string Title, IReadOnlyList<MovedFile> Files)
{
    /// <summary>The id by which *arrs know the download (SABnzbd's <c>nzo_id</c>); null: none, or unknown.</summary>
    public string? DownloadId { get; init; }

    /// <summary>
    /// True if the other program still shows the download to *arrs, in its queue or history. False: they have finished with it, so the job
    /// is archived.
    /// </summary>
    public bool IsListed { get; init; }
}

/// <summary>A file of the title, with the paths that links to it may name.</summary>
/// <param name="Paths">From the root, without a leading '/': see <see cref="AliasStore"/>.</param>
/// <param name="Name">Its name there.</param>
/// <param name="Size">Bytes; negative: unknown.</param>
/// <param name="Article">The message-id of the article that holds its first byte, without angle brackets; null: unknown.</param>
public sealed record MovedFile(IReadOnlyList<string> Paths, string Name, long Size, string? Article)
{
    /// <summary>The keys in .strm addresses of the file, as digests of <see cref="AddressKey.Of"/>.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];
}
