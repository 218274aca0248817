namespace NzbDav.Library;

/// <summary>What the tree shows beside the catalog. Immutable.</summary>
public sealed record LibraryOptions
{
    /// <summary>Where the people's mount of the tree's root is, as those see it who follow links: what <c>.rclonelink</c> files begin with. Absolute.</summary>
    public string MountPath { get; init; } = "/mnt/nzbdav";
}
