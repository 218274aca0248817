using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Opening;

namespace NzbDav.Library.Health;

/// <summary>Reads heads and tails of files in the same way as players. Thread-safe.</summary>
/// <param name="opener">Opens files.</param>
public sealed class FileReader(ContentOpener opener) : IHealthReader
{
    /// <summary>Bytes read at one place: as many as players read first.</summary>
    private const int Bytes = 64 << 10;

    /// <inheritdoc/>
    public async Task<bool> PlaysAsync(CatalogItem file, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(file);
        return await ReadAsync(file, 0, ReadIntent.Health, cancellationToken) is not null
            && await ReadAsync(file, Math.Max(0, file.Size - Bytes), ReadIntent.Health, cancellationToken) is not null;
    }

    /// <inheritdoc/>
    public async Task<bool?> AreSameAsync(CatalogItem file, CatalogItem other, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentNullException.ThrowIfNull(other);
        bool? same = null;
        foreach (var start in (long[])[0, Math.Max(0, (file.Size - Bytes) / 2), Math.Max(0, file.Size - Bytes)])
        {
            // As playback, so that the pinned start of the file is used.
            if (await ReadAsync(file, start, ReadIntent.Playback, cancellationToken) is not { } one
                || await ReadAsync(other, start, ReadIntent.Health, cancellationToken) is not { } two)
                continue;
            if (!one.AsSpan().SequenceEqual(two))
                return false;
            same = true;
        }

        return same;
    }

    private async Task<byte[]?> ReadAsync(CatalogItem file, long start, ReadIntent intent, CancellationToken cancellationToken)
    {
        var end = Math.Min(file.Size, start + Bytes);
        var bytes = new byte[end - start];
        try
        {
            await using var reader = (await opener.OpenAsync(file, cancellationToken)).OpenReader(start, end, intent);
            for (var filled = 0; filled < bytes.Length;)
            {
                using var lease = await reader.NextAsync(cancellationToken);
                if (lease.IsEmpty)
                    return null;
                lease.Memory.Span.CopyTo(bytes.AsSpan(filled));
                filled += lease.Memory.Length;
                if (filled == bytes.Length)
                    await lease.WhenVerifiedAsync(cancellationToken);
            }

            return bytes;
        }
        catch (Exception error) when (error is ContentException or CatalogException)
        {
            return null;
        }
    }
}
