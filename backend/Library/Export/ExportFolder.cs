namespace NzbDav.Library.Export;

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
