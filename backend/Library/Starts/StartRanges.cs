using NzbDav.Content;
using NzbDav.Library.Pins;

namespace NzbDav.Library.Starts;

/// <summary>Collects ranges of a file, joins adjacent ones and keeps them within bounds. Not thread-safe.</summary>
/// <param name="length">Length of the file in bytes.</param>
internal sealed class StartRanges(long length)
{
    /// <summary>Ranges are rounded to this many bytes: mounts read whole pages, and the kernel reads ahead up to 128 KiB.</summary>
    private const long Grain = 128 << 10;

    /// <summary>
    /// Gaps up to this many bytes, to the next range or to the end, are included: a client that reads "from here on" then needs no article.
    /// </summary>
    private const long Gap = 1 << 20;

    /// <summary>Most bytes of one file.</summary>
    private const long MostBytes = 32 << 20;

    private readonly List<ByteSpan> _wanted = [];

    /// <summary>Adds bytes that scanners and players read first. Those outside the file are left out.</summary>
    /// <param name="start">Position of the first byte.</param>
    /// <param name="count">Number of bytes.</param>
    public void Add(long start, long count)
    {
        if (start < 0 || start >= length || count <= 0)
            return;
        var end = Math.Min(length, start + Math.Min(count, MostBytes));
        start -= start % Grain;
        end = Math.Min(length, (end + Grain - 1) / Grain * Grain);
        _wanted.Add(new ByteSpan(start, length - end <= Gap ? length : end));
    }

    /// <summary>The ranges in the file's order, not touching each other. If they are too much, the first ones are kept.</summary>
    public IReadOnlyList<ByteSpan> ToRanges()
    {
        var left = MostBytes;
        var kept = new List<ByteSpan>();
        foreach (var range in ByteSpan.Union(_wanted, Gap).Take(PinFile.MostRanges))
        {
            var bytes = Math.Min(left, range.Length);
            if (bytes > 0)
                kept.Add(ByteSpan.OfLength(range.Start, bytes));
            left -= bytes;
        }

        return kept;
    }
}
