namespace NzbDav.Content;

/// <summary>Checks spans whose places were inferred by the bytes right before them. Thread-safe.</summary>
public interface ISpanProof
{
    /// <summary>Number of bytes right before a span that prove it; 0: it needs no proof, or was proven.</summary>
    /// <param name="span">Its number, from 0.</param>
    int HeaderLengthOf(int span);

    /// <summary>Checks the bytes before a span. Returns if the span is where it was inferred to be.</summary>
    /// <param name="span">Its number, from 0.</param>
    /// <param name="header">As many as <see cref="HeaderLengthOf"/> said.</param>
    /// <param name="cancellationToken">The reader gave up.</param>
    /// <exception cref="ContentException">It is not: the bytes that follow are not the file's.</exception>
    ValueTask ProveAsync(int span, ReadOnlyMemory<byte> header, CancellationToken cancellationToken);
}
