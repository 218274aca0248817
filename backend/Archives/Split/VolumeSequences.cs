using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Split;

/// <summary>Joins parts that have no headers of their own: split 7z archives, and plain files such as <c>x.mkv.001</c>.</summary>
internal static class VolumeSequences
{
    /// <summary>Finds the volumes of a 7z archive from its first one, in order. Missing ones are left out. When not proven, the order is a guess.</summary>
    /// <param name="windows">All files.</param>
    /// <param name="first">Index of the file that begins with the signature.</param>
    /// <param name="length">Bytes of the whole archive, according to its beginning.</param>
    /// <param name="free">Files without a known signature.</param>
    public static (List<int> Volumes, bool Proven) SevenZip(IReadOnlyList<VolumeWindow> windows, int first, long length, IReadOnlyCollection<int> free)
    {
        var size = windows[first].Length;
        if (length <= size)
            return ([first], true);
        if (VolumeName.Parse(windows[first].Name) is { } name && Following(windows, name, free) is { Count: > 0 } named)
            return ([first, .. named], true);

        // The names are meaningless, so go by size: all volumes have the same, and the last one has the rest.
        var count = (int)Math.Min(int.MaxValue, (length + size - 1) / size);
        var lastSize = length - ((count - 1L) * size);
        if (Counted(windows, first, count, lastSize, free, index => VolumeName.Parse(windows[index].Name)?.Number) is { } numbered)
            return (numbered, true);
        if (Counted(windows, first, count, lastSize, free, index => windows[index].Place) is { } placed)
            return (placed, true);
        var last = free.Where(index => windows[index].Length == lastSize).OrderBy(Posted).DefaultIfEmpty(-1).Last();
        var middle = free.Where(index => windows[index].Length == size && index != last).OrderBy(Posted).ToList();

        // Volumes are posted one after the other, so dates order them if each has its own; their position in the list does not.
        var proven = middle.Count == 1 || middle.ConvertAll(index => windows[index].Posted).TrueForAll(date => date is not null && middle.Count(index => windows[index].Posted == date) == 1);
        middle = middle[..Math.Min(middle.Count, count - 2)];
        return (last < 0 ? [first, .. middle] : [first, .. middle, last], proven || middle.Count < count - 2);

        (DateTimeOffset? Date, int Index) Posted(int index) => (windows[index].Posted, index);
    }

    /// <summary>Orders volumes by a number that each of them has. Null unless there is exactly one volume of the right size for each number.</summary>
    private static List<int>? Counted(IReadOnlyList<VolumeWindow> windows, int first, int count, long lastSize, IReadOnlyCollection<int> free, Func<int, int?> number)
    {
        if (number(first) is not { } start || free.Count < count - 1)
            return null;
        var size = windows[first].Length;
        var volumes = new int[count];
        Array.Fill(volumes, -1);
        volumes[0] = first;
        foreach (var index in free)
        {
            var place = (number(index) ?? int.MinValue) - (long)start;
            if (place < 1 || place >= count || windows[index].Length != (place == count - 1 ? lastSize : size))
                continue;
            if (volumes[place] >= 0)
                return null;
            volumes[place] = index;
        }

        return Array.IndexOf(volumes, -1) < 0 ? [.. volumes] : null;
    }

    /// <summary>
    /// Finds files that were split into parts: the first part begins with a known signature (or has a name that implies one), the others with none. Three or
    /// more parts of equal size are accepted whatever they contain; with several sizes none may be missing.
    /// </summary>
    /// <returns>The parts in order, and the copies that were posted again.</returns>
    public static IEnumerable<(List<int> Parts, List<int> Copies)> Plain(IReadOnlyList<VolumeWindow> windows, FileKind[] kinds, IReadOnlyCollection<int> free)
    {
        var stems = free.Concat(Enumerable.Range(0, kinds.Length).Where(index => kinds[index] != FileKind.Unknown)).Distinct()
            .Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { Scheme: VolumeScheme.Numeric })
            .GroupBy(file => file.Name!.Value.Stem, StringComparer.Ordinal);
        foreach (var stem in stems)
        {
            var all = stem.OrderBy(file => file.Name!.Value.Number).Select(file => file.Index).ToList();
            if (WithoutCopies(windows, all) is not { Count: > 1 } parts)
                continue;
            var first = parts[0];
            if (NumberOf(windows, first) > 1 || parts.Skip(1).Any(part => !free.Contains(part)))
                continue;
            var size = windows[first].Length;
            var even = parts.SkipLast(1).All(part => windows[part].Length == size) && windows[parts[^1]].Length <= size;
            if (!even && Gap(windows, parts) > 0)
                continue;
            var whole = WholeName(windows[first].Name);
            if (kinds[first] != FileKind.Unknown || ArchiveSignature.HasKnownType(whole) || ArchiveSignature.IsDiscName(whole) || (even && parts.Count > 2 && windows[parts[^1]].Length < size))
                yield return (parts, [.. all.Except(parts)]);
        }
    }

    /// <summary>Each number once; null if two parts have the same number but differ.</summary>
    private static List<int>? WithoutCopies(IReadOnlyList<VolumeWindow> windows, List<int> parts)
    {
        var kept = new List<int>(parts.Count);
        foreach (var part in parts)
        {
            if (kept.Count == 0 || NumberOf(windows, kept[^1]) != NumberOf(windows, part))
                kept.Add(part);
            else if (!IsCopy(windows[kept[^1]], windows[part]))
                return null;
        }

        return kept;
    }

    /// <summary>Compares the bytes known without a read.</summary>
    private static bool IsCopy(VolumeWindow one, VolumeWindow other)
    {
        var known = Math.Min(one.Head.Length, other.Head.Length);
        return one.Length == other.Length && one.Head.Span[..known].SequenceEqual(other.Head.Span[..known]);
    }

    private static int NumberOf(IReadOnlyList<VolumeWindow> windows, int index) => VolumeName.Parse(windows[index].Name)!.Value.Number;

    /// <summary>Finds files of a known type whose first part is missing: the existing parts, and the number of the first of them.</summary>
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

    /// <summary>Number of the first missing part between the first and the last; 0 when none is missing.</summary>
    public static int Gap(IReadOnlyList<VolumeWindow> windows, List<int> parts)
    {
        var first = NumberOf(windows, parts[0]);
        for (var i = 1; i < parts.Count; i++)
        {
            if (NumberOf(windows, parts[i]) != first + i)
                return first + i;
        }

        return 0;
    }

    /// <summary>The name without its number.</summary>
    public static string WholeName(string name) => name[..name.LastIndexOf('.')];

    /// <summary>Files that have the name and, as far as known, the bytes of a volume: duplicates.</summary>
    public static IEnumerable<int> Copies(IReadOnlyList<VolumeWindow> windows, IReadOnlyCollection<int> volumes, IEnumerable<int> others)
    {
        var named = new Dictionary<VolumeName, int>();
        foreach (var volume in volumes)
        {
            if (VolumeName.Parse(windows[volume].Name) is { } name)
                named.TryAdd(name, volume);
        }

        return others.Where(index => !volumes.Contains(index) && VolumeName.Parse(windows[index].Name) is { } name && named.TryGetValue(name, out var twin) && IsCopy(windows[twin], windows[index]));
    }

    /// <summary>The volumes that follow the first by name, each number once.</summary>
    private static List<int> Following(IReadOnlyList<VolumeWindow> windows, VolumeName first, IReadOnlyCollection<int> free) =>
    [
        .. free.Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { } name && string.Equals(name.Stem, first.Stem, StringComparison.Ordinal) && name.Number > first.Number)
            .OrderBy(file => file.Name!.Value.Number).ThenBy(file => file.Index)
            .DistinctBy(file => file.Name!.Value.Number)
            .Select(file => file.Index),
    ];
}
