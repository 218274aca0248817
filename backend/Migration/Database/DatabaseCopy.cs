using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Database;

/// <summary>Copies a SQLite database as of one moment, even while a program writes to it. Changes nothing and creates no files beside it.</summary>
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
