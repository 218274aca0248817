using System.Globalization;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Sqlite;

namespace NzbDav.Catalog.Backup;

/// <summary>A copy of the database at one moment, and a description of its contents.</summary>
/// <param name="Schema">The newest step of its schema.</param>
/// <param name="Rows">Rows by table.</param>
/// <param name="Blobs">The blobs that it references.</param>
internal sealed record CatalogSnapshot(int Schema, IReadOnlyDictionary<string, long> Rows, IReadOnlyList<BlobHash> Blobs)
{
    /// <summary>Copies the database through SQLite: consistent while others write, and blocks nobody (WAL).</summary>
    /// <param name="options">Where it is.</param>
    /// <param name="target">A file that does not exist yet.</param>
    public static CatalogSnapshot Create(CatalogOptions options, string target)
    {
        // Create the file here, so that nobody else can read it; SQLite accepts an empty file.
        FileLink.Create(target).Dispose();
        using var source = SqliteEngine.Open(options, writable: false);
        using var copy = Connect(target);

        // One read transaction, so that the counts match the copy.
        source.Execute("BEGIN DEFERRED");
        var snapshot = Describe(source);
        source.BackupDatabase(copy);
        source.Execute("COMMIT");

        // A single file, without a log beside it.
        copy.Execute("PRAGMA journal_mode = DELETE");
        return snapshot;
    }

    /// <summary>Reads a whole copy and describes its contents.</summary>
    /// <exception cref="CatalogException">It is damaged.</exception>
    public static CatalogSnapshot Read(string path)
    {
        try
        {
            using var copy = Connect(path);
            var problems = SqliteEngine.Problems(copy);
            return problems.Count == 0 ? Describe(copy) : throw Damaged(problems[0]);
        }
        catch (SqliteException e)
        {
            throw Damaged(e.Message);
        }
    }

    /// <summary>Reads the copy again and compares it.</summary>
    /// <exception cref="CatalogException">It is damaged, or differs from what was copied.</exception>
    public void Verify(string path)
    {
        var found = Read(path);
        if (found.Schema != Schema || !SameRows(Rows, found.Rows) || found.Blobs.Count != Blobs.Count)
            throw Damaged("it does not hold the rows that were copied");
    }

    public static bool SameRows(IReadOnlyDictionary<string, long> left, IReadOnlyDictionary<string, long> right) =>
        left.Count == right.Count && left.All(table => right.TryGetValue(table.Key, out var rows) && rows == table.Value);

    private static CatalogSnapshot Describe(SqliteConnection connection)
    {
        var tables = connection.Query<string>(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").ToList();
        var rows = tables.ToDictionary(
            name => name, name => connection.ExecuteScalar<long>($"SELECT COUNT(*) FROM \"{name}\""), StringComparer.Ordinal);
        var hasBlobs = connection.ExecuteScalar<long>(
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'view' AND name = 'blob_references'") > 0;
        var blobs = hasBlobs ? connection.Query<string>("SELECT DISTINCT hash FROM blob_references").Select(BlobHash.Parse).ToList() : [];
        var schema = tables.Contains("migrations") ? connection.ExecuteScalar<int>("SELECT COALESCE(MAX(number), 0) FROM migrations") : 0;
        return new CatalogSnapshot(schema, rows, blobs);
    }

    private static SqliteConnection Connect(string path)
    {
        var connection = new SqliteConnection(
            new SqliteConnectionStringBuilder { DataSource = path, Mode = SqliteOpenMode.ReadWrite, Pooling = false }.ToString());
        try
        {
            connection.Open();
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private static CatalogException Damaged(string what) =>
        new(CatalogFault.Corrupt, string.Create(CultureInfo.InvariantCulture, $"The copy of the database is damaged: {what}."));
}
