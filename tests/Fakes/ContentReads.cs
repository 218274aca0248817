using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>Reads contents into memory. Each lease must begin where the one before it ended.</summary>
public static class ContentReads
{
    /// <summary>Reads a range.</summary>
    public static async Task<byte[]> ReadAsync(IContent content, long start, long end, ReadIntent intent = ReadIntent.Playback)
    {
        await using var reader = content.OpenReader(start, end, intent);
        return await ReadToEndAsync(reader);
    }

    /// <summary>Reads from a reader to its end.</summary>
    public static async Task<byte[]> ReadToEndAsync(ContentReader reader)
    {
        var start = reader.Position;
        using var bytes = new MemoryStream();
        while (true)
        {
            if (reader.Position != start + bytes.Length)
                throw new InvalidOperationException($"The reader is at {reader.Position} after {bytes.Length} bytes from {start} on.");
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                return bytes.ToArray();
            bytes.Write(lease.Memory.Span);
        }
    }
}
