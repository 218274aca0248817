using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Database;

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
                throw new MigrationException($"{path} is no SQLite database, or its beginning is damaged. Restore it from a backup of the other program.");
        }

        var log = new FileInfo(path + "-wal");
        return new DatabaseHead(head[18] == 2, log.Exists && log.Length > 0, File.Exists(path + "-shm"));
    }
}
