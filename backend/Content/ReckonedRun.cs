namespace NzbDav.Content;

/// <summary>
/// Segments of a map that come from one posted file of which nothing had been read when the map was made. The posted file's first segment tells whether the map is right; none of
/// their bytes may be lent before it was seen.
/// </summary>
/// <param name="First">Index of the first of these segments in the map's table.</param>
/// <param name="Count">How many there are, one behind the other; at least 1.</param>
/// <param name="Proof">The posted file's first segment with the place and size that are expected. It need not be in the map.</param>
/// <param name="Name">What that segment must call the file.</param>
/// <param name="FileSize">How many bytes it must say that the file has.</param>
/// <param name="Header">What the file must begin with, in the form of whoever reckoned; empty: with anything.</param>
public sealed record ReckonedRun(int First, int Count, SegmentKey Proof, string Name, long FileSize, ReadOnlyMemory<byte> Header)
{
    /// <summary>MD5 of the file's first 16 KiB, where somebody says it; else empty. <see cref="Proof"/> holds as much.</summary>
    public ReadOnlyMemory<byte> HeadHash { get; init; }
}
