using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Groups volumes into sets. Sets found by name are used if the headers confirm them. The remaining volumes are chained by their headers:
/// volume number, the file that continues in the next volume, and length.
/// </summary>
internal static class RarSets
{
    public static List<RarSet> Group(IReadOnlyList<RarVolume> volumes)
    {
        var sets = new List<RarSet>();
        Refused(volumes, sets);
        var pool = new List<RarVolume>();
        foreach (var stem in volumes.Where(volume => volume.Refusal is null).GroupBy(volume => volume.Stem(), StringComparer.Ordinal))
        {
            var (volumesOnce, copies) = WithoutCopies(stem);
            if (TryOrder(volumesOnce) is { } ordered)
            {
                var set = RarSet.Of(ordered, byName: true);
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

    /// <summary>Separates the volumes, each once, from those that were posted again.</summary>
    private static (List<RarVolume> Once, List<RarVolume> Copies) WithoutCopies(IEnumerable<RarVolume> volumes)
    {
        var once = new Dictionary<int, RarVolume>();
        var (rest, copies) = (new List<RarVolume>(), new List<RarVolume>());
        foreach (var volume in volumes)
        {
            if ((volume.HeaderNumber ?? volume.NameNumber) is not { } number || once.TryAdd(number, volume))
                rest.Add(volume);
            else
                (volume.IsCopyOf(once[number]) ? copies : rest).Add(volume);
        }

        return (rest, copies);
    }

    /// <summary>Returns the volumes in order if they are a complete set, otherwise null.</summary>
    private static List<RarVolume>? TryOrder(List<RarVolume> volumes)
    {
        if (volumes.Count == 1)
            return volumes[0] is { SplitBefore: false, SplitAfter: false, Continues: not true } && volumes[0].HeaderNumber is 0 or null
                ? volumes : null;

        // RAR4 has the number at the volume's end, which is not read for all volumes. If any volume has no number, all are ordered by name.
        var byHeader = volumes.TrueForAll(volume => volume.HeaderNumber is not null);
        volumes.Sort((a, b) => (Number(a) ?? 0).CompareTo(Number(b) ?? 0));
        if (volumes[0].SplitBefore || volumes[^1].SplitAfter || volumes[^1].Continues == true
            || (Number(volumes[0]) ?? 0) > (byHeader ? 0 : 1))
            return null;
        for (var i = 1; i < volumes.Count; i++)
        {
            if (Number(volumes[i]) - Number(volumes[i - 1]) != 1 || !Follows(volumes[i - 1], volumes[i]))
                return null;
        }

        return volumes;

        int? Number(RarVolume volume) => byHeader ? volume.HeaderNumber : volume.NameNumber;
    }

    /// <summary>True if the headers allow one volume to follow directly after the other.</summary>
    private static bool Follows(RarVolume before, RarVolume after)
    {
        if (before.Continues == false || before.SplitAfter != after.SplitBefore)
            return false;
        if (!before.SplitAfter)
            return true;
        var (a, b) = (before.Files[^1], after.Files[0]);
        return string.Equals(a.Path, b.Path, StringComparison.Ordinal) && a.Size == b.Size && a.Method == b.Method;
    }

    /// <summary>Groups unreadable volumes by reason, so that the user sees one message instead of a hundred.</summary>
    private static void Refused(IReadOnlyList<RarVolume> volumes, List<RarSet> sets)
    {
        foreach (var reason in volumes.Where(volume => volume.Refusal is not null).GroupBy(volume => volume.Refusal!.Reason))
        {
            var set = new RarSet { Refusal = reason.First().Refusal };
            set.Volumes.AddRange(reason);
            sets.Add(set);
        }
    }
}

/// <summary>Volumes that belong together.</summary>
internal sealed class RarSet
{
    /// <summary>True if the set was found by name and its headers agree.</summary>
    public bool ByName { get; init; }

    /// <summary>The volumes found so far, in order.</summary>
    public List<RarVolume> Volumes { get; } = [];

    /// <summary>Duplicate volumes: part of the set, but redundant.</summary>
    public List<RarVolume> Others { get; } = [];

    /// <summary>Volumes that fit no better in their places than others.</summary>
    public HashSet<RarVolume> Doubtful { get; } = [];

    /// <summary>
    /// The volumes whose order is a guess. If any is doubtful, these are all but the first, and but a last one that its headers prove.
    /// </summary>
    public IEnumerable<RarVolume> Guessed =>
        Doubtful.Count == 0 ? [] : Volumes.Skip(1).Where((volume, index) => index < Volumes.Count - 2 || Doubtful.Contains(volume));

    /// <summary>Why the set cannot be read; null if it can.</summary>
    public ArchiveRefusal? Refusal { get; set; }

    public static RarSet Of(List<RarVolume> volumes, bool byName)
    {
        var set = new RarSet { ByName = byName };
        set.Volumes.AddRange(volumes);
        return set;
    }
}
