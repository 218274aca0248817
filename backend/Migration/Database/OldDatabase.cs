using System.Data;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Database;

/// <summary>
/// A SQLite database of another program, which may be running: read as of one moment. It is never changed, and no files are created beside
/// it. For one caller at a time.
/// </summary>
internal sealed class OldDatabase : IDisposable
{
    private readonly SqliteConnection _connection;
    private readonly DirectoryInfo? _copy;
    private readonly (long Length, DateTime Changed)? _seen;
    private readonly Dictionary<string, HashSet<string>> _columns = new(StringComparer.OrdinalIgnoreCase);

    private OldDatabase(string path, SqliteConnection connection, DirectoryInfo? copy, (long Length, DateTime Changed)? seen)
    {
        Path = path;
        _connection = connection;
        _copy = copy;
        _seen = seen;
    }

    /// <summary>The file.</summary>
    public string Path { get; }

    /// <summary>Opens it.</summary>
    /// <exception cref="MigrationException">It is no SQLite database, or cannot be read.</exception>
    public static OldDatabase Open(string path)
    {
        SQLitePCL.Batteries_V2.Init();
        try
        {
            return DatabaseHead.Read(path) switch
            {
                // No program has it open: without a log there is nothing to lock, and SQLite would create files beside it.
                { IsLogged: true, HasLog: false } => Immutable(path),

                // A program is running and shares its index of the log.
                { IsLogged: true, HasIndex: true } or { IsLogged: false } => InPlace(path) ?? Copied(path),
                _ => Copied(path),
            };
        }
        catch (SqliteException e)
        {
            throw Translate(path, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MigrationException($"{path} cannot be read: {e.Message} Run this command as a user who may read that folder.", e);
        }
    }

    /// <summary>True if there is such a table. A view does not count: it could compute anything.</summary>
    public bool HasTable(string table) => Columns(table).Count > 0;

    /// <summary>True if there is such a table with such a column.</summary>
    public bool HasColumn(string table, string column) => Columns(table).Contains(column);

    /// <summary>The column, or NULL in this version.</summary>
    public string ColumnOrNull(string table, string column) => HasColumn(table, column) ? column : "NULL";

    /// <exception cref="MigrationException">A table is missing.</exception>
    public void Require(string owner, params ReadOnlySpan<string> tables)
    {
        foreach (var table in tables)
        {
            if (!HasTable(table))
                throw new MigrationException(
                    $"{Path} has no table {table}: it is no database of {owner}, or it is damaged. Name the configuration folder of " +
                    $"{owner}, or restore its database from a backup.");
        }
    }

    /// <summary>All rows, in memory.</summary>
    /// <exception cref="MigrationException">The database is damaged.</exception>
    public List<T> List<T>(string sql, object? parameters = null)
    {
        try
        {
            return _connection.Query<T>(sql, parameters).AsList();
        }
        catch (Exception e) when (e is SqliteException or DataException or InvalidCastException or FormatException or OverflowException)
        {
            throw Translate(Path, e);
        }
    }

    /// <summary>Rows one by one, read by the caller.</summary>
    /// <exception cref="MigrationException">The database is damaged.</exception>
    public IEnumerable<T> Stream<T>(
        string sql, Func<SqliteDataReader, T> read, params IReadOnlyList<(string Name, object Value)> parameters)
    {
        using var command = _connection.CreateCommand();
        command.CommandText = sql;
        foreach (var (name, value) in parameters)
            command.Parameters.AddWithValue(name, value);
        using var reader = Guarded(command.ExecuteReader);
        while (Guarded(reader.Read))
            yield return Guarded(() => read(reader));
    }

    /// <summary>Copies it into a new file, without a log.</summary>
    /// <exception cref="MigrationException">The database is damaged, or there is no room for the copy.</exception>
    public void CopyTo(string path)
    {
        using var copy = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = path, Pooling = false }.ToString());
        Guarded(() =>
        {
            copy.Open();
            _connection.BackupDatabase(copy);
            return true;
        });
    }

    /// <summary>Checks, after reading without locks, that no program wrote in the meantime.</summary>
    /// <exception cref="MigrationException">A program did.</exception>
    public void ThrowIfChanged()
    {
        if (_seen is not { } seen)
            return;
        var file = new FileInfo(Path);
        if (!file.Exists || file.Length != seen.Length || file.LastWriteTimeUtc != seen.Changed || File.Exists(Path + "-wal"))
            throw new MigrationException(
                $"{Path} was changed while it was read. Run the command again; it continues where it stopped. It is quickest while the " +
                $"other program is stopped.");
    }

    public void Dispose()
    {
        _connection.Dispose();
        _copy?.Delete(recursive: true);
    }

    private static OldDatabase Immutable(string path)
    {
        var file = new FileInfo(path);
        var seen = (file.Length, file.LastWriteTimeUtc);
        return new OldDatabase(path, Connect("file:" + Uri.EscapeDataString(path)
            .Replace("%2F", "/", StringComparison.Ordinal) + "?immutable=1", SqliteOpenMode.ReadOnly), copy: null, seen);
    }

    /// <returns>Null when SQLite would have to write in order to read it.</returns>
    private static OldDatabase? InPlace(string path)
    {
        try
        {
            return new OldDatabase(path, Connect(path, SqliteOpenMode.ReadOnly), copy: null, seen: null);
        }
        catch (SqliteException e) when (e.SqliteErrorCode is SQLitePCL.raw.SQLITE_CANTOPEN or SQLitePCL.raw.SQLITE_READONLY)
        {
            return null;
        }
    }

    private static OldDatabase Copied(string path)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-migrate-");
        try
        {
            var copy = System.IO.Path.Combine(folder.FullName, "copy.sqlite");
            foreach (var suffix in (string[])["", "-wal", "-journal"])
            {
                if (File.Exists(path + suffix))
                    File.Copy(path + suffix, copy + suffix);
            }

            return new OldDatabase(path, Connect(copy, SqliteOpenMode.ReadWrite), folder, seen: null);
        }
        catch
        {
            folder.Delete(recursive: true);
            throw;
        }
    }

    /// <summary>Opens it and holds one transaction, so that all queries see one moment.</summary>
    private static SqliteConnection Connect(string source, SqliteOpenMode mode)
    {
        var connection = new SqliteConnection(
            new SqliteConnectionStringBuilder { DataSource = source, Mode = mode, Pooling = false, DefaultTimeout = 30 }.ToString());
        try
        {
            connection.Open();

            // Run nothing that the schema names: the file is untrusted.
            connection.Execute(
                "PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA query_only = ON; PRAGMA " +
                "temp_store = MEMORY;");
            connection.Execute("BEGIN DEFERRED");
            connection.ExecuteScalar<long>("SELECT COUNT(*) FROM sqlite_master");
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private static MigrationException Translate(string path, Exception e) =>
        e is SqliteException { SqliteErrorCode: SQLitePCL.raw.SQLITE_BUSY or SQLitePCL.raw.SQLITE_LOCKED }
        ? new MigrationException($"{path} is locked by another program. Stop that program and run the command again.", e)
        : new MigrationException(
            $"{path} is damaged: {e.Message} Restore it from a backup of the other program, or repair it with `sqlite3 " +
            $"{System.IO.Path.GetFileName(path)} .recover`.", e);

    private HashSet<string> Columns(string table)
    {
        if (!_columns.TryGetValue(table, out var columns))
        {
            var names = List<string>(
                "SELECT c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.name = @table " +
                "COLLATE NOCASE", new { table });
            _columns[table] = columns = new HashSet<string>(names, StringComparer.OrdinalIgnoreCase);
        }

        return columns;
    }

    private T Guarded<T>(Func<T> step)
    {
        try
        {
            return step();
        }
        catch (Exception e) when (e is SqliteException or InvalidCastException or FormatException or OverflowException)
        {
            throw Translate(Path, e);
        }
    }
}

/// <summary>Facts about a database needed before SQLite opens it.</summary>
/// <param name="IsLogged">True in WAL mode.</param>
/// <param name="HasLog">True when there is a log beside it that is not empty.</param>
/// <param name="HasIndex">True when there is a shared index of the log: a program has it open, or had when it was killed.</param>
internal readonly record struct DatabaseHead(bool IsLogged, bool HasLog, bool HasIndex)
{
    /// <exception cref="MigrationException">It is no SQLite database.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static DatabaseHead Read(string path)
    {
        // https://www.sqlite.org/fileformat2.html, "The Database Header": the magic text, and at 18 the write version, 2 for WAL.
        Span<byte> head = stackalloc byte[20];
        using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
        {
            if (file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) < head.Length || !head.StartsWith("SQLite format 3\0"u8))
                throw new MigrationException(
                    $"{path} is no SQLite database, or its beginning is damaged. Restore it from a backup of the other program.");
        }

        var log = new FileInfo(path + "-wal");
        return new DatabaseHead(head[18] == 2, log.Exists && log.Length > 0, File.Exists(path + "-shm"));
    }
}

/// <summary>
/// Copies a SQLite database as of one moment, even while a program writes to it. Changes nothing and creates no files beside it.
/// </summary>
public static class DatabaseCopy
{
    /// <param name="path">The database.</param>
    /// <param name="target">A file that does not exist.</param>
    /// <exception cref="MigrationException">The database cannot be read.</exception>
    public static void Make(string path, string target)
    {
        using var database = OldDatabase.Open(path);
        database.CopyTo(target);
        database.ThrowIfChanged();
    }
}
