namespace NzbDav.Content;

/// <summary>
/// A posted volume that the import did not read: its layout was inferred from other volumes of its set. The import stores it in the map of
/// a file, and readers prove it: its first article shows whether the inference is right, and no byte of the volume may be lent before that.
/// Immutable.
/// </summary>
/// <param name="Proof">The volume's first article, with the offset and size that are expected. It need not be in the map.</param>
/// <param name="Name">The volume's name that the article must state.</param>
/// <param name="FileSize">The volume's size in bytes that the article must state.</param>
public sealed record InferredVolume(SegmentKey Proof, string Name, long FileSize)
{
    /// <summary>The archive headers that the volume must begin with, encoded by the code that inferred them; empty: it has none.</summary>
    public ReadOnlyMemory<byte> Header { get; init; }

    /// <summary>
    /// MD5 of the volume's first 16 KiB, if the recovery data state it; otherwise empty. <see cref="Proof"/> is at least that long.
    /// </summary>
    public ReadOnlyMemory<byte> HeadHash { get; init; }

    /// <summary>Index of the volume's first segment in a map's table; meaningless while <see cref="Count"/> is 0.</summary>
    public int First { get; init; }

    /// <summary>Number of the volume's segments in that map, which are consecutive; 0 before the volume is in a map.</summary>
    public int Count { get; init; }
}
