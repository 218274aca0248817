using System.Text;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Where a torrent is kept: its folder, and which files in it are its own. This record is written beside the resume data before the first
/// file is created, so that exactly these files can be removed later without the .torrent. Immutable.
/// </summary>
/// <param name="Root">The folder of all kept torrents.</param>
/// <param name="Folder">The torrent's own folder in it.</param>
/// <param name="Files">Paths in that folder, joined with '/'; padding is left out.</param>
internal sealed record KeptPlace(string Root, string Folder, IReadOnlyList<string> Files)
{
    /// <summary>Ending of the record.</summary>
    public const string Ending = ".kept";

    /// <summary>Ending of the resume data.</summary>
    public const string ClaimsEnding = ".keptresume";

    /// <summary>
    /// Ending of a mark that exists while there may be unrecorded data on disk: a run that finds it follows one that was killed.
    /// </summary>
    public const string OpenEnding = ".keptopen";

    private const string Magic = "NzbDavK1";

    /// <summary>Reads the record of a torrent; null if it is not kept.</summary>
    /// <param name="path">Path of the record, without its ending.</param>
    /// <exception cref="IOException">It exists and cannot be read. If it counted as missing, the torrent would get another folder and be
    /// fetched again.</exception>
    /// <exception cref="UnauthorizedAccessException">The same.</exception>
    public static KeptPlace? Load(string path)
    {
        try
        {
            var lines = File.ReadAllText(path + Ending).Split('\0');
            return lines is [Magic, var root, var folder, .. var files] && files is [.., ""]
                ? new KeptPlace(root, folder, files[..^1])
                : throw new IOException($"'{path}{Ending}' is damaged. Delete it to keep the torrent in a new folder.");
        }
        catch (Exception error) when (BeneathFolder.IsGone(error))
        {
            return null;
        }
    }

    /// <summary>Finds a place for a torrent and writes the record.</summary>
    /// <param name="path">Path of the record, without its ending.</param>
    /// <param name="root">The folder of all kept torrents.</param>
    /// <param name="info">The torrent.</param>
    /// <param name="taken">True for a folder that another torrent has recorded; it need not exist yet.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public static KeptPlace Make(string path, string root, TorrentInfo info, Func<string, bool> taken)
    {
        var beneath = new BeneathFolder(root);
        var hash = info.Hash.ToString();
        var folder = new[] { info.Name, SafePath.Part(Encoding.UTF8.GetBytes($"{hash[..8]} {info.Name}")), hash }.First(
            name => name == hash || !(beneath.Contains(name) || taken(name)));
        var files = info.Files.Where(static file => !file.IsPadding).Select(static file => file.Path);
        var place = new KeptPlace(root, folder, Distinct(files));
        place.Save(path);
        return place;
    }

    /// <summary>
    /// Removes the torrent's own files, the folders that are then empty, its resume data and its record. Other files stay.
    /// </summary>
    /// <param name="path">Path of the record, without its ending.</param>
    /// <param name="roots">Checks whether its disk is mounted.</param>
    /// <exception cref="IOException">Not everything could be removed. The record still exists, so removal can be tried again.</exception>
    public void Delete(string path, KeptRoots roots)
    {
        var beneath = new BeneathFolder(Root);
        var (claims, mark) = (path + ClaimsEnding, path + OpenEnding);
        if (File.Exists(claims) || File.Exists(mark))
        {
            if (roots.FindTrouble(Root) is { } trouble)
                throw new IOException(trouble);
            if (beneath.IsEmpty())
            {
                throw new IOException(
                    $"'{Root}' is empty or not there: its disk may not be mounted. If the data is gone for good, delete '{path}{Ending}'.");
            }
        }

        // No removed file may be recorded as held. Renaming needs no space on a full disk.
        if (File.Exists(claims))
            File.Move(claims, mark, overwrite: true);
        foreach (var file in Files)
            beneath.Delete($"{Folder}/{file}");
        foreach (var above in Files.SelectMany(FoldersOf).Distinct(StringComparer.Ordinal)
            .OrderByDescending(static folder => folder.Length))
            beneath.DeleteFolder($"{Folder}/{above}");
        beneath.DeleteFolder(Folder);

        // The record goes last, so that an interrupted removal can be completed.
        File.Delete(mark);
        File.Delete(path + Ending);
    }

    /// <summary>Returns a place in which one file has another, unused name.</summary>
    /// <param name="file">Its index in <see cref="Files"/>.</param>
    public KeptPlace Rename(int file)
    {
        var taken = Files.ToHashSet(StringComparer.OrdinalIgnoreCase);
        var files = Files.ToArray();
        files[file] = Unused(files[file], taken);
        return this with { Files = files };
    }

    /// <summary>Makes the names of files distinct from each other and from folders, also on a disk that ignores case.</summary>
    private static string[] Distinct(IEnumerable<string> paths)
    {
        string[] names = [.. paths];
        var taken = names.SelectMany(FoldersOf).ToHashSet(StringComparer.OrdinalIgnoreCase);
        for (var i = 0; i < names.Length; i++)
        {
            if (taken.Contains(names[i]))
                names[i] = Unused(names[i], taken);
            taken.Add(names[i]);
        }

        return names;
    }

    private static string Unused(string path, HashSet<string> taken)
    {
        var dot = path.LastIndexOf('.');
        var (stem, ending) = dot > path.LastIndexOf('/') + 1 ? (path[..dot], path[dot..]) : (path, "");
        return Enumerable.Range(2, int.MaxValue - 2).Select(number => $"{stem} ({number}){ending}").First(name => !taken.Contains(name));
    }

    private static IEnumerable<string> FoldersOf(string file)
    {
        for (var slash = file.LastIndexOf('/'); slash > 0; slash = file.LastIndexOf('/', slash - 1))
            yield return file[..slash];
    }

    /// <summary>Writes the record.</summary>
    /// <param name="path">Path of the record, without its ending.</param>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Save(string path)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        ResumeFile.Replace(path + Ending, Encoding.UTF8.GetBytes(string.Join('\0', [Magic, Root, Folder, .. Files, ""])));
    }
}
