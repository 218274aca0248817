using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Moving;
using NzbDav.Migration.Database;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Altmount;

/// <summary>Data that altmount's database holds beside the tree: categories and the queue. Without it only the tree is migrated.</summary>
internal sealed class AltmountBook : IDisposable
{
    /// <summary>The newest schema found in altmount's sources.</summary>
    private const long Newest = 35;

    private readonly OldDatabase? _database;
    private readonly Dictionary<string, string> _categories;
    private readonly Dictionary<string, string> _listed;

    private AltmountBook(OldDatabase? database, long version)
    {
        _database = database;
        Version = version;
        _categories = database?.HasColumn("import_history", "virtual_path") == true
            ? database.List<(string? Path, string? Category)>(
                "SELECT virtual_path, category FROM import_history WHERE category IS NOT NULL AND category <> '' ORDER BY id")
                .Where(row => row is { Path: not null, Category: not null })
                .GroupBy(row => row.Path!.Trim('/'), StringComparer.Ordinal)
                .ToDictionary(group => group.Key, group => group.Last().Category!, StringComparer.Ordinal)
            : [];
        _listed = Listed(database)
            .Where(row => row is { Path: not null, Id: not null })
            .GroupBy(row => row.Path!.Trim('/'), StringComparer.Ordinal)
            .ToDictionary(group => group.Key, group => group.Last().Id!, StringComparer.Ordinal);
        Keys = database?.HasColumn("users", "api_key") == true
            ? [.. database.List<string?>("SELECT api_key FROM users WHERE api_key <> ''").OfType<string>()
                .Select(key => AddressKey.Of(Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)))))]
            : [];
    }

    /// <summary>
    /// The keys in the addresses of .strm files: a digest of each user's API key, which opens the whole tree. In the form of
    /// <see cref="AddressKey.Of"/>.
    /// </summary>
    public IReadOnlyList<string> Keys { get; }

    /// <summary>The version of the schema; 0: there is no database.</summary>
    public long Version { get; }

    /// <param name="path">The database; null: there is none, as with PostgreSQL.</param>
    /// <exception cref="MigrationException">It is damaged, or newer than all known versions.</exception>
    public static AltmountBook Open(string? path)
    {
        if (path is null)
            return new AltmountBook(null, 0);
        var database = OldDatabase.Open(path);
        try
        {
            database.Require("altmount", "goose_db_version");
            var version = database.List<long?>("SELECT MAX(version_id) FROM goose_db_version").FirstOrDefault() ?? 0;
            return version <= Newest
                ? new AltmountBook(database, version)
                : throw new MigrationException(
                    $"{path} has the schema {version}, which is newer than {Newest}, the newest that this version of NzbDav knows. " +
                    $"Update NzbDav and run the command again.");
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }

    /// <summary>The category of a file or a folder of the tree; null if unknown.</summary>
    /// <param name="path">From the root of the tree, without a '/' before it.</param>
    public string? CategoryOf(string path) => _categories.GetValueOrDefault(path)
        ?? (path.LastIndexOf('/') is > 0 and var slash ? _categories.GetValueOrDefault(path[..slash]) : null);

    /// <summary>The id under which *arrs know the completed download of a file; null: altmount no longer shows it to them.</summary>
    /// <param name="path">From the root of the tree, without a '/' before it.</param>
    public string? ListedAs(string path)
    {
        // The database names the file or its folder; a folder at the top is a category.
        for (var part = path; part.Contains('/', StringComparison.Ordinal); part = part[..part.LastIndexOf('/')])
        {
            if (_listed.TryGetValue(part, out var id))
                return id;
        }

        return null;
    }

    /// <summary>Waiting and failed titles of the queue.</summary>
    public IEnumerable<OldTitle> Queue(AltmountFolder folder)
    {
        if (_database?.HasColumn("import_queue", "nzb_path") != true)
            yield break;
        var category = _database.ColumnOrNull("import_queue", "category");
        foreach (var (id, path, status, name,
            download) in _database.List<(long Id, string? Path, string? Status, string? Category, string? DownloadId)>(
            $"SELECT id, nzb_path, status, {category}, {DownloadId(_database)} FROM import_queue WHERE status <> 'completed' ORDER BY id"))
        {
            if (path is null)
                continue;
            var file = Path.GetFileName(path);
            var title = new OldTitle
            { Key = $"queue:{id}", Name = NameOf(file), Category = name ?? "", NzbName = file, DownloadId = download, IsListed = true };
            if (status is "failed" or "fallback")
                yield return title with { Skipped = "It failed in altmount." };
            else if (folder.Find(path) is { } nzb)
                yield return title with { OpenNzb = () => Packed.BoundedBytes.Open(nzb) };
            else
                yield return title with
                {
                    Refusal =
                    "It waits in altmount's queue, and its .nzb is not there: altmount keeps those in a folder for temporary files."
                };
        }
    }

    /// <summary>The download's name for an .nzb file.</summary>
    private static string NameOf(string file)
    {
        var name = file.EndsWith(".gz", StringComparison.OrdinalIgnoreCase) ? file[..^3] : file;
        return name.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) && name.Length > 4 ? name[..^4] : name;
    }

    /// <summary>Titles shown to *arrs as completed: rows of the queue, and from version 19 on also of the history.</summary>
    private static IEnumerable<(string? Path, string? Id)> Listed(OldDatabase? database)
    {
        if (database?.HasColumn("import_history", "download_id") == true)
        {
            var number = database.HasColumn("import_history", "nzb_id") ? "COALESCE(nzb_id, id)" : "id";
            foreach (var row in database.List<(string?, string?)>(
                $"SELECT virtual_path, COALESCE(NULLIF(download_id, ''), CAST({number} AS TEXT)) FROM import_history ORDER BY id"))
                yield return row;
        }

        if (database?.HasColumn("import_queue", "storage_path") == true)
        {
            foreach (var row in database.List<(string?, string?)>(
                $"SELECT storage_path, {DownloadId(database)} FROM import_queue WHERE status = 'completed' ORDER BY id"))
                yield return row;
        }
    }

    /// <summary>SQL for the download id. Earlier versions gave *arrs the number of the row.</summary>
    private static string DownloadId(OldDatabase database) =>
        database.HasColumn("import_queue", "download_id") ? "COALESCE(NULLIF(download_id, ''), CAST(id AS TEXT))" : "CAST(id AS TEXT)";

    /// <exception cref="MigrationException">The database was changed while it was read.</exception>
    public void ThrowIfChanged() => _database?.ThrowIfChanged();

    public void Dispose() => _database?.Dispose();
}
