namespace NzbDav.Library.Export;

/// <summary>The planned contents of an exported library.</summary>
/// <param name="Root">The export's folder.</param>
/// <param name="Folders">All folders that contain something, each after the one above it, without the root.</param>
/// <param name="LeftOut">Number of files of the tree that are not exported: neither video nor music, where only these are exported.</param>
/// <param name="TooLong">Paths that are too long to be opened.</param>
internal sealed record ExportPlan(ExportFolder Root, IReadOnlyList<ExportFolder> Folders, int LeftOut, IReadOnlyList<string> TooLong)
{
    /// <summary>The entries of all folders.</summary>
    public IEnumerable<ExportEntry> Entries => Folders.Prepend(Root).SelectMany(static folder => folder.Entries);
}

/// <summary>A folder of the exported library with its planned contents.</summary>
/// <param name="path">Path below the exported folder; empty for that folder itself.</param>
/// <param name="above">The folder above; null for the exported folder.</param>
internal sealed class ExportFolder(string path, ExportFolder? above)
{
    public string Path => path;

    public ExportFolder? Above => above;

    /// <summary>Kind of item found at its path on the disk; null before the first check. Concurrent checks find the same.</summary>
    public DiskKind? Found { get; set; }

    public List<ExportEntry> Entries { get; } = [];

    public List<ExportFolder> Folders { get; } = [];

    /// <summary>The path of an item in it.</summary>
    public string PathOf(string name) => path.Length == 0 ? name : path + "/" + name;
}

/// <summary>One small file or link that the library must contain. Immutable.</summary>
/// <param name="Id">Id of the file in the tree.</param>
/// <param name="Form">Its form.</param>
/// <param name="Path">Path below the exported folder, parts joined with '/'.</param>
/// <param name="Name">The name of the file in the tree.</param>
/// <param name="Parent">The path of its collection in the tree, joined with '/'.</param>
/// <param name="CreatedTicks">When the file was added to the tree, in ticks of UTC.</param>
internal sealed record ExportEntry(long Id, ExportForm Form, string Path, string Name, string Parent, long CreatedTicks)
{
    /// <summary>The last part of <see cref="Path"/>.</summary>
    public string FileName => Path[(Path.LastIndexOf('/') + 1)..];
}

/// <summary>The form that a file of the tree takes in an exported library.</summary>
public enum ExportForm
{
    /// <summary><c>video.strm</c>: a text file with an address.</summary>
    Address,

    /// <summary><c>video.mkv</c>: a symbolic link into a mount.</summary>
    Link,

    /// <summary><c>video.nfo</c>: title, year or episode, as media servers read them.</summary>
    Details,
}
