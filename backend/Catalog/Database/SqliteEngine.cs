using System.Globalization;
using Dapper;
using Microsoft.Data.Sqlite;

namespace NzbDav.Catalog;

/// <summary>What only SQLite has: how a connection is opened, and what its errors mean. Another engine gets a file like this one.</summary>
internal static class SqliteEngine
{
    static SqliteEngine() => SQLitePCL.Batteries_V2.Init();

    public static string Version => SQLitePCL.raw.sqlite3_libversion().utf8_to_string();

    /// <summary>
    /// Opens a connection. WAL: readers never wait for the writer. synchronous=FULL for the writer: writes are rare, and a commit
    /// that was answered must survive a power cut (NORMAL would survive kill -9 only). mmap off: a disk error shall be an error
    /// code, not SIGBUS. No checkpoint inside a commit: <see cref="WalCheckpointer"/> makes them. Pooling off: the pool here keeps its connections, with their settings, open.
    /// </summary>
    public static SqliteConnection Open(CatalogOptions options, bool writable)
    {
        var text = new SqliteConnectionStringBuilder
        {
            DataSource = options.DatabasePath,
            Mode = SqliteOpenMode.ReadWriteCreate,
            Pooling = false,
            DefaultTimeout = Math.Max(1, (int)options.BusyTimeout.TotalSeconds),
        };
        var connection = new SqliteConnection(text.ToString());
        try
        {
            connection.Open();
            var milliseconds = ((long)options.BusyTimeout.TotalMilliseconds).ToString(CultureInfo.InvariantCulture);
            connection.Execute($"PRAGMA busy_timeout = {milliseconds}; PRAGMA mmap_size = 0; PRAGMA foreign_keys = ON;");
            if (writable)
                connection.Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 0;");
            else
                connection.Execute("PRAGMA query_only = ON;");
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Begins a transaction that holds the write lock from the start. Not through SqliteTransaction: on some errors (disk full) the engine
    /// rolls back by itself, and that class then throws from Dispose and hides the error.
    /// </summary>
    /// <param name="connection">For writing.</param>
    /// <param name="durable">False: the commit does not wait for the disk; a power cut may take it back, the end of the process does not.</param>
    public static void Begin(SqliteConnection connection, bool durable = true)
        => connection.Execute(durable ? "PRAGMA synchronous = FULL; BEGIN IMMEDIATE" : "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE");

    /// <summary>Marks where one of several works in a transaction begins.</summary>
    public static void Save(SqliteConnection connection) => connection.Execute("SAVEPOINT work");

    /// <summary>Ends what <see cref="Save"/> began.</summary>
    public static void Release(SqliteConnection connection, bool keep) => connection.Execute(keep ? "RELEASE work" : "ROLLBACK TO work; RELEASE work");

    /// <summary>False if the engine has rolled back by itself.</summary>
    public static bool IsInTransaction(SqliteConnection connection) => SQLitePCL.raw.sqlite3_get_autocommit(connection.Handle) == 0;

    public static void Commit(SqliteConnection connection) => connection.Execute("COMMIT");

    /// <summary>Rolls back if a transaction is open.</summary>
    /// <returns>False if that failed: the connection is of no use any more.</returns>
    public static bool RollBack(SqliteConnection connection)
    {
        try
        {
            if (IsInTransaction(connection))
                connection.Execute("ROLLBACK");
            return true;
        }
        catch (SqliteException)
        {
            return false;
        }
    }

    /// <summary>Pages that this connection has written to the log since it was opened.</summary>
    public static int PagesWritten(SqliteConnection connection)
    {
        const int CacheWrite = 9;
        return SQLitePCL.raw.sqlite3_db_status(connection.Handle!, CacheWrite, out var current, out _, 0) == 0 ? current : 0;
    }

    /// <summary>Carries what is in the log into the database, as far as no reader needs the log; waits for nobody.</summary>
    /// <returns>Pages in the log, and how many of them are in the database now.</returns>
    public static (int Log, int Done) Checkpoint(SqliteConnection connection)
    {
        var (_, log, done) = connection.QueryFirst<(int Busy, int Log, int Done)>("PRAGMA wal_checkpoint(PASSIVE)");
        return (log, done);
    }

    /// <summary>Changes whenever another connection has committed, of this process or of any other.</summary>
    public static long DataVersion(SqliteConnection connection) => connection.ExecuteScalar<long>("PRAGMA data_version");

    /// <summary>The condition that a column contains a text, byte by byte: less than half the time of LIKE over 100,000 names, and nothing has to be escaped.</summary>
    public static string Contains(string column, string parameter) => $"instr({column}, {parameter}) > 0";

    /// <summary>What is wrong with the file; empty if it is sound.</summary>
    public static IReadOnlyList<string> Problems(SqliteConnection connection)
    {
        List<string> problems = [.. connection.Query<string>("PRAGMA integrity_check").Where(line => line != "ok")];
        var broken = connection.Query("PRAGMA foreign_key_check").Count();
        if (broken > 0)
            problems.Add(string.Create(CultureInfo.InvariantCulture, $"{broken} rows refer to rows that do not exist"));
        return problems;
    }

    /// <summary>The typed exception for an engine error, or null for one that only a mistake in the program can cause.</summary>
    public static CatalogException? Translate(SqliteException error, CatalogOptions options)
    {
        // https://www.sqlite.org/rescode.html
        var path = options.DatabasePath;
        return error.SqliteErrorCode switch
        {
            11 or 26 => new(CatalogFault.Corrupt, $"{path} is damaged or is not a database. Stop NzbDav and put back the newest backup from '{options.BackupFolder}' (nzbdav restore FILE, which keeps what is there). Do not delete the file: without it the library is empty.", error),
            13 => new(CatalogFault.DiskFull, $"The disk that holds {path} is full. Free some space; nothing that was committed is lost.", error),
            3 or 8 or 14 or 23 => new(CatalogFault.NotWritable, $"{path} cannot be opened for writing. Check that '{options.ConfigFolder}' exists, is not read-only, and belongs to the user that runs NzbDav.", error),
            5 or 6 or 15 => new(CatalogFault.Busy, $"Another process keeps {path} locked. Wait for it to finish, or stop it, and try again.", error),
            10 => new(CatalogFault.Storage, $"The disk that holds {path} reported an error (code {error.SqliteExtendedErrorCode.ToString(CultureInfo.InvariantCulture)}). Check the disk and the system log.", error),
            _ => null,
        };
    }
}
