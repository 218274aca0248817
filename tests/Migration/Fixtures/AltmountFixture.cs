using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Blobs;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>Builds a library of altmount as a given version leaves it on disk.</summary>
internal sealed class AltmountFixture
{
    public AltmountFixture(string folder, int schema = 34, string config = "")
    {
        SQLitePCL.Batteries_V2.Init();
        Folder = folder;
        Directory.CreateDirectory(Path.Combine(folder, "metadata"));
        File.WriteAllText(
            Path.Combine(folder, "config.yaml"), "metadata:\n  root_path: /config/metadata\nmount_path: /mnt/altmount\n" + config);
        using var connection = Open();
        connection.Execute("""
            CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TEXT);
            CREATE TABLE import_queue (id INTEGER PRIMARY KEY, nzb_path TEXT, relative_path TEXT, storage_path TEXT, priority INTEGER, status TEXT, created_at TEXT, category TEXT, file_size INTEGER, error_message TEXT, metadata TEXT);
            CREATE TABLE file_health (id INTEGER PRIMARY KEY, file_path TEXT, status TEXT, library_path TEXT);
            CREATE TABLE users (id INTEGER PRIMARY KEY, user_id TEXT, name TEXT, provider TEXT, password_hash TEXT, api_key TEXT, is_admin INTEGER);
            """);
        if (schema >= 14)
            connection.Execute(
                "CREATE TABLE import_history (id INTEGER PRIMARY KEY, nzb_name TEXT, file_name TEXT, file_size INTEGER, virtual_path " +
                "TEXT, category TEXT, completed_at TEXT)");
        if (schema >= 19)
            connection.Execute(
                "ALTER TABLE import_queue ADD COLUMN download_id TEXT; ALTER TABLE import_history ADD COLUMN download_id TEXT");
        connection.Execute("INSERT INTO goose_db_version (version_id, is_applied) VALUES (@schema, 1)", new { schema });
    }

    public string Folder { get; }

    public string Database => Path.Combine(Folder, "altmount.db");

    /// <summary>Adds a file of version 1, which lists its own articles.</summary>
    /// <param name="path">The path in the tree.</param>
    /// <param name="size">The file's size.</param>
    /// <param name="segments">The file's articles.</param>
    /// <param name="change">Adds further fields.</param>
    public void AddFirst(
        string path, long size, IEnumerable<(string Id, long Size, long Start, long Last)> segments, Action<ProtobufText>? change = null)
    {
        var meta = new ProtobufText().Number(1, size).Number(3, 1);
        change?.Invoke(meta);
        foreach (var (id, decoded, start, last) in segments)
            meta.Bytes(9, new ProtobufText().Number(1, decoded).Number(3, start).Number(4, last).Text(5, id).ToArray());
        Write(path, meta.ToArray());
    }

    /// <summary>Adds a file of version 3, whose articles are in a store.</summary>
    public void AddThird(string path, long size, string store, IEnumerable<(long Index, long Size, long Start, long Last)> references,
        Action<ProtobufText>? change = null)
    {
        var meta = new ProtobufText().Number(1, size).Number(3, 1).Text(18, store);
        change?.Invoke(meta);
        foreach (var (index, decoded, start, last) in references)
            meta.Bytes(19, new ProtobufText().Number(1, index).Number(2, start).Number(3, last).Number(4, decoded).ToArray());
        Write(path, [0x00, 0x41, 0x4D, 0x33, 0x01, .. meta.ToArray()]);
    }

    /// <summary>Writes a store.</summary>
    /// <returns>The store's path inside the container.</returns>
    public string AddStore(string name, IEnumerable<PostedFile> files)
    {
        var store = new ProtobufText();
        foreach (var file in files)
        {
            var entry = new ProtobufText().Text(1, file.Subject).Text(2, "poster@example.com").Number(3, 1_700_000_000)
                .Text(4, "alt.binaries.test");
            foreach (var segment in file.Segments)
                entry.Bytes(
                    5, new ProtobufText().Text(1, segment.MessageId).Number(2, segment.Number).Number(3, segment.EncodedSize).ToArray());
            store.Bytes(1, entry.ToArray());
        }

        var path = Path.Combine(Folder, ".nzbs", name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using var target = File.Create(path);
        using (var packed = new ZstandardWriteStream(target, 3, length: null))
        {
            packed.Write(store.ToArray());
            packed.Complete();
        }

        return "/config/.nzbs/" + name;
    }

    /// <summary>Adds a row to the queue, where completed imports stay until an *arr deletes them.</summary>
    /// <param name="id">The row's id.</param>
    /// <param name="nzb">The .nzb's path inside the container.</param>
    /// <param name="category">The category.</param>
    /// <param name="status">Such as <c>pending</c>.</param>
    /// <param name="storage">The file or folder of a completed import.</param>
    /// <param name="downloadId">The <c>nzo_id</c>, from version 19 on.</param>
    public void Queue(int id, string nzb, string category, string status, string? storage = null, string? downloadId = null)
    {
        using var connection = Open();
        connection.Execute(
            "INSERT INTO import_queue (id, nzb_path, category, status, storage_path) VALUES (@id, @nzb, @category, @status, @storage)",
            new { id, nzb, category, status, storage });
        if (downloadId is not null)
            connection.Execute("UPDATE import_queue SET download_id = @downloadId WHERE id = @id", new { id, downloadId });
    }

    /// <summary>Adds a user with an API key.</summary>
    public void AddUser(string key)
    {
        using var connection = Open();
        connection.Execute("INSERT INTO users (user_id, name, api_key, is_admin) VALUES (@key, @key, @key, 1)", new { key });
    }

    /// <summary>The Guid that a file had in nzbdav.</summary>
    public void SetId(string path, Guid id) => File.WriteAllText(MetaPath(path) + ".id", id.ToString("D"));

    public string MetaPath(string path) => Path.Combine(Folder, "metadata", path + ".meta");

    public SqliteConnection Open()
    {
        var connection = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = Database, Pooling = false }.ToString());
        connection.Open();
        return connection;
    }

    private void Write(string path, byte[] bytes)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(MetaPath(path))!);
        File.WriteAllBytes(MetaPath(path), bytes);
    }
}
