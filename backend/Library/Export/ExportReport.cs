namespace NzbDav.Library.Export;

/// <summary>What an export did. Immutable.</summary>
public sealed record ExportReport
{
    /// <summary>The most paths that are listed; of further ones only the number is given.</summary>
    public const int MostNamed = 100;

    /// <summary>Files and links that were made.</summary>
    public int Made { get; init; }

    /// <summary>Those that took the place of an older one of ours.</summary>
    public int Replaced { get; init; }

    /// <summary>Ours that were removed because their files are gone from the tree.</summary>
    public int Removed { get; init; }

    /// <summary>Those that were right already.</summary>
    public int Unchanged { get; init; }

    /// <summary>Files of the tree that have no place in the library: neither videos nor music, where only these are exported.</summary>
    public int LeftOut { get; init; }

    /// <summary>Files of the tree whose paths would be longer than a system can open.</summary>
    public IReadOnlyList<string> TooLong { get; init; } = [];

    /// <summary>How many files could not be made, replaced or removed because something that is not ours is in their place.</summary>
    public int Blocked { get; init; }

    /// <summary>The paths of the first obstacles, in order, each with what it is.</summary>
    public IReadOnlyList<string> BlockedBy { get; init; } = [];

    /// <summary>True if nothing had to be written.</summary>
    public bool ChangedNothing => Made + Replaced + Removed == 0;
}
