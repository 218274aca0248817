using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>Finds the set of a volume whose place is unknown. For one caller at a time.</summary>
internal sealed class RarKin
{
    /// <summary>Most volumes with equal keys. Nobody posts a volume that often.</summary>
    private const int MostAlike = 32;

    private readonly Dictionary<(ArchiveFormat Format, long Length, int? Number, int Files, string? Path, uint? Crc32), List<(RarVolume Volume, RarSet Set)>> _alike = [];
    private readonly Dictionary<string, (int Order, RarSet Set)> _byStem = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (int Order, RarSet Set)> _byFile = new(StringComparer.Ordinal);

    /// <param name="sets">The known sets, in order: the first match is taken.</param>
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

    /// <summary>The refused set that the volume belongs to by its name, or because it continues a file of that set.</summary>
    public RarSet? BrokenSetOf(RarVolume volume)
    {
        var byStem = _byStem.TryGetValue(volume.Stem(), out var one) ? one : (Order: int.MaxValue, Set: (RarSet?)null);
        var byFile = volume.SplitBefore && _byFile.TryGetValue(volume.Files[0].Path, out var other) ? other : (Order: int.MaxValue, Set: (RarSet?)null);
        return (byStem.Order <= byFile.Order ? byStem : byFile).Set;
    }

    private static (ArchiveFormat, long, int?, int, string?, uint?) KeyOf(RarVolume volume) =>
        (volume.Format, volume.Length, volume.Number, volume.Files.Count, volume.Files.Count > 0 ? volume.Files[0].Path : null, volume.Files.Count > 0 ? volume.Files[0].Crc32 : null);
}
