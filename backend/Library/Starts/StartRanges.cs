using NzbDav.Library.Pins;

namespace NzbDav.Library.Starts;

/// <summary>Collects ranges of a file: joins those that touch, and keeps to the bounds. Not thread-safe.</summary>
/// <param name="length">The file's bytes.</param>
internal sealed class StartRanges(long length)
{
    /// <summary>Mounts read whole pages, and the kernel some of them ahead (128 KiB): what is wanted is rounded to that.</summary>
    private const long Grain = 128 << 10;

    /// <summary>
    /// What is nearer to the end, or to the next range, than this is taken along: whoever reads "from here on" then needs no article.
    /// </summary>
    private const long Gap = 1 << 20;

    /// <summary>Of one file.</summary>
    private const long MostBytes = 32 << 20;

    private readonly List<PinRange> _wanted = [];

    /// <summary>Bytes of a file that scanners and players read first. What lies outside the file is left out.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="count">How many.</param>
    public void Add(long start, long count)
    {
        if (start < 0 || start >= length || count <= 0)
            return;
        var end = Math.Min(length, start + Math.Min(count, MostBytes));
        start -= start % Grain;
        end = Math.Min(length, (end + Grain - 1) / Grain * Grain);
        _wanted.Add(new PinRange(start, (length - end <= Gap ? length : end) - start));
    }

    /// <summary>In the order of the file, without touching each other. The head comes first when it is too much.</summary>
    public IReadOnlyList<PinRange> ToRanges()
    {
        var joined = new List<PinRange>();
        foreach (var range in _wanted.OrderBy(static range => range.Start))
        {
            if (joined.Count > 0 && range.Start - joined[^1].End <= Gap)
                joined[^1] = new PinRange(joined[^1].Start, Math.Max(joined[^1].End, range.End) - joined[^1].Start);
            else
                joined.Add(range);
        }

        var left = MostBytes;
        var kept = new List<PinRange>();
        foreach (var range in joined.Take(PinFile.MostRanges))
        {
            var bytes = Math.Min(left, range.Length);
            if (bytes > 0)
                kept.Add(range with { Length = bytes });
            left -= bytes;
        }

        return kept;
    }
}
