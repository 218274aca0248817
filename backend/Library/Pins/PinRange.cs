namespace NzbDav.Library.Pins;

/// <summary>A run of bytes of a file.</summary>
/// <param name="Start">Offset of the first byte in the file.</param>
/// <param name="Length">Bytes.</param>
public readonly record struct PinRange(long Start, long Length)
{
    /// <summary>One past the last byte.</summary>
    public long End => Start + Length;
}
