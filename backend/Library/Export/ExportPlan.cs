namespace NzbDav.Library.Export;

/// <summary>The expected contents of a library.</summary>
/// <param name="Root">The export's folder.</param>
/// <param name="Folders">All folders that hold something, each behind the one above it, without the root.</param>
/// <param name="LeftOut">Files of the tree that have no place in it: neither videos nor music, where only these are exported.</param>
/// <param name="TooLong">Files whose paths no system can open.</param>
internal sealed record ExportPlan(ExportFolder Root, IReadOnlyList<ExportFolder> Folders, int LeftOut, IReadOnlyList<string> TooLong)
{
    /// <summary>Everything in it.</summary>
    public IEnumerable<ExportEntry> Entries => Folders.Prepend(Root).SelectMany(static folder => folder.Entries);
}

/// <summary>A folder of the library with its expected contents.</summary>
/// <param name="path">Below the export's folder; empty for that folder itself.</param>
/// <param name="above">The folder above; null for the export's folder.</param>
internal sealed class ExportFolder(string path, ExportFolder? above)
{
    public string Path => path;

    public ExportFolder? Above => above;

    /// <summary>What was found on the disk; null before the first check. Concurrent checks find the same.</summary>
    public DiskKind? Found { get; set; }

    public List<ExportEntry> Entries { get; } = [];

    public List<ExportFolder> Folders { get; } = [];

    /// <summary>The path of something in it.</summary>
    public string PathOf(string name) => path.Length == 0 ? name : path + "/" + name;
}

/// <summary>One small file that the library must contain. Immutable.</summary>
/// <param name="Id">The file in the tree.</param>
/// <param name="Form">What it is.</param>
/// <param name="Path">Where it goes: below the export's folder, parts joined with '/'.</param>
/// <param name="Name">The name of the file in the tree.</param>
/// <param name="Parent">The path of its collection in the tree, joined with '/'.</param>
/// <param name="CreatedTicks">When the file came into the tree, in ticks of UTC.</param>
internal sealed record ExportEntry(long Id, ExportForm Form, string Path, string Name, string Parent, long CreatedTicks)
{
    /// <summary>Where its name begins in <see cref="Path"/>.</summary>
    public string FileName => Path[(Path.LastIndexOf('/') + 1)..];
}

/// <summary>The form that a file of the tree takes in an exported library.</summary>
public enum ExportForm
{
    /// <summary><c>video.strm</c>: a text with an address.</summary>
    Address,

    /// <summary><c>video.mkv</c>: a symbolic link into a mount.</summary>
    Link,

    /// <summary><c>video.nfo</c>: what is known of a title, as media servers read it.</summary>
    Details,
}
