using NzbDav.Library.Filling;

namespace NzbDav.Library.Items;

/// <summary>Options of the tree. Immutable.</summary>
public sealed record LibraryOptions
{
    /// <summary>
    /// Mount path of the tree's root, as programs that follow links see it: the beginning of <c>.rclonelink</c> targets. Absolute.
    /// </summary>
    public string MountPath { get; init; } = "/mnt/nzbdav";

    /// <summary>Categories whose files the *arrs get as .strm files with an address instead of links.</summary>
    public IReadOnlyList<string> AddressCategories { get; init; } = [];

    /// <summary>What those addresses begin with: scheme, host, port and URL base as players reach them, without a trailing slash.</summary>
    public string AddressRoot { get; init; } = "";

    /// <summary>True if clients may delete files that a library has, or may have, a link to.</summary>
    public bool DeletesLinked { get; init; }

    /// <summary>What players read in place of lost bytes.</summary>
    public HolePolicy Holes { get; init; }
}
