namespace NzbDav.Library.Export;

/// <summary>What is exported, and how. Immutable.</summary>
public sealed record ExportOptions
{
    /// <summary>The folder below which everything goes. It must exist.</summary>
    public required string Folder { get; init; }

    /// <summary>Videos and music as .strm files.</summary>
    public bool Addresses { get; init; }

    /// <summary>Every file as a symbolic link.</summary>
    public bool Links { get; init; }

    /// <summary>An .nfo file beside each video.</summary>
    public bool Details { get; init; }

    /// <summary>What addresses begin with: scheme, host, port and URL base, without a slash at the end.</summary>
    public string AddressRoot { get; init; } = "";

    /// <summary>Where the tree's root is mounted for programs that follow the links. Absolute, without a slash at the end.</summary>
    public string MountPath { get; init; } = "";

    /// <summary>The one category that is exported, whose titles stand directly in the folder; null: all, each in a folder of its own.</summary>
    public string? Category { get; init; }

    /// <summary>
    /// True for a copy that follows the tree: links lead to the files' present paths, and reading one does not mean that a library holds the file. False for a library that stays:
    /// links lead to the files' stable paths.
    /// </summary>
    public bool Follows { get; init; }
}
