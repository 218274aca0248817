namespace NzbDav.Archives;

/// <summary>Puts the parts of files together that were cut without headers of their own: split 7z archives, and plain files as <c>x.mkv.001</c>.</summary>
internal static class VolumeSequences
{
    /// <summary>The volumes of a 7z archive whose first is known, in order; those that are not there are just left out.</summary>
    /// <param name="windows">All files.</param>
    /// <param name="first">Begins with the signature.</param>
    /// <param name="length">Bytes of the whole archive, as its beginning says.</param>
    /// <param name="free">Files that begin as nothing known.</param>
    public static List<int> SevenZip(IReadOnlyList<VolumeWindow> windows, int first, long length, IReadOnlyCollection<int> free)
    {
        var size = windows[first].Length;
        if (length <= size)
            return [first];
        if (VolumeName.Parse(windows[first].Name) is { } name && Following(windows, name, free) is { Count: > 0 } named)
            return [first, .. named];

        // Names are noise: volumes have one size, and the last one what is left. Their order is that of the list.
        var count = (length + size - 1) / size;
        var lastSize = length - ((count - 1) * size);
        var last = free.Where(index => windows[index].Length == lastSize).DefaultIfEmpty(-1).Last();
        var middle = free.Where(index => windows[index].Length == size && index != last).Order().Take((int)Math.Min(int.MaxValue, count - 2)).ToList();
        return last < 0 ? [first, .. middle] : [first, .. middle, last];
    }

    /// <summary>Files cut into parts: the first begins as something known (or has a name that promises it), the others as nothing, and all but the last have one size.</summary>
    public static IEnumerable<List<int>> Plain(IReadOnlyList<VolumeWindow> windows, FileKind[] kinds, IReadOnlyCollection<int> free)
    {
        var stems = free.Concat(Enumerable.Range(0, kinds.Length).Where(index => kinds[index] != FileKind.Unknown)).Distinct()
            .Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { Scheme: VolumeScheme.Numeric })
            .GroupBy(file => file.Name!.Value.Stem, StringComparer.Ordinal);
        foreach (var stem in stems)
        {
            var parts = stem.OrderBy(file => file.Name!.Value.Number).ToList();
            var (first, number) = (parts[0].Index, parts[0].Name!.Value.Number);
            if (parts.Count < 2 || number > 1 || parts.Skip(1).Any(part => !free.Contains(part.Index)))
                continue;
            var size = windows[first].Length;
            if (parts.SkipLast(1).Any(part => windows[part.Index].Length != size) || windows[parts[^1].Index].Length > size)
                continue;
            var whole = WholeName(windows[first].Name);
            if (kinds[first] != FileKind.Unknown || ArchiveSignature.HasKnownType(whole) || ArchiveSignature.IsDiscName(whole))
                yield return parts.ConvertAll(part => part.Index);
        }
    }

    /// <summary>Parts of a file whose name promises something known, and whose first part is not there: the parts that are, and the number of the first of them.</summary>
    public static IEnumerable<(List<int> Parts, int Number)> Headless(IReadOnlyList<VolumeWindow> windows, IReadOnlyCollection<int> free)
    {
        var stems = free.Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { Scheme: VolumeScheme.Numeric })
            .GroupBy(file => file.Name!.Value.Stem, StringComparer.Ordinal);
        foreach (var stem in stems)
        {
            var parts = stem.OrderBy(file => file.Name!.Value.Number).ToList();
            var (first, number) = (parts[0].Index, parts[0].Name!.Value.Number);
            var isCut = parts.SkipLast(1).All(part => windows[part.Index].Length == windows[first].Length) && windows[parts[^1].Index].Length <= windows[first].Length;
            var whole = WholeName(windows[first].Name);
            if (number > 1 && isCut && (ArchiveSignature.HasKnownType(whole) || ArchiveSignature.IsDiscName(whole) || whole.EndsWith(".7z", StringComparison.OrdinalIgnoreCase)))
                yield return (parts.ConvertAll(part => part.Index), number);
        }
    }

    /// <summary>The number of the first part that is not there; 0 when none is missing in between.</summary>
    public static int Gap(IReadOnlyList<VolumeWindow> windows, List<int> parts)
    {
        var first = VolumeName.Parse(windows[parts[0]].Name)!.Value.Number;
        for (var i = 1; i < parts.Count; i++)
        {
            if (VolumeName.Parse(windows[parts[i]].Name)!.Value.Number != first + i)
                return first + i;
        }

        return 0;
    }

    /// <summary>The name without its number.</summary>
    public static string WholeName(string name) => name[..name.LastIndexOf('.')];

    private static List<int> Following(IReadOnlyList<VolumeWindow> windows, VolumeName first, IReadOnlyCollection<int> free) =>
    [
        .. free.Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { } name && string.Equals(name.Stem, first.Stem, StringComparison.Ordinal) && name.Number > first.Number)
            .OrderBy(file => file.Name!.Value.Number)
            .Select(file => file.Index),
    ];
}
