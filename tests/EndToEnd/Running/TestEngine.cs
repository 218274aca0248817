using NzbDav.Catalog.Database;
#if POSTGRES
using System.Collections.Concurrent;
using NzbDav.Catalog.Database.Postgres;
using NzbDav.Fakes;
#endif

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>
/// The engine of the catalogs of servers whose test does not name one: SQLite, or PostgreSQL in the project that compiles the tests once
/// more. There each configuration folder has a database of its own, which goes with it. Thread-safe.
/// </summary>
internal static class TestEngine
{
#if POSTGRES
    /// <summary>True if the catalog is that of a database server.</summary>
    public static bool IsServer => true;

    /// <summary>Seconds after which the jobs of a gateway that was killed are taken over.</summary>
    public const string LeaseSeconds = "10";

    /// <summary>A database with the newest schema: a copy is made faster than a new one.</summary>
    private static readonly Lazy<string> Template = new(static () =>
    {
        var connection = PostgresServer.Shared.NewDatabase();
        var engine = new PostgresEngine(new CatalogOptions { ConfigFolder = "", Connection = connection });
        using var writer = engine.OpenWriter();
        new MigrationRunner(engine, engine.Migrations, TimeProvider.System).Run(writer, static (_, _) => { });
        return PostgresServer.NameOf(connection);
    });

    private static readonly ConcurrentDictionary<string, Lazy<string>> Databases = new(StringComparer.Ordinal);

    /// <summary>The connection string of a configuration folder's catalog; null: SQLite.</summary>
    public static string? ConnectionOf(string folder) =>
        Databases.GetOrAdd(folder, static _ => new Lazy<string>(static () => PostgresServer.Shared.NewDatabase(Template.Value))).Value;

    /// <summary>Drops the database of a configuration folder.</summary>
    public static void Drop(string folder)
    {
        if (Databases.TryRemove(folder, out var database))
            PostgresServer.Shared.Drop(database.Value);
    }
#else
    /// <summary>True if the catalog is that of a database server.</summary>
    public static bool IsServer => false;

    /// <summary>Seconds after which the jobs of a gateway that was killed are taken over; null: the default.</summary>
    public const string? LeaseSeconds = null;

    /// <summary>The connection string of a configuration folder's catalog; null: SQLite.</summary>
    /// <param name="folder">The folder.</param>
    public static string? ConnectionOf(string folder) => null;

    /// <summary>Drops the database of a configuration folder: it is in the folder.</summary>
    /// <param name="folder">The folder.</param>
    public static void Drop(string folder) => ArgumentNullException.ThrowIfNull(folder);
#endif

    /// <summary>How a test opens the catalog of a configuration folder beside the server.</summary>
    public static CatalogOptions Options(string folder) => new() { ConfigFolder = folder, Connection = ConnectionOf(folder) };
}
