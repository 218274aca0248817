using System.Data.Common;
using System.Globalization;
using System.Text.RegularExpressions;
using Dapper;

namespace NzbDav.Catalog.Database;

/// <summary>Upgrades a database to the newest schema, one numbered step after the other, in one transaction.</summary>
internal sealed partial class MigrationRunner(CatalogEngine engine, IReadOnlyList<Migration> migrations, TimeProvider time)
{
    private const string Server = "Postgres";

    /// <summary>
    /// The steps for one engine that ship with this version of the program: resources <c>Migrations/0001_initial.sql</c> and so on, written
    /// for SQLite, and those of <c>Migrations/ENGINE</c>, which replace them or add to them.
    /// </summary>
    public static IReadOnlyList<Migration> Embedded(string engine)
    {
        const string Prefix = "NzbDav.Catalog.Migrations.";
        var own = $"{Prefix}{engine}.";
        var assembly = typeof(MigrationRunner).Assembly;
        var steps = new SortedDictionary<int, Migration>();
        foreach (var resource in assembly.GetManifestResourceNames())
        {
            var isOwn = resource.StartsWith(own, StringComparison.Ordinal);
            if (!isOwn && !(resource.StartsWith(Prefix, StringComparison.Ordinal) && char.IsAsciiDigit(resource[Prefix.Length])))
                continue;
            var name = Path.GetFileNameWithoutExtension(resource[(isOwn ? own : Prefix).Length..]);
            var number = int.Parse(name.AsSpan(0, 4), CultureInfo.InvariantCulture);
            if (!isOwn && steps.ContainsKey(number))
                continue;
            using var reader = new StreamReader(assembly.GetManifestResourceStream(resource)!);
            var sql = reader.ReadToEnd();
            steps[number] = new Migration(number, name, isOwn || engine != Server ? sql : ForServer(sql));
        }

        return [.. steps.Values];
    }

    /// <summary>Translates a step from SQLite's SQL to PostgreSQL's. Text compares byte by byte in both.</summary>
    internal static string ForServer(string sql) => SqliteWords().Replace(sql, static match => match.Value switch
    {
        "INTEGER" => "BIGINT",
        "REAL" => "DOUBLE PRECISION",
        "BLOB" => "BYTEA",
        "TEXT" => "TEXT COLLATE \"C\"",
        ") WITHOUT ROWID" => ")",
        var reference => reference + " DEFERRABLE",
    });

    [GeneratedRegex(
        @"\b(INTEGER|REAL|BLOB|TEXT)\b|\) WITHOUT ROWID\b|\bREFERENCES \w+ \(\w+\)( ON DELETE (CASCADE|SET NULL))?",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex SqliteWords();

    /// <summary>
    /// Applies the missing steps, all or none. Several processes may call this at once: one does the work, and the others find it done.
    /// </summary>
    /// <param name="connection">A write connection without a transaction.</param>
    /// <param name="beforeUpgrade">Called with the schema of an existing database and the newest one, before the first step, while the
    /// write lock is held; not for a new database, nor when no step is missing.</param>
    /// <exception cref="CatalogException">The database has steps that this version does not know.</exception>
    public void Run(DbConnection connection, Action<int, int> beforeUpgrade)
    {
        // Takes the write lock first. All steps are one transaction, so nobody sees a schema between two versions.
        engine.LockSchema(connection);
        try
        {
            engine.Begin(connection);
            try
            {
                Apply(connection, beforeUpgrade);
                engine.Commit(connection, []);
            }
            catch
            {
                engine.RollBack(connection);
                throw;
            }
        }
        finally
        {
            engine.UnlockSchema(connection);
        }
    }

    private void Apply(DbConnection connection, Action<int, int> beforeUpgrade)
    {
        engine.PrepareMigrations(connection);
        // Numbers may have gaps, and a database may lack a step but have later ones: branches are merged in any order.
        var applied = connection.Query<int>("SELECT number FROM migrations").ToHashSet();
        var unknown = applied.Where(number => migrations.All(migration => migration.Number != number)).DefaultIfEmpty(0).Max();
        if (unknown > 0)
            throw Newer(unknown);
        var missing = migrations.Where(migration => !applied.Contains(migration.Number)).ToList();
        if (missing.Count > 0 && applied.Count > 0)
            beforeUpgrade(applied.Max(), migrations[^1].Number);
        foreach (var step in missing)
        {
            connection.Execute(step.Sql);
            connection.Execute(
                "INSERT INTO migrations (number, name, applied) VALUES (@Number, @Name, @Applied)",
                new { step.Number, step.Name, Applied = time.GetUtcNow().UtcTicks });
        }
    }

    private CatalogException Newer(int applied) => new(
        CatalogFault.NewerVersion,
        string.Create(
            CultureInfo.InvariantCulture,
            $"The database has schema {applied}, and this version of NzbDav knows schemas up to " +
            $"{(migrations.Count > 0 ? migrations[^1].Number : 0)}. Run the version that made it or a newer one, or put back a backup " +
            $"from before the upgrade."));
}

/// <summary>One step from a schema to the next.</summary>
/// <param name="Number">From 1 up, in the order of application; gaps are allowed.</param>
/// <param name="Name">For display.</param>
/// <param name="Sql">Statements, applied together or not at all.</param>
internal sealed record Migration(int Number, string Name, string Sql);
