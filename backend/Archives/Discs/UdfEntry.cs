namespace NzbDav.Archives.Discs;

/// <summary>A file entry (ECMA-167, 4/14.9 and 4/14.17).</summary>
internal sealed class UdfEntry
{
    /// <summary>Offset in the image of its descriptor.</summary>
    public required long Place { get; init; }

    public required long Size { get; init; }

    public bool IsDirectory { get; init; }

    public DateTimeOffset? Modified { get; init; }

    /// <summary>Location of the data, unless <see cref="Embedded"/>.</summary>
    public List<UdfExtent> Extents { get; } = [];

    /// <summary>Offset in the image of data stored in the descriptor itself; −1 if the data are elsewhere.</summary>
    public long Embedded { get; set; } = -1;
}
