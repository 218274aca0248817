using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives.Volumes;

/// <summary>Reads a volume's headers on demand: the known beginning from memory, the rest in few reads. For one caller at a time.</summary>
/// <param name="volume">The volume.</param>
/// <param name="intent">Passed to every reader.</param>
internal sealed class VolumeWindow(ArchiveVolume volume, ReadIntent intent)
{
    /// <summary>
    /// Fewest bytes per read. Headers have a few hundred bytes, and the next one often follows directly. Small compared with an article
    /// (0.25–1 MB), so that a read seldom needs a second article.
    /// </summary>
    private const int Least = 4 << 10;

    /// <summary>
    /// Most bytes of headers read in one volume: no real volume needs as many, and a malicious one must not fetch forever.
    /// </summary>
    private const long Most = 1L << 30;

    private byte[] _window = [];
    private long _start;
    private long _total;

    /// <summary>Bytes of the volume.</summary>
    public long Length => volume.Content.Length;

    /// <summary>Its name.</summary>
    public string Name => volume.Name;

    /// <summary>See <see cref="ArchiveVolume.Place"/>.</summary>
    public int? Place => volume.Place;

    /// <summary>See <see cref="ArchiveVolume.Posted"/>.</summary>
    public DateTimeOffset? Posted => volume.Posted;

    /// <summary>The first bytes, as far as they are known without a fetch.</summary>
    public ReadOnlyMemory<byte> Head => volume.Head;

    /// <summary>Reads the bytes at an offset; fewer only at the volume's end. The result is valid until the next call.</summary>
    /// <param name="offset">At least 0; at or after the end the result is empty.</param>
    /// <param name="count">At least 0; the caller must limit it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">The bytes cannot be read.</exception>
    public async ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, int count, CancellationToken cancellationToken)
    {
        count = (int)Math.Min(count, Math.Max(0, Length - offset));
        if (count == 0)
            return default;
        if (offset + count <= volume.Head.Length)
            return volume.Head.Slice((int)offset, count);
        if (offset < _start || offset + count > _start + _window.Length)
            await FillAsync(offset, count, cancellationToken);
        return _window.AsMemory((int)(offset - _start), count);
    }

    private async ValueTask FillAsync(long offset, int count, CancellationToken cancellationToken)
    {
        var wanted = (int)Math.Min(Math.Max(count, Least), Length - offset);
        _total += wanted;
        if (_total > Most)
            throw ArchiveException.Damaged($"'{Name}': its headers never end.");
        var bytes = new byte[wanted];
        var filled = 0;
        await using (var reader = volume.Content.OpenReader(offset, offset + wanted, intent))
        {
            // Bytes beyond the count are used if available, but not waited for: they may be in another article.
            while (filled < count)
            {
                using var lease = await reader.NextAsync(cancellationToken);
                if (lease.IsEmpty)
                    throw new InvalidOperationException($"'{Name}' ended at {offset + filled}, before its own length.");
                lease.Memory.Span.CopyTo(bytes.AsSpan(filled));
                filled += lease.Length;
            }
        }

        (_window, _start) = (filled == wanted ? bytes : bytes[..filled], offset);
    }
}
