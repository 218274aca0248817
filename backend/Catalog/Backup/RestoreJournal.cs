using System.Text.Json;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// Names the folders that a restore swaps; written before the first of them moves. While the journal exists, the restore is decided and
/// must be completed, which the next process to open the configuration folder does.
/// </summary>
/// <param name="Made">Name of the folder with the new state.</param>
/// <param name="Former">Name of the folder for the old state.</param>
/// <param name="Names">Names of the files and folders in the new state.</param>
internal sealed record RestoreJournal(string Made, string Former, IReadOnlyList<string> Names)
{
    private const string FileName = "restore.journal";

    /// <summary>The files of a configuration folder that belong to a backup.</summary>
    private static readonly string[] State = ["nzbdav.sqlite", "nzbdav.sqlite-wal", "nzbdav.sqlite-shm", "blobs", "patches", "keys"];

    public static string PathIn(string folder) => Path.Combine(folder, FileName);

    /// <summary>Commits to the state in <paramref name="made"/>. Syncs everything in it before writing the journal.</summary>
    public static RestoreJournal Write(string folder, string made, string former)
    {
        var journal = new RestoreJournal(
            Path.GetFileName(made), Path.GetFileName(former), Array.FindAll(State, name => Path.Exists(Path.Combine(made, name))));
        DirectorySync.FlushFileSystem(made);
        using (var text = new MemoryStream(JsonSerializer.SerializeToUtf8Bytes(journal, BackupJson.Default.RestoreJournal)))
            FileLink.Write(text, PathIn(folder));
        DirectorySync.Flush(folder);
        return journal;
    }

    /// <summary>The journal of an interrupted restore; null if there is none.</summary>
    /// <exception cref="InvalidDataException">It cannot be read.</exception>
    public static RestoreJournal? Read(string folder)
    {
        var path = PathIn(folder);
        if (!File.Exists(path))
            return null;
        try
        {
            return JsonSerializer.Deserialize(File.ReadAllBytes(path), BackupJson.Default.RestoreJournal)
                ?? throw new InvalidDataException($"{path} is empty.");
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"{path} cannot be read.", e);
        }
    }

    /// <summary>Performs the remaining renames and removes the journal. Can be repeated after a crash at any point.</summary>
    /// <returns>True if there was an old state.</returns>
    public bool Complete(string folder, Action<string>? beforeStep)
    {
        var (made, former) = (Path.Combine(folder, Made), Path.Combine(folder, Former));
        foreach (var name in State)
        {
            // If a name is not in the new state, or has not been moved yet, its old version is still in place.
            var (place, next) = (Path.Combine(folder, name), Path.Combine(made, name));
            if (Names.Contains(name, StringComparer.Ordinal) && !Path.Exists(next))
                continue;
            if (Path.Exists(place))
            {
                FileLink.CreateFolder(former);
                Move(place, Path.Combine(former, name));
            }

            if (Path.Exists(next))
                Move(next, place);
        }

        DirectorySync.Flush(folder);
        beforeStep?.Invoke("journal");
        File.Delete(PathIn(folder));
        DirectorySync.Flush(folder);
        return Directory.Exists(former);

        void Move(string from, string to)
        {
            beforeStep?.Invoke(to);
            Directory.Move(from, to);
        }
    }
}
