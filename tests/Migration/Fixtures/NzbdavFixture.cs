using System.Text;
using System.Text.Json;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>Builds a library of nzbdav or InfiniDysk as a given version leaves it on disk.</summary>
internal sealed class NzbdavFixture : IDisposable
{
    private static readonly (NzbdavEra Era, string Step, string Sql)[] Steps =
    [
        (NzbdavEra.First, "20250824100609_Add-DavItem-IdPrefix", """
            CREATE TABLE __EFMigrationsHistory (MigrationId TEXT NOT NULL PRIMARY KEY, ProductVersion TEXT NOT NULL);
            CREATE TABLE DavItems (Id TEXT NOT NULL PRIMARY KEY, ParentId TEXT, Name TEXT NOT NULL, FileSize INTEGER, Type INTEGER NOT NULL, CreatedAt TEXT NOT NULL);
            CREATE TABLE DavNzbFiles (Id TEXT NOT NULL PRIMARY KEY, SegmentIds TEXT NOT NULL);
            CREATE TABLE DavRarFiles (Id TEXT NOT NULL PRIMARY KEY, RarParts TEXT NOT NULL);
            CREATE TABLE QueueItems (Id TEXT NOT NULL PRIMARY KEY, CreatedAt TEXT, FileName TEXT, JobName TEXT, NzbContents TEXT, NzbFileSize INTEGER, TotalSegmentBytes INTEGER, Category TEXT, Priority INTEGER, PostProcessing INTEGER, PauseUntil TEXT);
            CREATE TABLE HistoryItems (Id TEXT NOT NULL PRIMARY KEY, CreatedAt TEXT, FileName TEXT, JobName TEXT, Category TEXT, DownloadStatus INTEGER, TotalSegmentBytes INTEGER, DownloadTimeSeconds INTEGER, FailMessage TEXT);
            CREATE TABLE ConfigItems (ConfigName TEXT NOT NULL PRIMARY KEY, ConfigValue TEXT NOT NULL);
            """),
        (NzbdavEra.Multipart, "20251024003729_Add-DavMultipartFiles-Table", """
            CREATE TABLE DavMultipartFiles (Id TEXT NOT NULL PRIMARY KEY, Metadata TEXT NOT NULL);
            ALTER TABLE HistoryItems ADD COLUMN DownloadDirId TEXT;
            ALTER TABLE DavItems ADD COLUMN Path TEXT; ALTER TABLE DavItems ADD COLUMN IdPrefix TEXT;
            """),
        (NzbdavEra.QueueTexts, "20251113081523_Migrate-Usenet-Providers", """
            CREATE TABLE QueueNzbContents (Id TEXT NOT NULL PRIMARY KEY, NzbContents TEXT NOT NULL);
            ALTER TABLE QueueItems DROP COLUMN NzbContents;
            """),
        (NzbdavEra.Blobs, "20260407215451_Add-Queue-Index", """
            ALTER TABLE DavItems ADD COLUMN SubType INTEGER NOT NULL DEFAULT 0; ALTER TABLE DavItems ADD COLUMN FileBlobId TEXT; ALTER TABLE DavItems ADD COLUMN HistoryItemId TEXT; ALTER TABLE DavItems ADD COLUMN NzbBlobId TEXT;
            CREATE TABLE NzbNames (Id TEXT NOT NULL PRIMARY KEY, FileName TEXT NOT NULL);
            CREATE TABLE DavCleanupItems (Id TEXT NOT NULL PRIMARY KEY);
            CREATE TABLE HistoryCleanupItems (Id TEXT NOT NULL PRIMARY KEY, DeleteMountedFiles INTEGER NOT NULL);
            """),
        (NzbdavEra.Infinidysk, "20260916120000_Add-Urgent-Repair-Failures",
            "ALTER TABLE DavItems ADD COLUMN GeneratedStrmPath TEXT; ALTER TABLE DavItems ADD COLUMN ArrDownloadId TEXT; ALTER TABLE " +
            "QueueItems ADD COLUMN SortOrder INTEGER;"),
    ];

    private readonly NzbdavEra _era;
    private readonly bool _second;
    private readonly SqliteConnection _connection;
    private readonly Dictionary<string, Guid> _categories = new(StringComparer.Ordinal);

    /// <param name="folder">The folder to build it in.</param>
    /// <param name="era">The version.</param>
    /// <param name="second">Builds an nzbdav2 library, which was forked from 0.5.</param>
    public NzbdavFixture(string folder, NzbdavEra era, bool second = false)
    {
        SQLitePCL.Batteries_V2.Init();
        (Folder, _era, _second) = (folder, era, second);
        Directory.CreateDirectory(folder);
        _connection = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = Database, Pooling = false }.ToString());
        _connection.Open();
        _connection.Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
        foreach (var (_, step, sql) in Steps.Where(step => step.Era <= era))
        {
            _connection.Execute(sql);
            _connection.Execute("INSERT INTO __EFMigrationsHistory VALUES (@step, '10.0.0')", new { step });
        }

        if (second)
            _connection.Execute("""
                INSERT INTO __EFMigrationsHistory VALUES ('20251129055221_AddBandwidthSamples', '10.0.0');
                CREATE TABLE LocalLinks (LinkPath TEXT NOT NULL PRIMARY KEY, DavItemId TEXT NOT NULL);
                ALTER TABLE DavNzbFiles ADD COLUMN SegmentSizes BLOB; ALTER TABLE DavNzbFiles ADD COLUMN SegmentFallbacks TEXT;
                ALTER TABLE HistoryItems ADD COLUMN NzbContents TEXT;
                """);
        foreach (var (number, name) in ((int, string)[])[(0, "/"), (1, "nzbs"), (2, "content"), (3, "completed-symlinks"), (4, ".ids")])
            Insert(Root(number), number == 0 ? null : Root(0), name, null, number == 0 ? 102 : 102 + number);
    }

    public string Folder { get; }

    public string Database => Path.Combine(Folder, "db.sqlite");

    /// <summary>The connection, for tests that damage the database.</summary>
    public SqliteConnection Connection => _connection;

    /// <summary>Adds a release.</summary>
    /// <param name="category">Its category.</param>
    /// <param name="name">Its folder.</param>
    /// <param name="nzb">Its .nzb, if the version keeps it.</param>
    /// <param name="nzbName">The file name of the .nzb.</param>
    /// <param name="files">Its files.</param>
    /// <returns>The folder's id.</returns>
    public Guid Add(string category, string name, byte[]? nzb, string? nzbName, params FixtureFile[] files)
    {
        if (!_categories.TryGetValue(category, out var parent))
            Insert(_categories[category] = parent = Guid.NewGuid(), Root(2), category, null, 101);
        var folder = Guid.NewGuid();
        Insert(folder, parent, name, null, 101);
        Guid? blob = nzb is null || _era < NzbdavEra.Blobs ? null : Guid.NewGuid();
        if (blob is { } kept)
        {
            WriteBlob(kept, nzb!);
            _connection.Execute("INSERT INTO NzbNames VALUES (@id, @nzbName)", new { id = Text(kept), nzbName = nzbName ?? name + ".nzb" });
        }

        var folders = new Dictionary<string, Guid>(StringComparer.Ordinal) { [""] = folder };
        foreach (var file in files)
        {
            var slash = file.Name.LastIndexOf('/');
            var above = slash < 0 ? "" : file.Name[..slash];
            if (!folders.TryGetValue(above, out var at))
                Insert(folders[above] = at = Guid.NewGuid(), folder, above, null, 101);
            AddFile(at, file with { Name = file.Name[(slash + 1)..] }, blob);
        }

        return folder;
    }

    /// <summary>Adds the history entry of a release, as an *arr sees it before its import.</summary>
    /// <param name="folder">The release.</param>
    /// <param name="category">Its category.</param>
    /// <param name="name">Its folder.</param>
    /// <param name="nzb">nzbdav2: the .nzb.</param>
    /// <returns>The <c>nzo_id</c>.</returns>
    public string Finish(Guid folder, string category, string name, byte[]? nzb = null)
    {
        var kept = _era >= NzbdavEra.Blobs ? _connection.ExecuteScalar<string?>(
            "SELECT NzbBlobId FROM DavItems WHERE ParentId = @folder AND NzbBlobId IS NOT NULL", new { folder = Text(folder) }) : null;
        var id = kept ?? Text(Guid.NewGuid());
        _connection.Execute(
            "INSERT INTO HistoryItems (Id, CreatedAt, FileName, JobName, Category, DownloadStatus) VALUES (@id, '2025-09-01 12:00:00', " +
            "@file, @name, @category, 1)", new { id, file = name + ".nzb", name, category });
        if (_era >= NzbdavEra.Multipart)
            _connection.Execute("UPDATE HistoryItems SET DownloadDirId = @folder WHERE Id = @id", new { id, folder = Text(folder) });
        if (_era >= NzbdavEra.Blobs)
            _connection.Execute("UPDATE DavItems SET HistoryItemId = @id WHERE ParentId = @folder", new { id, folder = Text(folder) });
        if (nzb is not null)
            _connection.Execute(
                "UPDATE HistoryItems SET NzbContents = @text WHERE Id = @id", new { id, text = Packed(Encoding.UTF8.GetString(nzb)) });
        return id.ToLowerInvariant();
    }

    /// <summary>Adds a waiting job.</summary>
    public Guid Queue(string category, string name, byte[] nzb)
    {
        var id = Guid.NewGuid();
        _connection.Execute("INSERT INTO QueueItems (Id, FileName, JobName, Category, Priority) VALUES (@id, @file, @name, @category, 0)",
            new { id = Text(id), file = name + ".nzb", name, category });
        if (_era >= NzbdavEra.Blobs)
            WriteBlob(id, nzb);
        else if (_era >= NzbdavEra.QueueTexts)
            _connection.Execute(
                "INSERT INTO QueueNzbContents VALUES (@id, @text)", new { id = Text(id), text = Packed(Encoding.UTF8.GetString(nzb)) });
        else
            _connection.Execute(
                "UPDATE QueueItems SET NzbContents = @text WHERE Id = @id", new { id = Text(id), text = Encoding.UTF8.GetString(nzb) });
        return id;
    }

    public void Configure(string name, string value) =>
        _connection.Execute("INSERT INTO ConfigItems VALUES (@name, @value)", new { name, value });

    /// <summary>The path of a blob.</summary>
    public string BlobPath(Guid id)
    {
        var name = id.ToString("D");
        return Path.Combine(Folder, "blobs", name[..2], name[2..4], name);
    }

    /// <summary>Adds many items in one transaction.</summary>
    public void InTransaction(Action add)
    {
        _connection.Execute("BEGIN IMMEDIATE");
        add();
        _connection.Execute("COMMIT TRANSACTION");
    }

    public void Dispose() => _connection.Dispose();

    private static Guid Root(int number) => Guid.Parse($"00000000-0000-0000-0000-00000000000{number}");

    private static string Text(Guid id) => id.ToString("D").ToUpperInvariant();

    /// <summary>JSON as EF writes it: '+' is escaped.</summary>
    private static string Json<T>(T value) => JsonSerializer.Serialize(value);

    /// <summary>nzbdav2 compresses texts.</summary>
    private string Packed(string text) => _second ? "ZSTD:" + Convert.ToBase64String(Zstd(Encoding.UTF8.GetBytes(text))) : text;

    private void AddFile(Guid parent, FixtureFile file, Guid? nzb)
    {
        var blob = _era >= NzbdavEra.Blobs && !file.KeepsRow;
        var kind = !file.IsPacked ? 201 : _era == NzbdavEra.First ? 202 : 203;
        var blobId = Guid.NewGuid();
        Insert(file.Id, parent, file.Name, file.Size, kind, blob ? blobId : null, nzb);
        if (blob)
        {
            WriteBlob(blobId, Zstd(kind == 201 ? PackPlain(blobId, file) : PackMultipart(blobId, file)));
            return;
        }

        // One id in lower case on purpose: later versions rewrote some.
        var id = file.Name.Contains("lower", StringComparison.Ordinal) ? file.Id.ToString("D") : Text(file.Id);
        switch (kind)
        {
            case 201:
                _connection.Execute(
                    "INSERT INTO DavNzbFiles (Id, SegmentIds) VALUES (@id, @json)", new { id, json = Packed(Json(file.Parts[0].Ids)) });
                break;
            case 202:
                _connection.Execute(
                    "INSERT INTO DavRarFiles VALUES (@id, @json)", new
                    {
                        id,
                        json = Json(file.Parts.Select(part =>
                    new { SegmentIds = part.Ids, PartSize = part.Size, Offset = part.Start, ByteCount = part.End - part.Start }))
                    });
                break;
            default:
                var parts = file.Parts.Select(part => new
                {
                    SegmentIds = part.Ids,
                    SegmentIdByteRange = new { StartInclusive = 0L, EndExclusive = part.Size, Count = part.Size },
                    FilePartByteRange = new { StartInclusive = part.Start, EndExclusive = part.End, Count = part.End - part.Start },
                });
                object? aes = file.IsEncrypted ? new { DecodedSize = file.Size, Iv = new byte[16], Key = new byte[32] } : null;
                _connection.Execute(
                    "INSERT INTO DavMultipartFiles VALUES (@id, @json)",
                    new
                    {
                        id,
                        json = Packed(file.IsObfuscated ? Json(new
                        {
                            AesParams = aes,
                            FileParts = parts,
                            ObfuscationKey = new byte[] { 7 }
                        }) : Json(new { AesParams = aes, FileParts = parts }))
                    });
                break;
        }
    }

    private byte[] PackPlain(Guid id, FixtureFile file)
    {
        var ids = MemoryPackText.Array(file.Parts[0].Ids.Select(MemoryPackText.Text));

        // InfiniDysk: ranges, other ids, missing ones.
        return _era == NzbdavEra.Infinidysk
            ? MemoryPackText.Object(
                MemoryPackText.Id(id), ids, MemoryPackText.Array([]), MemoryPackText.Array([]), MemoryPackText.Array([]))
            : MemoryPackText.Object(MemoryPackText.Id(id), ids);
    }

    private byte[] PackMultipart(Guid id, FixtureFile file)
    {
        static byte[] Range(long start, long end) => MemoryPackText.Object(MemoryPackText.Number(start), MemoryPackText.Number(end));
        var aes = file.IsEncrypted ? MemoryPackText.Object(
            MemoryPackText.Number(file.Size), MemoryPackText.Bytes(new byte[16]), MemoryPackText.Bytes(new byte[32])) : MemoryPackText.Null;
        var parts = MemoryPackText.Array(file.Parts.Select(part => MemoryPackText.Object(
            MemoryPackText.Array(part.Ids.Select(MemoryPackText.Text)), Range(0, part.Size), Range(part.Start, part.End))));
        var meta = _era == NzbdavEra.Infinidysk
            ? MemoryPackText.Object(aes, parts, MemoryPackText.Flag(file.IsLazy), MemoryPackText.Text(file.Name), MemoryPackText.Text(""),
                MemoryPackText.Array([]))
            : MemoryPackText.Object(aes, parts);
        return MemoryPackText.Object(MemoryPackText.Id(id), meta);
    }

    private static byte[] Zstd(byte[] bytes)
    {
        using var packed = new MemoryStream();
        using (var stream = new ZstandardWriteStream(packed, 3, length: null))
        {
            stream.Write(bytes);
            stream.Complete();
        }

        return packed.ToArray();
    }

    private void WriteBlob(Guid id, byte[] bytes)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(BlobPath(id))!);
        File.WriteAllBytes(BlobPath(id), bytes);
    }

    private void Insert(Guid id, Guid? parent, string name, long? size, int subType, Guid? fileBlob = null, Guid? nzb = null)
    {
        var type = subType switch { 101 or 102 or 103 or 104 => 1, 105 => 2, 201 => 3, 202 => 4, 106 => 5, _ => 6 };
        var row =
            new
            {
                id = Text(id),
                parent = parent is { } above ? Text(above) : null,
                name,
                size,
                type = _era >= NzbdavEra.Blobs ? subType / 100 : type,
                subType,
                fileBlob = fileBlob is { } blob
            ? Text(blob) : null,
                nzb = nzb is { } kept ? Text(kept) : null
            };
        _connection.Execute(
            _era >= NzbdavEra.Blobs
                ? "INSERT INTO DavItems (Id, ParentId, Name, FileSize, Type, SubType, CreatedAt, FileBlobId, NzbBlobId) VALUES (@id, " +
                    "@parent, @name, @size, @type, @subType, '2025-09-01 12:00:00', @fileBlob, @nzb)"
                : "INSERT INTO DavItems (Id, ParentId, Name, FileSize, Type, CreatedAt) VALUES (@id, @parent, @name, @size, @type, " +
                    "'2025-09-01 12:00:00')",
            row);
    }
}
