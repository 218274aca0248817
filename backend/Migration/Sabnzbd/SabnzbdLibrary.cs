using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Sabnzbd;

/// <summary>SABnzbd's history, queue and the .nzb files that it kept. Its finished files are real ones and stay where they are.</summary>
internal sealed class SabnzbdLibrary : OldLibrary
{
    /// <summary>The newest schema of the history found in SABnzbd's sources: 5.0.</summary>
    private const long Newest = 6;

    private readonly SabnzbdIni _ini;
    private readonly SabnzbdFolders _folders;
    private readonly OldDatabase _history;
    private readonly long _version;

    private SabnzbdLibrary(SabnzbdIni ini, SabnzbdFolders folders, OldDatabase history, long version)
    {
        _ini = ini;
        _folders = folders;
        _history = history;
        _version = version;
    }

    public override string Product => "SABnzbd";

    public override string Version => $"history {_version}";

    public override string Source => "sabnzbd";

    /// <exception cref="MigrationException">There is none, it is damaged, or its version is not known.</exception>
    public static SabnzbdLibrary Open(string folder)
    {
        var file = Path.Combine(folder, "sabnzbd.ini");
        if (!File.Exists(file))
            throw new MigrationException(
                $"{folder} has no sabnzbd.ini. Name the folder that is /config in the container of SABnzbd, or ~/.sabnzbd.");
        var ini = SabnzbdIni.Read(file);
        var admin = ini.Value("misc", "admin_dir") is { Length: > 0 } named ? named : "admin";
        var path = new[] { Path.Combine(folder, admin, "history1.db"), Path.Combine(folder, "admin", "history1.db") }.FirstOrDefault(
            File.Exists)
            ?? throw new MigrationException($"{Path.Combine(folder, admin)} has no history1.db: there is no history of SABnzbd there.");
        var history = OldDatabase.Open(path);
        try
        {
            history.Require("SABnzbd", "history");
            var version = history.List<long>("PRAGMA user_version")[0];
            if (version > Newest)
                throw new MigrationException(
                    $"{path} has the schema {version}, which is newer than {Newest}, the newest that this version of NzbDav knows. " +
                    $"Update NzbDav and run the command again.");
            return new SabnzbdLibrary(ini, new SabnzbdFolders(folder, ini), history, version);
        }
        catch
        {
            history.Dispose();
            throw;
        }
    }

    public override OldSettings ReadSettings() => SabnzbdSettings.Of(_ini);

    public override IEnumerable<OldTitle> ReadTitles(CancellationToken cancellationToken)
    {
        var (digest, password, archive, path) = (_history.ColumnOrNull("history", "md5sum"), _history.ColumnOrNull("history", "password"),
            _history.ColumnOrNull("history", "archive"), _history.ColumnOrNull("history", "path"));
        var failed = new HashSet<(string Folder, string? NzoId)>();
        foreach (var row in _history.List<HistoryRow>(
            $"SELECT name AS Name, nzb_name AS NzbName, {path} AS Path, category AS Category, status AS Status, url AS Url, nzo_id AS " +
            $"NzoId, {digest} AS Digest, {password} AS Password, COALESCE({archive}, 0) <> 0 AS Archived FROM history ORDER BY " +
            $"completed, id"))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (row.Name is { Length: > 0 } && row.Status is "Completed" or "Failed")
                yield return Title(row);
            if (row is { Status: "Failed", Path: { Length: > 0 } place })
            {
                var name = place.TrimEnd('/', '\\').Split('/', '\\')[^1];
                failed.UnionWith([(name, row.NzoId), (name, null)]);
            }
        }

        foreach (var (name, file, id, kept) in _folders.Unfinished())
        {
            cancellationToken.ThrowIfCancellationRequested();

            // SABnzbd keeps the folder of a failed download for a retry. A later download of the same name has another id there.
            if (failed.Contains((name, id)))
                continue;
            yield return new OldTitle
            {
                Key = "queue:" + name,
                Name = name,
                Category = kept.GetValueOrDefault("cat") is { } category and not "*" ? category : "",
                Password = kept.GetValueOrDefault("password") is { Length: > 0 } secret ? secret : null,
                NzbName = Path.GetFileName(file)[..^3],
                DownloadId = id,
                IsListed = true,
                OpenNzb = () => BoundedBytes.Open(file),
            };
        }

        _history.ThrowIfChanged();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _history.Dispose();
        base.Dispose(disposing);
    }

    private OldTitle Title(HistoryRow row)
    {
        var title = new OldTitle
        {
            Key = row.NzoId is { Length: > 0 } id ? id : $"{row.NzbName}\n{row.Name}",
            Name = row.Name!,
            Category = row.Category is null or "*" ? "" : row.Category,
            NzbName = row.NzbName,
            DownloadId = row.Archived || string.IsNullOrEmpty(row.NzoId) ? null : row.NzoId,
            IsListed = !row.Archived,
            Password = string.IsNullOrEmpty(row.Password) ? null : row.Password,
            Url = Uri.TryCreate(row.Url, UriKind.Absolute, out var url) && url.Scheme is "http" or "https" ? row.Url : null,
        };
        if (row.Status == "Failed")
            return title with { Skipped = "It failed in SABnzbd." };
        if (!_folders.KeepsNzbs)
            return title with { Refusal = "SABnzbd kept no .nzb files (its setting nzb_backup_dir was empty)." };
        var copies = _folders.Copies(row.NzbName, row.Name).ToArray();
        if (copies.Length == 0)
            return title with { Refusal = "Its .nzb is not in SABnzbd's folder of copies." };
        return Array.Find(copies, copy => IsOf(copy, row.Digest)) is { } kept
            ? title with { OpenNzb = () => BoundedBytes.Open(kept) }
            : title with
            {
                Refusal =
                $"The copy of its .nzb, {Path.GetFileName(copies[0])}, was overwritten by that of another post of the same name, or is " +
                $"damaged."
            };
    }

    /// <summary>True if a copy belongs to the post in the history, or cannot be checked.</summary>
    private static bool IsOf(string copy, string? digest)
    {
        if (string.IsNullOrEmpty(digest))
            return true;
        try
        {
            using var nzb = BoundedBytes.Open(copy);
            return string.Equals(PostDigest.Of(nzb), digest, StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception e) when (e is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private sealed class HistoryRow
    {
        public string? Name { get; set; }

        public string? NzbName { get; set; }

        /// <summary>The folder in which it was downloaded.</summary>
        public string? Path { get; set; }

        public string? Category { get; set; }

        public string? Status { get; set; }

        public string? Url { get; set; }

        public string? NzoId { get; set; }

        public string? Digest { get; set; }

        public string? Password { get; set; }

        public bool Archived { get; set; }
    }
}
