namespace NzbDav.Library.Export;

/// <summary>Something that an export made.</summary>
internal sealed class ManifestEntry
{
    /// <summary>Null for a folder.</summary>
    public ExportForm? Form { get; init; }

    /// <summary>The file in the tree.</summary>
    public long Id { get; init; }

    /// <summary>Bytes that were written.</summary>
    public int Size { get; init; }

    /// <summary>Their hash.</summary>
    public ulong Hash { get; init; }

    /// <summary>The hash of what was about to take its place; null: nothing was.</summary>
    public ulong? Next { get; init; }

    /// <summary>The run that found it wanted.</summary>
    public int Wanted { get; set; }
}
