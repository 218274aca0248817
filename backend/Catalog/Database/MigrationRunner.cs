using System.Globalization;
using Dapper;
using Microsoft.Data.Sqlite;

namespace NzbDav.Catalog;

/// <summary>Brings a database to the newest schema, one numbered step after the other, each in a transaction of its own.</summary>
internal sealed class MigrationRunner(IReadOnlyList<Migration> migrations, TimeProvider time)
{
    private const string Prefix = "NzbDav.Catalog.Migrations.";

    /// <summary>The steps that came with this version of the program: resources <c>Migrations/0001_initial.sql</c> and so on.</summary>
    public static IReadOnlyList<Migration> Embedded()
    {
        var assembly = typeof(MigrationRunner).Assembly;
        var found = new List<Migration>();
        foreach (var resource in assembly.GetManifestResourceNames().Where(name => name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            var name = Path.GetFileNameWithoutExtension(resource[Prefix.Length..]);
            using var reader = new StreamReader(assembly.GetManifestResourceStream(resource)!);
            found.Add(new Migration(int.Parse(name.AsSpan(0, 4), CultureInfo.InvariantCulture), name, reader.ReadToEnd()));
        }

        found.Sort((left, right) => left.Number.CompareTo(right.Number));
        return found;
    }

    /// <summary>The schema of an existing database for which there are newer steps, and the newest of them; null if nothing would change, or if it is a new one.</summary>
    public (int From, int To)? Pending(SqliteConnection connection)
    {
        if (connection.ExecuteScalar<int>("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'") == 0)
            return null;
        var applied = connection.Query<int>("SELECT number FROM migrations").ToHashSet();
        var isUpgrade = applied.Count > 0 && applied.All(number => migrations.Any(migration => migration.Number == number)) && migrations.Any(migration => !applied.Contains(migration.Number));
        return isUpgrade ? (applied.Max(), migrations[^1].Number) : null;
    }

    /// <summary>Applies what is missing. Several processes may call this at once.</summary>
    /// <exception cref="CatalogException">The database has steps that this version does not know.</exception>
    public void Run(SqliteConnection connection)
    {
        for (var more = true; more;)
        {
            // The write lock is taken first, so that of two processes one migrates and the other finds the work done.
            SqliteEngine.Begin(connection);
            try
            {
                more = RunOne(connection);
                SqliteEngine.Commit(connection);
            }
            catch
            {
                SqliteEngine.RollBack(connection);
                throw;
            }
        }
    }

    /// <summary>True if there is more to do.</summary>
    private bool RunOne(SqliteConnection connection)
    {
        connection.Execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied INTEGER NOT NULL)");
        // Numbers may have gaps, and a step may come to a database that has later ones already: branches are merged in any order.
        var applied = connection.Query<int>("SELECT number FROM migrations").ToHashSet();
        var unknown = applied.Where(number => migrations.All(migration => migration.Number != number)).DefaultIfEmpty(0).Max();
        if (unknown > 0)
            throw Newer(unknown);
        var missing = migrations.Where(migration => !applied.Contains(migration.Number)).ToList();
        if (missing.Count == 0)
            return false;
        var next = missing[0];
        connection.Execute(next.Sql);
        connection.Execute(
            "INSERT INTO migrations (number, name, applied) VALUES (@Number, @Name, @Applied)",
            new { next.Number, next.Name, Applied = time.GetUtcNow().UtcTicks });
        return missing.Count > 1;
    }

    private CatalogException Newer(int applied) => new(
        CatalogFault.NewerVersion,
        string.Create(CultureInfo.InvariantCulture, $"The database has schema {applied}, and this version of NzbDav knows schemas up to {(migrations.Count > 0 ? migrations[^1].Number : 0)}. Run the version that made it or a newer one, or put back a backup from before the upgrade."));
}
