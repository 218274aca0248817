using NzbDav.Migration.Database;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Nzbdav;

/// <summary>The program of the family that wrote a database, and its schema.</summary>
/// <param name="Product">The program.</param>
/// <param name="Migration">The last step of its schema.</param>
internal sealed record NzbdavSchema(string Product, string Migration)
{
    /// <summary>The newest schema found in the programs' sources: InfiniDysk's of 2026-09-16.</summary>
    private const string Newest = "20260916120000";

    /// <summary>A schema step that only nzbdav2 has.</summary>
    private const string SecondMark = "20251129055221";

    /// <summary>nzbdav's own last step; later ones are InfiniDysk's.</summary>
    private const string LastOfNzbdav = "20260407215451";

    private const int StampLength = 14;

    /// <exception cref="MigrationException">The schema is newer than all known versions.</exception>
    public static NzbdavSchema Of(OldDatabase database)
    {
        database.Require("nzbdav or InfiniDysk", "__EFMigrationsHistory", "DavItems", "ConfigItems");
        var steps = database.List<string?>("SELECT MigrationId FROM __EFMigrationsHistory").OfType<string>()
            .Where(step => step.Length > StampLength).Order(StringComparer.Ordinal).ToArray();
        if (steps.Length == 0)
            throw new MigrationException(
                $"{database.Path} does not say which version it is: __EFMigrationsHistory is empty. Start the other program once, so " +
                $"that it brings its database up to date, and run the command again.");
        var last = steps[^1];
        if (Array.Exists(steps, step => step.StartsWith(SecondMark, StringComparison.Ordinal)))
            return new NzbdavSchema("nzbdav2", last);
        if (string.CompareOrdinal(last[..StampLength], Newest) > 0)
            throw new MigrationException(
                $"{database.Path} has the schema {last}, which is newer than {Newest}, the newest that this version of NzbDav knows. " +
                $"Update NzbDav and run the command again.");
        return new NzbdavSchema(string.CompareOrdinal(last[..StampLength], LastOfNzbdav) > 0 ? "InfiniDysk" : "nzbdav", last);
    }
}
