using NzbDav.Content;

namespace NzbDav.Import.Probing;

/// <summary>Reads a few bytes of a content into memory.</summary>
internal static class ContentBytes
{
    /// <param name="content">The content.</param>
    /// <param name="start">Offset of the first byte.</param>
    /// <param name="count">Number of bytes; all of them must lie inside the content.</param>
    /// <param name="intent">Purpose of the read, which sets its priority.</param>
    /// <param name="cancellationToken">Cancels the read.</param>
    /// <exception cref="ContentException">The bytes cannot be fetched.</exception>
    public static async Task<byte[]> ReadAsync(
        IContent content, long start, int count, ReadIntent intent, CancellationToken cancellationToken)
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
