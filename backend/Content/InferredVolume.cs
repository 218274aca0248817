namespace NzbDav.Content;

/// <summary>
/// A posted volume of which nothing was read: where its bytes lie was inferred from other volumes of its set. An import makes it, the map
/// of a file carries it, and readers prove it: its first article shows whether the inference is right, and none of the volume's bytes may
/// be lent before that. Immutable.
/// </summary>
/// <param name="Proof">The volume's first article, with the offset and size that are expected. It need not be in the map.</param>
/// <param name="Name">What that article must call the volume.</param>
/// <param name="FileSize">Bytes that it must say the volume has.</param>
public sealed record InferredVolume(SegmentKey Proof, string Name, long FileSize)
{
    /// <summary>The archive headers that the volume must begin with, encoded by whoever inferred them; empty: it has none.</summary>
    public ReadOnlyMemory<byte> Header { get; init; }

    /// <summary>
    /// MD5 of the volume's first 16 KiB, where recovery data state it; else empty. <see cref="Proof"/> has at least as many bytes.
    /// </summary>
    public ReadOnlyMemory<byte> HeadHash { get; init; }

    /// <summary>Index in a map's table of the first of the volume's segments; meaningless while <see cref="Count"/> is 0.</summary>
    public int First { get; init; }

    /// <summary>How many segments of that map are the volume's, one behind the other; 0 before the volume is in a map.</summary>
    public int Count { get; init; }
}
