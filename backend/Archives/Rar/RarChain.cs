using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Builds sets of volumes with meaningless names from their headers: which volume begins a set, and which one continues it. For one job.
/// </summary>
/// <param name="volumes">The readable volumes, in the order of the files.</param>
/// <param name="refused">The volumes whose headers could not be read.</param>
internal sealed class RarChain(List<RarVolume> volumes, IEnumerable<RarVolume> refused)
{
    private readonly RarVolumePool _left = new(volumes);
    private readonly ILookup<VolumeName?, RarVolume> _refused = refused.ToLookup(volume => VolumeName.Parse(volume.Name));

    /// <summary>Number of comparisons of two volumes.</summary>
    public long Comparisons => _left.Comparisons;

    /// <summary>Adds the sets to the list, whether complete or refused.</summary>
    public void Run(List<RarSet> sets)
    {
        var begun = new List<RarSet>();
        foreach (var volume in volumes)
        {
            if (volume.SplitBefore || volume.HeaderNumber is > 0)
                continue;
            _left.Remove(volume);
            begun.Add(RarSet.Of([volume], byName: false));
        }

        // All sets grow in turn, so that each volume goes to the set that needs it next.
        for (var growing = begun; growing.Count > 0;)
            growing = growing.FindAll(Grow);
        foreach (var set in begun)
            set.Refusal = MissingAfter(set);
        sets.AddRange(begun);
        AssignStrays(sets);
    }

    private bool Grow(RarSet set)
    {
        var last = set.Volumes[^1];
        if (!last.IsVolume || last.Continues == false)
            return false;
        var (next, proven) = _left.Next(last, set.Volumes.Count);
        if (next is null)
            return false;
        _left.Remove(next);
        set.Volumes.Add(next);
        if (!proven)
            set.Doubtful.Add(next);
        return true;
    }

    private ArchiveRefusal? MissingAfter(RarSet set)
    {
        var last = set.Volumes[^1];
        if (!last.SplitAfter && last.Continues != true)
            return null;

        // The volume may exist, but not be readable. That reason is more helpful than saying that it is missing.
        var which = $"volume {set.Volumes.Count + 1} of the set that begins with '{set.Volumes[0].Name}'";
        return VolumeName.Parse(last.Name) is { } before
            && _refused[before with { Number = before.Number + 1 }].FirstOrDefault()?.Refusal is { } reason
            ? reason with { Text = $"RAR: {which} cannot be read. {reason.Text}" }
            : new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, $"RAR volumes missing: {which} is not there.");
    }

    /// <summary>Assigns the volumes that fit into no set: duplicates, and those after a gap.</summary>
    private void AssignStrays(List<RarSet> sets)
    {
        if (!_left.All.Any())
            return;
        var known = new RarKin(sets);
        RarSet? strays = null;
        foreach (var volume in _left.All)
        {
            if ((known.TwinOf(volume) ?? known.BrokenSetOf(volume)) is { } set)
            {
                set.Others.Add(volume);
                continue;
            }

            if (strays is null)
            {
                strays = new RarSet();
                sets.Add(strays);
            }

            strays.Volumes.Add(volume);
            known.Add(volume, strays);
        }

        if (strays is not null)
            strays.Refusal = MissingBefore(strays.Volumes.MinBy(volume => Place(volume) ?? int.MaxValue)!);
    }

    private static ArchiveRefusal MissingBefore(RarVolume volume)
    {
        var which = Place(volume) switch
        {
            null => $"the one before '{volume.Name}'",
            1 => $"volume 1 of the set of '{volume.Name}'",
            { } place => $"volumes 1 to {place} of the set of '{volume.Name}'",
        };
        return new ArchiveRefusal(
            ArchiveRefusalReason.MissingVolumes, $"RAR volumes missing: {which} {(Place(volume) > 1 ? "are" : "is")} not there.");
    }

    /// <summary>Number of volumes before it; null if neither its headers nor its name show that.</summary>
    private static int? Place(RarVolume volume) =>
        volume.Number is > 0 and var number ? number
        : VolumeName.Parse(volume.Name) is { } name ? Math.Max(1, name.Scheme == VolumeScheme.Letter ? name.Number : name.Number - 1)
        : null;
}

/// <summary>Finds the set of a volume whose place is unknown. For one caller at a time.</summary>
internal sealed class RarKin
{
    /// <summary>Most volumes with equal keys: nobody posts a volume that often.</summary>
    private const int MostAlike = 32;

    private readonly Dictionary<(ArchiveFormat Format, long Length, int? Number, int Files, string? Path, uint? Crc32),
        List<(RarVolume Volume, RarSet Set)>> _alike = [];
    private readonly Dictionary<string, (int Order, RarSet Set)> _byStem = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (int Order, RarSet Set)> _byFile = new(StringComparer.Ordinal);

    /// <param name="sets">The known sets, in order: the first match is used.</param>
    public RarKin(List<RarSet> sets)
    {
        for (var order = 0; order < sets.Count; order++)
        {
            foreach (var volume in sets[order].Volumes)
            {
                Add(volume, sets[order]);
                if (sets[order].Refusal is null)
                    continue;
                _byStem.TryAdd(volume.Stem(), (order, sets[order]));
                if (volume.SplitAfter)
                    _byFile.TryAdd(volume.Files[^1].Path, (order, sets[order]));
            }
        }
    }

    public void Add(RarVolume volume, RarSet set)
    {
        var key = KeyOf(volume);
        if (!_alike.TryGetValue(key, out var alike))
            _alike[key] = alike = [];
        if (alike.Count < MostAlike)
            alike.Add((volume, set));
    }

    /// <summary>The set that contains a copy of the volume; null if none does.</summary>
    public RarSet? TwinOf(RarVolume volume) => _alike.GetValueOrDefault(KeyOf(volume))?.Find(one => volume.IsCopyOf(one.Volume)).Set;

    /// <summary>The refused set to which the volume belongs by its name, or because it continues a file of that set.</summary>
    public RarSet? BrokenSetOf(RarVolume volume)
    {
        var byStem = _byStem.TryGetValue(volume.Stem(), out var one) ? one : (Order: int.MaxValue, Set: (RarSet?)null);
        var byFile = volume.SplitBefore && _byFile.TryGetValue(volume.Files[0].Path, out var other)
            ? other : (Order: int.MaxValue, Set: (RarSet?)null);
        return (byStem.Order <= byFile.Order ? byStem : byFile).Set;
    }

    private static (ArchiveFormat, long, int?, int, string?, uint?) KeyOf(RarVolume volume) =>
        (volume.Format, volume.Length, volume.Number, volume.Files.Count, volume.Files.Count > 0 ? volume.Files[0].Path : null,
            volume.Files.Count > 0 ? volume.Files[0].Crc32 : null);
}
