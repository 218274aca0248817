using System.Data.Common;
using NzbDav.Catalog.Database;
#if POSTGRES
using Npgsql;
using NzbDav.Fakes;
#else
using Microsoft.Data.Sqlite;
#endif

namespace NzbDav.Catalog.Tests;

/// <summary>The engine that the tests run on: SQLite, or PostgreSQL in the project that compiles them once more.</summary>
internal static class TestEngine
{
#if POSTGRES
    /// <summary>Folder of its migrations.</summary>
    public const string Name = "Postgres";

    /// <summary>True if the database is a file, which is copied before an upgrade.</summary>
    public const bool IsFile = false;

    /// <summary>Ends the name of the file beside a configuration folder that holds its connection string, for all who open that catalog.</summary>
    private const string ConnectionSuffix = ".connection";

    /// <summary>The catalog of a configuration folder. A folder without one gets a schema of its own.</summary>
    public static CatalogOptions Options(string folder)
    {
        var file = folder + ConnectionSuffix;
        if (!File.Exists(file))
            File.WriteAllText(file, PostgresServer.Shared.NewSchema());

        return new CatalogOptions { ConfigFolder = folder, Connection = File.ReadAllText(file) };
    }

    /// <summary>A connection that bypasses the catalog.</summary>
    public static DbConnection Connect(CatalogOptions options)
    {
        var connection = new NpgsqlConnection(options.Connection);
        connection.Open();
        return connection;
    }

    /// <summary>Removes all that the database holds; nobody may have it open.</summary>
    public static void Empty(CatalogOptions options) => PostgresServer.Shared.Empty(options.Connection!);

    /// <summary>Removes what the folder does not hold.</summary>
    public static void Drop(CatalogOptions options)
    {
        PostgresServer.Shared.Drop(options.Connection!);
        File.Delete(options.ConfigFolder + ConnectionSuffix);
    }
#else
    /// <summary>Folder of its migrations.</summary>
    public const string Name = "Sqlite";

    /// <summary>True if the database is a file, which is copied before an upgrade.</summary>
    public const bool IsFile = true;

    /// <summary>The catalog of a configuration folder.</summary>
    public static CatalogOptions Options(string folder) => new() { ConfigFolder = folder };

    /// <summary>A connection that bypasses the catalog.</summary>
    public static DbConnection Connect(CatalogOptions options)
    {
        var connection = new SqliteConnection($"Data Source={options.DatabasePath};Pooling=False");
        connection.Open();
        return connection;
    }

    /// <summary>Removes all that the database holds; nobody may have it open.</summary>
    public static void Empty(CatalogOptions options)
    {
        foreach (var path in Directory.GetFiles(options.ConfigFolder, "nzbdav.sqlite*"))
            File.Delete(path);
    }

    /// <summary>Removes what the folder does not hold: nothing.</summary>
    public static void Drop(CatalogOptions options) => ArgumentNullException.ThrowIfNull(options);
#endif
}
