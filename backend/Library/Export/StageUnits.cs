using System.Globalization;

namespace NzbDav.Library.Export;

/// <summary>
/// Assigns places in the staging folder to new files so that few renames move them into the library: the topmost missing folder moves as a
/// whole. Used once.
/// </summary>
/// <param name="disk">The folder.</param>
/// <param name="stage">The staging folder.</param>
/// <param name="decision">Knows which folders exist.</param>
internal sealed class StageUnits(IExportDisk disk, string stage, ExportDecision decision)
{
    private readonly Dictionary<ExportFolder, string> _staged = [];
    private readonly List<(string From, string To, ExportFolder Folder)> _folders = [];
    private int _count;

    /// <summary>The folders to rename. Each takes everything below it along.</summary>
    public IReadOnlyList<(string From, string To, ExportFolder Folder)> Folders => _folders;

    /// <summary>All folders that are new.</summary>
    public IReadOnlyCollection<ExportFolder> NewFolders => _staged.Keys;

    /// <summary>
    /// Assigns all places and creates the folders that contain other folders. Workers create those that contain only files.
    /// </summary>
    public List<StageGroup> Prepare(IEnumerable<PlannedWrite> writes)
    {
        var groups = new Dictionary<ExportFolder, StageGroup>();
        var single = new List<StageGroup>();
        foreach (var write in writes)
        {
            if (decision.KindOf(write.Folder) == DiskKind.Folder)
            {
                write.Staged = Next();
                single.Add(new StageGroup(null, MakesFolder: false) { Writes = { (write, write.Staged) } });
                continue;
            }

            if (!groups.TryGetValue(write.Folder, out var group))
                groups.Add(write.Folder, group = new StageGroup(Place(write.Folder), MakesFolder: true));
            group.Writes.Add((write, $"{group.Folder}/{write.Entry.FileName}"));
        }

        // A folder that exists only to contain others is in no group.
        var parents = _staged.Keys.Select(static folder => folder.Above).OfType<ExportFolder>().Where(_staged.ContainsKey).ToHashSet();
        foreach (var parent in parents.OrderBy(static folder => folder.Path.Length))
            disk.MakeFolder(_staged[parent]);
        return [.. groups.Select(pair => pair.Value with { MakesFolder = !parents.Contains(pair.Key) }), .. single];
    }

    private string Place(ExportFolder folder)
    {
        if (_staged.TryGetValue(folder, out var known))
            return known;
        string place;
        if (decision.KindOf(folder.Above!) == DiskKind.Folder)
        {
            place = Next();
            _folders.Add((place, folder.Path, folder));
        }
        else
        {
            place = $"{Place(folder.Above!)}/{folder.Path[(folder.Path.LastIndexOf('/') + 1)..]}";
        }

        _staged.Add(folder, place);
        return place;
    }

    private string Next() => string.Create(CultureInfo.InvariantCulture, $"{stage}/{_count++}");
}

/// <summary>One worker's unit of work: the files of one new folder, or one file of an existing folder.</summary>
/// <param name="Folder">Its place in the staging folder; null: the file has a place of its own there.</param>
/// <param name="MakesFolder">True if the worker creates the folder; otherwise it exists.</param>
internal sealed record StageGroup(string? Folder, bool MakesFolder)
{
    /// <summary>The files, each with its staged path below the exported folder.</summary>
    public List<(PlannedWrite Write, string Path)> Writes { get; } = [];
}
