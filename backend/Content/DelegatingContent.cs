namespace NzbDav.Content;

/// <summary>
/// A content that is read through another of the same length. Members that a derived class does not override are passed on.
/// </summary>
/// <param name="inner">The other content.</param>
public abstract class DelegatingContent(IContent inner) : IContent
{
    /// <inheritdoc/>
    public virtual long Length => Inner.Length;

    /// <summary>The other content.</summary>
    protected IContent Inner { get; } = inner;

    /// <inheritdoc/>
    public virtual ContentReader OpenReader(long start, long end, ReadIntent intent) => Inner.OpenReader(start, end, intent);
}
