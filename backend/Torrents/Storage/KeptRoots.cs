using System.Collections.Concurrent;
using System.Globalization;
using System.Text;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Distinguishes a folder whose disk is not mounted from one that lost files. Each folder of kept torrents has a file with an id at its
/// top, created before anything else is written there; the ids are recorded beside the torrents' records. A folder without its recorded id
/// counts as an empty mount point: nothing is written to it, and nothing that was in it counts as lost. Thread-safe.
/// </summary>
/// <param name="folder">Folder in which the ids are recorded; null: nothing is kept.</param>
internal sealed class KeptRoots(string? folder)
{
    /// <summary>Name of the file with the id. Not hidden, so that users move it along with the folder's contents.</summary>
    public const string IdFile = "nzbdav-folder.txt";

    private const string Text = "NzbDav knows by this file that the disk with its torrents is mounted. Do not remove it.";

    /// <summary>Most bytes read of an id file: an intact one has less than 200.</summary>
    private const int MostBytes = 4_096;

    /// <summary>Held while the record is changed. Taken after a folder's lock.</summary>
    private readonly Lock _gate = new();

    /// <summary>A lock for each folder: one whose disk hangs must not hold up the others.</summary>
    private readonly ConcurrentDictionary<string, Lock> _locks = new(StringComparer.Ordinal);

    private string Record => Path.Combine(folder!, "kept.folders");

    /// <summary>
    /// Why a folder cannot be used now: its disk is not mounted, or it cannot be read. Null: it can be used, or no id of it is recorded.
    /// </summary>
    public string? FindTrouble(string root)
    {
        try
        {
            if (Find(root) is not { } known)
                return null;
            var found = Read(root);
            return found == known ? null : (found is null
                ? $"'{root}' has no file '{IdFile}', so its disk seems not to be mounted."
                : $"'{root}' has the file '{IdFile}' of another folder, so another disk seems to be mounted.")
                + $" If it is to be used as it is, delete '{Record}'.";
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return $"'{root}' cannot be read: {error.Message}";
        }
    }

    /// <summary>
    /// Checks, before a file is created, that a folder's disk is mounted: its id is there. If none was ever recorded, records one.
    /// </summary>
    /// <exception cref="IOException">It is not mounted, or cannot be written to.</exception>
    public void Prepare(string root)
    {
        if (FindTrouble(root) is { } trouble)
            throw new IOException(trouble);
        lock (LockOf(root))
        {
            if (Find(root) is not null)
                return;
            Directory.CreateDirectory(root);
            Note(root, Read(root) ?? Write(root, NewId()));
        }
    }

    /// <summary>
    /// Call when a torrent's files were found in a folder, which proves that it is the right one. Records its id, and creates the id file
    /// again if it is gone. Ignores failures; the next call tries again.
    /// </summary>
    public void Confirm(string root)
    {
        try
        {
            lock (LockOf(root))
            {
                var known = Find(root);
                var found = Read(root) ?? Write(root, known ?? NewId());
                if (found != known)
                    Note(root, found);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The folder may be read-only. Without an id it is judged by its files only.
        }
    }

    private static string NewId() => Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture);

    /// <summary>The id in a folder; null if it has none.</summary>
    private static string? Read(string root)
    {
        try
        {
            using var file = File.OpenHandle(Path.Combine(root, IdFile));
            var bytes = new byte[MostBytes];
            var lines = Encoding.UTF8.GetString(bytes, 0, RandomAccess.Read(file, bytes, 0)).Split('\n', StringSplitOptions.TrimEntries);
            return Array.Find(lines, static line => Guid.TryParseExact(line, "N", out _));
        }
        catch (Exception error) when (BeneathFolder.IsGone(error))
        {
            return null;
        }
    }

    private static string Write(string root, string id)
    {
        using (var file = File.OpenHandle(Path.Combine(root, IdFile), FileMode.Create, FileAccess.Write))
        {
            RandomAccess.Write(file, Encoding.UTF8.GetBytes($"{Text}\n{id}\n"), 0);
            RandomAccess.FlushToDisk(file);
        }

        new BeneathFolder(root).FlushFolder(IdFile);
        return id;
    }

    /// <summary>The recorded id of a folder; null: none is recorded.</summary>
    private string? Find(string root) => Load().GetValueOrDefault(root);

    private Dictionary<string, string> Load()
    {
        var ids = new Dictionary<string, string>(StringComparer.Ordinal);
        if (folder is null)
            return ids;
        try
        {
            var parts = File.ReadAllText(Record).Split('\0');
            for (var i = 0; i + 1 < parts.Length; i += 2)
                ids[parts[i]] = parts[i + 1];
        }
        catch (Exception error) when (BeneathFolder.IsGone(error))
        {
            // No id is recorded yet.
        }

        return ids;
    }

    private Lock LockOf(string root) => _locks.GetOrAdd(root, static _ => new Lock());

    private void Note(string root, string id)
    {
        lock (_gate)
            NoteAlone(root, id);
    }

    private void NoteAlone(string root, string id)
    {
        var ids = Load();
        ids[root] = id;
        Directory.CreateDirectory(folder!);
        ResumeFile.Replace(Record, Encoding.UTF8.GetBytes(string.Concat(ids.Select(static pair => $"{pair.Key}\0{pair.Value}\0"))));
    }
}
