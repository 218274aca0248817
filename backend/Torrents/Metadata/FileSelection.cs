using System.Globalization;

namespace NzbDav.Torrents.Metadata;

/// <summary>
/// The files selected by a magnet link (<c>so</c>, BEP 53). Numbers count every file of the metainfo from 0, including padding and symbolic
/// links (BEP 47). Stored as ranges, so a long range costs no memory. Immutable.
/// </summary>
public sealed class FileSelection
{
    /// <summary>Sorted. Between two ranges there is at least one number that is in neither.</summary>
    private readonly List<(int First, int Last)> _ranges = [];

    private FileSelection(List<(int First, int Last)> ranges)
    {
        ranges.Sort();
        foreach (var (first, last) in ranges)
        {
            if (_ranges is [.., var before] && first - 1 <= before.Last)
                _ranges[^1] = (before.First, Math.Max(before.Last, last));
            else
                _ranges.Add((first, last));
        }
    }

    /// <summary>
    /// Parses numbers and ranges separated by commas: <c>0,2,4-6</c>. Null if there are none, or if any is malformed, because the intended
    /// selection is then unknown.
    /// </summary>
    public static FileSelection? Read(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var ranges = new List<(int First, int Last)>();
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var dash = part.IndexOf('-', StringComparison.Ordinal);
            if (Number(dash < 0 ? part : part[..dash]) is not { } first || Number(part[(dash + 1)..]) is not { } last || last < first)
                return null;
            ranges.Add((first, last));
        }

        return ranges.Count == 0 ? null : new FileSelection(ranges);
    }

    /// <summary>Whether each file of a torrent is selected. Null if only padding is selected; then all files are to be fetched.</summary>
    public IReadOnlyList<bool>? Select(IReadOnlyList<TorrentFile> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var selected = new bool[files.Count];
        var any = false;
        var at = 0;
        for (var index = 0; index < selected.Length; index++)
        {
            var number = index + files[index].LinksBefore;
            while (at < _ranges.Count && _ranges[at].Last < number)
                at++;
            selected[index] = at < _ranges.Count && _ranges[at].First <= number;
            any |= selected[index] && !files[index].IsPadding;
        }

        return any ? selected : null;
    }

    /// <summary>The text that <see cref="Read"/> parses, sorted and without overlaps.</summary>
    public override string ToString() => string.Join(',', _ranges.Select(static range => range.First == range.Last
        ? range.First.ToString(CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{range.First}-{range.Last}")));

    /// <summary>
    /// Parses decimal digits; null if there are other characters. Numbers too large for an <see cref="int"/> become the largest.
    /// </summary>
    private static int? Number(string text)
    {
        if (text.Length == 0 || text.AsSpan().ContainsAnyExceptInRange('0', '9'))
            return null;
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : int.MaxValue;
    }
}
