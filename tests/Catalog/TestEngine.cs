using System.Data.Common;
using NzbDav.Catalog.Database;
#if POSTGRES
using Npgsql;
using NzbDav.Catalog.Database.Postgres;
#else
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Opening;
#endif
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests;

/// <summary>The engine that the tests run on: SQLite, or PostgreSQL in the project that compiles them once more.</summary>
internal static class TestEngine
{
#if POSTGRES
    /// <summary>Folder of its migrations.</summary>
    public const string Name = "Postgres";

    /// <summary>True if the database is a file, which is copied before an upgrade.</summary>
    public const bool IsFile = false;

    /// <summary>
    /// Ends the name of the file beside a configuration folder that holds its connection string, for all who open that catalog.
    /// </summary>
    private const string ConnectionSuffix = ".connection";

    /// <summary>A database with the newest schema: a copy is made faster than a new one.</summary>
    private static readonly Lazy<string> Template = new(static () =>
    {
        var connection = PostgresServer.Shared.NewDatabase();
        var engine = new PostgresEngine(new CatalogOptions { ConfigFolder = "", Connection = connection });
        using var writer = engine.OpenWriter();
        new MigrationRunner(engine, engine.Migrations, TimeProvider.System).Run(writer, static (_, _) => { });
        return PostgresServer.NameOf(connection);
    });

    /// <summary>The catalog of a configuration folder. A folder without one gets a database of its own.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="isNew">True: a new database is empty; false: it has the newest schema.</param>
    public static CatalogOptions Options(string folder, bool isNew = false)
    {
        var file = folder + ConnectionSuffix;
        if (!File.Exists(file))
            File.WriteAllText(file, PostgresServer.Shared.NewDatabase(isNew ? null : Template.Value));

        return new CatalogOptions { ConfigFolder = folder, Connection = File.ReadAllText(file) };
    }

    /// <summary>Makes a new catalog sooner than opening it would: the database is there already.</summary>
    public static Task PrepareAsync(CatalogOptions options) => Task.CompletedTask;

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

    /// <summary>A catalog with nothing in it.</summary>
    private static readonly FolderTemplate Template = new(static async folder =>
        await (await CatalogOpening.OpenAsync(new CatalogOptions { ConfigFolder = folder }, TimeProvider.System, CancellationToken.None))
            .DisposeAsync());

    /// <summary>The catalog of a configuration folder.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="isNew">Makes no difference: what is missing is made when it is opened.</param>
    public static CatalogOptions Options(string folder, bool isNew = false) => new() { ConfigFolder = folder };

    /// <summary>
    /// Makes a new catalog sooner than opening it would, by copying one. A folder that exists may be in the middle of a restore.
    /// </summary>
    public static Task PrepareAsync(CatalogOptions options) =>
        Directory.Exists(options.ConfigFolder) ? Task.CompletedTask : Template.CopyToAsync(options.ConfigFolder);

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
