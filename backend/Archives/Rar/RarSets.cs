namespace NzbDav.Archives.Rar;

/// <summary>
/// Sorts volumes into sets. Names come first, if what they say is confirmed by the headers; what is left is chained by what the headers say: number,
/// which file goes on from one volume to the next, and how long it is.
/// </summary>
internal static class RarSets
{
    public static List<RarSet> Group(IReadOnlyList<RarVolume> volumes)
    {
        var sets = new List<RarSet>();
        Refused(volumes, sets);
        var pool = new List<RarVolume>();
        foreach (var stem in volumes.Where(volume => volume.Refusal is null).GroupBy(Stem, StringComparer.Ordinal))
        {
            var (volumesOnce, copies) = WithoutCopies(stem);
            if (TryOrder(volumesOnce) is { } ordered)
            {
                var set = Of(ordered, byName: true);
                set.Others.AddRange(copies);
                sets.Add(set);
            }
            else
            {
                pool.AddRange(stem);
            }
        }

        pool.Sort((a, b) => a.Index.CompareTo(b.Index));
        new RarChain(pool, volumes.Where(volume => volume.Refusal is not null)).Run(sets);
        return sets;
    }

    /// <summary>Each volume once, and those that were posted again.</summary>
    private static (List<RarVolume> Once, List<RarVolume> Copies) WithoutCopies(IEnumerable<RarVolume> volumes)
    {
        var once = new Dictionary<int, RarVolume>();
        var (rest, copies) = (new List<RarVolume>(), new List<RarVolume>());
        foreach (var volume in volumes)
        {
            if ((HeaderNumber(volume) ?? NameNumber(volume)) is not { } number || once.TryAdd(number, volume))
                rest.Add(volume);
            else
                (IsCopy(volume, once[number]) ? copies : rest).Add(volume);
        }

        return (rest, copies);
    }

    /// <summary>One stem of names with one format; what has no volume name is alone.</summary>
    public static string Stem(RarVolume volume) =>
        volume.IsVolume && VolumeName.Parse(volume.Name) is { } name ? $"{volume.Format}|{name.Stem}" : $"|{volume.Index}";

    /// <summary>Place in the set, by the headers alone.</summary>
    public static int? HeaderNumber(RarVolume volume) => !volume.IsVolume || volume.IsFirst == true ? 0 : volume.Number;

    /// <summary>Place in the set by the name alone, from 0 or 1.</summary>
    public static int? NameNumber(RarVolume volume) => VolumeName.Parse(volume.Name)?.Number;

    /// <summary>The volumes in order if they are a whole set; else null.</summary>
    private static List<RarVolume>? TryOrder(List<RarVolume> volumes)
    {
        if (volumes.Count == 1)
            return volumes[0] is { SplitBefore: false, SplitAfter: false, Continues: not true } && HeaderNumber(volumes[0]) is 0 or null ? volumes : null;

        // RAR4 tells its number at the volume's end, which is not read of all: then all go by their names.
        Func<RarVolume, int?> number = volumes.TrueForAll(volume => HeaderNumber(volume) is not null) ? HeaderNumber : NameNumber;
        volumes.Sort((a, b) => (number(a) ?? 0).CompareTo(number(b) ?? 0));
        if (volumes[0].SplitBefore || volumes[^1].SplitAfter || volumes[^1].Continues == true || (number(volumes[0]) ?? 0) > (number == HeaderNumber ? 0 : 1))
            return null;
        for (var i = 1; i < volumes.Count; i++)
        {
            if (number(volumes[i]) - number(volumes[i - 1]) != 1 || !Follows(volumes[i - 1], volumes[i]))
                return null;
        }

        return volumes;
    }

    /// <summary>The headers allow that one comes right behind the other.</summary>
    private static bool Follows(RarVolume before, RarVolume after)
    {
        if (before.Continues == false || before.SplitAfter != after.SplitBefore)
            return false;
        if (!before.SplitAfter)
            return true;
        var (a, b) = (before.Files[^1], after.Files[0]);
        return string.Equals(a.Path, b.Path, StringComparison.Ordinal) && a.Size == b.Size && a.Method == b.Method;
    }

    /// <summary>The headers of both are the same: one was posted again.</summary>
    public static bool IsCopy(RarVolume volume, RarVolume other) =>
        volume.Format == other.Format && volume.Length == other.Length && volume.Number == other.Number && volume.Files.Count == other.Files.Count
        && volume.Files.Zip(other.Files).All(pair => pair.First.Crc32 == pair.Second.Crc32 && pair.First.DataOffset == pair.Second.DataOffset
            && string.Equals(pair.First.Path, pair.Second.Path, StringComparison.Ordinal));

    /// <summary>Volumes that could not be read: one set for each reason, so that a person reads one sentence and not a hundred.</summary>
    private static void Refused(IReadOnlyList<RarVolume> volumes, List<RarSet> sets)
    {
        foreach (var reason in volumes.Where(volume => volume.Refusal is not null).GroupBy(volume => volume.Refusal!.Reason))
        {
            var set = new RarSet { Refusal = reason.First().Refusal };
            set.Volumes.AddRange(reason);
            sets.Add(set);
        }
    }

    public static RarSet Of(List<RarVolume> volumes, bool byName)
    {
        var set = new RarSet { ByName = byName };
        set.Volumes.AddRange(volumes);
        return set;
    }
}
