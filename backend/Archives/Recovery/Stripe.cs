namespace NzbDav.Archives.Recovery;

/// <summary>The same part of every slice of a set. Recovery data work word by word, so that a stripe of the missing slices needs only that stripe of the others.</summary>
/// <param name="Start">Offset of its first byte in a slice, a multiple of 64.</param>
/// <param name="End">Offset after its last byte.</param>
internal readonly record struct Stripe(long Start, long End)
{
    /// <summary>Bytes of each slice.</summary>
    public long Length => End - Start;
}
