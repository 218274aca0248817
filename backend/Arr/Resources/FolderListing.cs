namespace NzbDav.Arr.Resources;

/// <summary>
/// What an application sees in a folder. Of a folder that it cannot read, or that is not there, it answers empty lists (Sonarr's
/// FileSystemLookupService).
/// </summary>
public sealed record FolderListing
{
    /// <summary>The folders in it.</summary>
    public IReadOnlyList<DiskEntry> Directories { get; init; } = [];

    /// <summary>The files in it.</summary>
    public IReadOnlyList<DiskEntry> Files { get; init; } = [];
}

/// <summary>A file or folder on an application's disk.</summary>
public sealed record DiskEntry
{
    /// <summary>Path as the application sees it; that of a folder ends with a separator.</summary>
    public string Path { get; init; } = string.Empty;
}
