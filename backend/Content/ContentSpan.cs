namespace NzbDav.Content;

/// <summary>Bytes that lie together in a content.</summary>
/// <param name="Start">Offset of the first.</param>
/// <param name="Length">Bytes, at least 1.</param>
public readonly record struct ContentSpan(long Start, long Length)
{
    /// <summary>Offset behind the last.</summary>
    public long End => Start + Length;
}
