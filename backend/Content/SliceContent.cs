namespace NzbDav.Content;

/// <summary>A range of another content, such as a stored file inside an archive.</summary>
public sealed class SliceContent : IContent
{
    private readonly IContent _inner;
    private readonly long _start;

    /// <param name="inner">The content that holds the range.</param>
    /// <param name="start">Offset in <paramref name="inner"/> of the window's first byte.</param>
    /// <param name="length">Bytes in the window.</param>
    /// <exception cref="ArgumentOutOfRangeException">The window is not inside the content.</exception>
    public SliceContent(IContent inner, long start, long length)
    {
        ArgumentNullException.ThrowIfNull(inner);
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, inner.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, inner.Length - start);

        // A slice of a slice becomes one slice, so that nested archives do not chain readers.
        (_inner, _start) = inner is SliceContent slice ? (slice._inner, slice._start + start) : (inner, start);
        Length = length;
    }

    /// <inheritdoc/>
    public long Length { get; }

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new SliceReader(_inner.OpenReader(_start + start, _start + end, intent), _start);
    }
}

/// <summary>Shifts the position of another reader, which it owns.</summary>
internal sealed class SliceReader(ContentReader inner, long shift) : DelegatingReader(inner)
{
    public override long Position => base.Position - shift;
}
