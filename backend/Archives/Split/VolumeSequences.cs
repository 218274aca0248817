using NzbDav.Archives.Signatures;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Split;

/// <summary>
/// Joins parts that have no headers of their own: plain files such as <c>x.mkv.001</c>. Also contains what split 7z archives share with
/// them.
/// </summary>
internal static class VolumeSequences
{
    /// <summary>
    /// Finds the parts of a split ZIP from its first one, in order: <c>x.z01, x.z02, …, x.zip</c>, of which the last one contains the
    /// directory. Missing ones are left out, and copies count once.
    /// </summary>
    /// <param name="windows">All files.</param>
    /// <param name="first">Index of the first part.</param>
    /// <param name="known">The files that are in no layout yet.</param>
    public static List<int> Zip(IReadOnlyList<VolumeWindow> windows, int first, IReadOnlyCollection<int> known)
    {
        if (VolumeName.Parse(windows[first].Name) is not { Scheme: VolumeScheme.Letter } name)
            return [first];
        List<int> parts = [first, .. Following(windows, name, known)];
        var last = Path.ChangeExtension(windows[first].Name, ".zip");
        return [.. parts, .. known.Where(index => string.Equals(windows[index].Name, last, StringComparison.OrdinalIgnoreCase)).Take(1)];
    }

    /// <summary>
    /// Finds files that were split into parts: the first part begins with a known signature (or has a name that implies one), the others
    /// with none. Three or more parts of equal size are accepted whatever they contain; if sizes differ, no part may be missing.
    /// </summary>
    /// <returns>The parts in order, and the copies that were posted again.</returns>
    public static IEnumerable<(List<int> Parts, List<int> Copies)> Plain(
        IReadOnlyList<VolumeWindow> windows, FileKind[] kinds, IReadOnlyCollection<int> free)
    {
        foreach (var stem in Stems(windows, kinds, free))
        {
            var all = stem.OrderBy(index => NumberOf(windows, index)).ToList();
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
            if (kinds[first] != FileKind.Unknown || ArchiveSignature.HasKnownType(whole) || ArchiveSignature.IsDiscName(whole)
                || (even && parts.Count > 2 && windows[parts[^1]].Length < size))
                yield return (parts, [.. all.Except(parts)]);
        }
    }

    /// <summary>Finds split files that share one name: parts of one number differ, and nothing shows which belong together.</summary>
    /// <returns>For each such name, the parts of each number, in the order in which they are listed.</returns>
    public static IEnumerable<List<List<int>>> Mixed(IReadOnlyList<VolumeWindow> windows, FileKind[] kinds, IReadOnlyCollection<int> free)
    {
        foreach (var stem in Stems(windows, kinds, free))
        {
            var numbers = stem.GroupBy(index => NumberOf(windows, index)).OrderBy(number => number.Key)
                .Select(number => Distinct(windows, number)).ToList();
            var firsts = numbers[0];
            if (numbers.Count > 1 && firsts.Count > 1 && NumberOf(windows, firsts[0]) <= 1
                && firsts.TrueForAll(index => kinds[index] is not (FileKind.Unknown or FileKind.SevenZip))
                && numbers.Skip(1).All(number => number.TrueForAll(free.Contains)))
                yield return numbers;
        }
    }

    /// <summary>Groups files that are named as parts by the name of the whole file.</summary>
    private static IEnumerable<IGrouping<string, int>> Stems(
        IReadOnlyList<VolumeWindow> windows, FileKind[] kinds, IReadOnlyCollection<int> free) =>
        free.Concat(Enumerable.Range(0, kinds.Length).Where(index => kinds[index] != FileKind.Unknown)).Distinct()
            .Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { Scheme: VolumeScheme.Numeric })
            .GroupBy(file => file.Name!.Value.Stem, file => file.Index, StringComparer.Ordinal);

    /// <summary>Keeps one part per number; null if two parts have the same number but differ.</summary>
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

    /// <summary>Keeps each volume once, without those that were posted again.</summary>
    internal static List<int> Distinct(IReadOnlyList<VolumeWindow> windows, IEnumerable<int> volumes)
    {
        var once = new List<int>();
        foreach (var index in volumes.Order())
        {
            if (!once.Exists(other => IsCopy(windows[other], windows[index])))
                once.Add(index);
        }

        return once;
    }

    /// <summary>Compares only the bytes that are known without a read.</summary>
    private static bool IsCopy(VolumeWindow one, VolumeWindow other)
    {
        var known = Math.Min(one.Head.Length, other.Head.Length);
        return one.Length == other.Length && one.Head.Span[..known].SequenceEqual(other.Head.Span[..known]);
    }

    internal static int NumberOf(IReadOnlyList<VolumeWindow> windows, int index) => VolumeName.Parse(windows[index].Name)!.Value.Number;

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
            var isCut = parts.SkipLast(1).All(part => windows[part.Index].Length == windows[first].Length)
                && windows[parts[^1].Index].Length <= windows[first].Length;
            var whole = WholeName(windows[first].Name);
            if (number > 1 && isCut && (ArchiveSignature.HasKnownType(whole) || ArchiveSignature.IsDiscName(whole)
                || whole.EndsWith(".7z", StringComparison.OrdinalIgnoreCase)))
                yield return (parts.ConvertAll(part => part.Index), number);
        }
    }

    /// <summary>Number of the first missing part between the first and the last; 0 if none is missing.</summary>
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

    /// <summary>Returns the name without its number.</summary>
    public static string WholeName(string name) => name[..name.LastIndexOf('.')];

    /// <summary>Finds duplicates: files that have the name of a volume and, as far as known, its bytes.</summary>
    public static IEnumerable<int> Copies(IReadOnlyList<VolumeWindow> windows, IReadOnlyCollection<int> volumes, IEnumerable<int> others)
    {
        var named = new Dictionary<VolumeName, int>();
        foreach (var volume in volumes)
        {
            if (VolumeName.Parse(windows[volume].Name) is { } name)
                named.TryAdd(name, volume);
        }

        return others.Where(index => !volumes.Contains(index) && VolumeName.Parse(windows[index].Name) is { } name
            && named.TryGetValue(name, out var twin) && IsCopy(windows[twin], windows[index]));
    }

    /// <summary>Finds the volumes that follow the first by name, in order of their numbers.</summary>
    internal static List<int> Following(IReadOnlyList<VolumeWindow> windows, VolumeName first, IReadOnlyCollection<int> free) =>
    [
        .. free.Select(index => (Index: index, Name: VolumeName.Parse(windows[index].Name)))
            .Where(file => file.Name is { } name && string.Equals(name.Stem, first.Stem, StringComparison.Ordinal)
                && name.Number > first.Number)
            .OrderBy(file => file.Name!.Value.Number).ThenBy(file => file.Index)
            .Select(file => file.Index),
    ];
}
