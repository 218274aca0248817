using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives.Volumes;

/// <summary>
/// Reads headers of a volume on demand: what is known of its beginning from memory, the rest in few reads. Used by one caller at a time.
/// </summary>
/// <param name="volume">What is read.</param>
/// <param name="intent">Passed to every reader.</param>
internal sealed class VolumeWindow(ArchiveVolume volume, ReadIntent intent)
{
    /// <summary>
    /// Least bytes per read. Headers are some hundred bytes and the next is often right behind; small against an article (0.25–1 MB), so that
    /// a read seldom costs a second one.
    /// </summary>
    private const int Least = 4 << 10;

    /// <summary>Bytes that the headers of one volume may take together: nobody's headers do, and a malicious set shall not fetch for ever.</summary>
    private const long Most = 1L << 30;

    private byte[] _window = [];
    private long _start;
    private long _total;

    /// <summary>Bytes in the volume.</summary>
    public long Length => volume.Content.Length;

    /// <summary>What it is called.</summary>
    public string Name => volume.Name;

    /// <summary>As <see cref="ArchiveVolume.Place"/>.</summary>
    public int? Place => volume.Place;

    /// <summary>As <see cref="ArchiveVolume.Posted"/>.</summary>
    public DateTimeOffset? Posted => volume.Posted;

    /// <summary>Bytes known without a fetch, from the beginning.</summary>
    public ReadOnlyMemory<byte> Head => volume.Head;

    /// <summary>The bytes at an offset; fewer only at the volume's end. Valid until the next call.</summary>
    /// <param name="offset">At least 0; at or behind the end gives nothing.</param>
    /// <param name="count">At least 0; the caller bounds it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">The bytes cannot be had.</exception>
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
            // What is beyond the count is taken if it is at hand, not waited for: it may be another article.
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
