namespace NzbDav.Content;

/// <summary>Tells whether spans that were reckoned are true, by the bytes before them. Thread-safe.</summary>
public interface ISpanProof
{
    /// <summary>Bytes right before a span that prove it; 0: it needs no proof, or was proven.</summary>
    /// <param name="span">Its number, from 0.</param>
    int HeaderLengthOf(int span);

    /// <summary>Looks at the bytes before a span. Returns if the span is true.</summary>
    /// <param name="span">Its number, from 0.</param>
    /// <param name="header">As many as <see cref="HeaderLengthOf"/> said.</param>
    /// <param name="cancellationToken">The reader gave up.</param>
    /// <exception cref="ContentException">It is not: what follows is not the file.</exception>
    ValueTask ProveAsync(int span, ReadOnlyMemory<byte> header, CancellationToken cancellationToken);
}
