namespace NzbDav.Content;

/// <summary>A contiguous run of bytes in a content.</summary>
/// <param name="Start">Offset of the first.</param>
/// <param name="Length">Bytes, at least 1.</param>
public readonly record struct ContentSpan(long Start, long Length)
{
    /// <summary>Offset one past the last byte.</summary>
    public long End => Start + Length;
}
