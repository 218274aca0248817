namespace NzbDav.Library;

/// <summary>What the tree shows beside the catalog. Bound once; immutable.</summary>
public sealed record LibraryOptions
{
    /// <summary>Where the people's mount of the tree's root is, as those see it who follow links: what <c>.rclonelink</c> files begin with. Absolute.</summary>
    public string MountPath { get; init; } = "/mnt/nzbdav";

    /// <summary>A folder on disk that is shown as <c>/scratch</c>, made if it is missing; null: there is none.</summary>
    public string? ScratchFolder { get; init; }
}
