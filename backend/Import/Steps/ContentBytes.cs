using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>Reads a few bytes of a content into memory.</summary>
internal static class ContentBytes
{
    /// <param name="content">What is read.</param>
    /// <param name="start">First byte.</param>
    /// <param name="count">Bytes; all of them are inside the content.</param>
    /// <param name="intent">How urgent it is.</param>
    /// <param name="cancellationToken">Nobody wants them any more.</param>
    /// <exception cref="ContentException">They cannot be had.</exception>
    public static async Task<byte[]> ReadAsync(IContent content, long start, int count, ReadIntent intent, CancellationToken cancellationToken)
    {
        var bytes = new byte[count];
        var filled = 0;
        await using var reader = content.OpenReader(start, start + count, intent);
        while (filled < count)
        {
            using var lease = await reader.NextAsync(cancellationToken);
            if (lease.IsEmpty)
                throw new InvalidOperationException($"The content ended at {start + filled}, before its own length.");
            lease.Memory.Span.CopyTo(bytes.AsSpan(filled));
            filled += lease.Length;
        }

        return bytes;
    }
}
