using NzbDav.Library.Filling;

namespace NzbDav.Library;

/// <summary>What the tree shows beside the catalog. Immutable.</summary>
public sealed record LibraryOptions
{
    /// <summary>Where the people's mount of the tree's root is, as those see it who follow links: what <c>.rclonelink</c> files begin with. Absolute.</summary>
    public string MountPath { get; init; } = "/mnt/nzbdav";

    /// <summary>Categories whose files the *arrs get as .strm files with an address instead of links.</summary>
    public IReadOnlyList<string> AddressCategories { get; init; } = [];

    /// <summary>What those addresses begin with: scheme, host, port and URL base as players reach them, without a slash at its end.</summary>
    public string AddressRoot { get; init; } = "";

    /// <summary>Clients may delete what a library has, or may have, a link to.</summary>
    public bool DeletesLinked { get; init; }

    /// <summary>What players get in place of bytes that are gone.</summary>
    public HolePolicy Holes { get; init; }
}
