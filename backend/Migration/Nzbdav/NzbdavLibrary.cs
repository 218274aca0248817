using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Moving;
using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Nzbdav;

/// <summary>The library of nzbdav, nzbdav2 or InfiniDysk: one database and its blobs.</summary>
internal sealed class NzbdavLibrary : OldLibrary
{
    private readonly string _folder;
    private readonly OldDatabase _database;
    private readonly NzbdavSchema _schema;
    private readonly BlobFolder _blobs;

    private NzbdavLibrary(string folder, OldDatabase database, NzbdavSchema schema)
    {
        _folder = folder;
        _database = database;
        _schema = schema;
        _blobs = new BlobFolder(folder);
    }

    public override string Product => _schema.Product;

    public override string Version => _schema.Migration;

    /// <summary>The same for all three programs: users who switch between them keep the ids.</summary>
    public override string Source => "nzbdav";

    /// <exception cref="MigrationException">There is none, it is damaged, or its version is not known.</exception>
    public static NzbdavLibrary Open(string folder)
    {
        var path = Path.Combine(folder, "db.sqlite");
        if (!File.Exists(path))
            throw new MigrationException(
                $"{folder} has no db.sqlite. Name the folder that is /config in the container of nzbdav or InfiniDysk. InfiniDysk on " +
                $"PostgreSQL cannot be read: switch it back to SQLite first.");
        var database = OldDatabase.Open(path);
        try
        {
            return new NzbdavLibrary(folder, database, NzbdavSchema.Of(database));
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }

    public override OldSettings ReadSettings() => NzbdavSettings.Read(_database);

    public override IEnumerable<OldTitle> ReadTitles(CancellationToken cancellationToken)
    {
        var tree = NzbdavTree.Read(_database);
        var layouts = new LayoutReader(_database, _blobs);
        var names = NzbNames();
        var history = NzbdavHistory.Read(_database);
        var signer = _database.List<string?>("SELECT ConfigValue FROM ConfigItems WHERE ConfigName = 'api.strm-key'").FirstOrDefault();
        foreach (var category in tree.Categories)
        {
            foreach (var release in tree.Below(category.Id))
            {
                // A folder may hold files from several .nzb files.
                foreach (var group in tree.Files(release, [release.Name]).GroupBy(file => file.File.NzbBlobId))
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    var entry = history.Find(category.Name, release, group.Key,
                        group.Select(file => file.File.HistoryItemId).FirstOrDefault(id => id is not null));
                    var text = entry is { } listed ? NzbTexts.Find(_database, "HistoryItems", history.TextOf(listed)) : null;
                    yield return Title(category.Name, release, group.Key, [.. group], layouts,
                        group.Key is { } nzb ? names.GetValueOrDefault(nzb) : null, signer, text) with
                    {
                        DownloadId = entry?.ToString("D"),
                        IsListed = entry is not null,
                    };
                }
            }
        }

        foreach (var title in NzbdavQueue.Read(_database, _blobs))
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return title;
        }

        _database.ThrowIfChanged();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _database.Dispose();
        base.Dispose(disposing);
    }

    private OldTitle Title(string category, NzbdavItem release, Guid? nzb, (NzbdavItem File, IReadOnlyList<string> Path)[] files,
        LayoutReader layouts, string? nzbName, string? signer, Func<Stream>? text)
    {
        var read = files.Select(file => (file.File, file.Path, Layout: layouts.Read(file.File))).ToArray();
        var title = new OldTitle
        {
            Key = (nzb ?? release.Id).ToString("D"),
            Name = release.Name,
            Category = category,
            NzbName = nzbName,
            Files = [.. read.Select(file => new MovedFile(
                [IdPathOf(file.File.Id), $"content/{category}/{string.Join('/', file.Path)}"], file.Path[^1], file.File.Size,
                    file.Layout.Layout?.FirstArticle)
            {
                Keys = string.IsNullOrEmpty(signer) ? [] : [AddressKey.Of(KeyOf(IdPathOf(file.File.Id), signer))],
            })],
        };
        if ((nzb is { } id ? _blobs.Find(id) : null) is { } kept)
            return title with { OpenNzb = () => BoundedBytes.Open(kept) };
        if (text is not null)
            return title with { OpenNzb = text };
        if (NzbBackup.Find(_folder, _database, category, nzbName ?? release.Name) is { } backup)
            return title with { OpenNzb = () => BoundedBytes.Open(backup) };
        if (Array.Find(read, file => file.Layout.Layout is null) is { Path: { } broken } bad)
            return title with { Refusal = $"Its .nzb was not kept, and of '{broken[^1]}' {bad.Layout.Problem}." };
        var (rebuilt, refusal) = RebuiltNzb.Of([.. read.Select(file => (file.Path[^1], file.Layout.Layout!))], password: null);
        return rebuilt is null ? title
            with
        { Refusal = refusal } : title with { IsRebuilt = true, OpenNzb = () => new MemoryStream(rebuilt, writable: false) };
    }

    /// <summary>The path used in nzbdav's links: the first five digits, then the Guid.</summary>
    private static string IdPathOf(Guid id)
    {
        var name = id.ToString("D");
        return $".ids/{name[0]}/{name[1]}/{name[2]}/{name[3]}/{name[4]}/{name}";
    }

    /// <summary>The key in the address of a .strm file: it is valid only for this path.</summary>
    private static string KeyOf(string path, string signer) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{path}_{signer}")));

    /// <summary>The names that the .nzb files had, which may hold passwords.</summary>
    private Dictionary<Guid, string> NzbNames()
    {
        var names = new Dictionary<Guid, string>();
        if (_database.HasTable("NzbNames"))
        {
            foreach (var (id, name) in _database.Stream("SELECT Id, substr(FileName, 1, 1024) FROM NzbNames",
                row => (NzbdavTree.GuidAt(row, 0), row.IsDBNull(1) ? null : row.GetString(1))))
            {
                if (id is { } known && name is not null)
                    names[known] = name;
            }
        }

        return names;
    }
}

/// <summary>nzbdav's <c>blobs/</c>: layouts and .nzb files by Guid.</summary>
internal sealed class BlobFolder(string configuration)
{
    /// <summary>The path of a blob; null if it is not there.</summary>
    public string? Find(Guid id)
    {
        var name = id.ToString("D");
        var path = Path.Combine(configuration, "blobs", name[..2], name[2..4], name);
        return File.Exists(path) ? path : null;
    }
}

/// <summary>The folder in which InfiniDysk keeps copies of .nzb files by category and name (<c>api.nzb-backup-location</c>).</summary>
internal static class NzbBackup
{
    /// <summary>The copy of a release's .nzb; null if none can be identified as its own.</summary>
    public static string? Find(string configuration, OldDatabase database, string category, string name)
    {
        var folder = database.List<string?>("SELECT ConfigValue FROM ConfigItems WHERE ConfigName = 'api.nzb-backup-location'")
            .FirstOrDefault();
        if (string.IsNullOrWhiteSpace(folder))
            return null;

        // The path as the container saw it; where that does not exist, beside the configuration.
        var file = name.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? name : name + ".nzb";
        if (file.AsSpan().IndexOfAny('/', '\0') >= 0 || category.AsSpan().IndexOfAny('/', '\0') >= 0)
            return null;
        string[] places = [folder, Path.Combine(configuration, Path.GetFileName(folder.TrimEnd('/')))];
        return places.Where(Path.IsPathRooted).Select(place => Path.Combine(place, category, file)).FirstOrDefault(File.Exists);
    }
}
