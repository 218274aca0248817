namespace NzbDav.Archives.Volumes;

/// <summary>Finds sets of volumes by their names only. Stateless.</summary>
public static class VolumeSeries
{
    /// <summary>Smallest set that is found. Reading all volumes of a smaller set costs little.</summary>
    public const int Fewest = 5;

    /// <summary>
    /// Finds names of one stem that are numbered from the first on, without gaps or duplicates: <c>x.part01.rar …</c>, <c>x.rar, x.r00
    /// …</c>, <c>x.001 …</c>.
    /// </summary>
    /// <param name="names">Names of files; may be empty or random.</param>
    /// <returns>The sets of at least <see cref="Fewest"/> names, as indexes into <paramref name="names"/>, in the order of the
    /// numbers.</returns>
    public static IReadOnlyList<IReadOnlyList<int>> Find(IReadOnlyList<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        var stems = new Dictionary<string, List<(int Number, int Index)>>(StringComparer.Ordinal);
        for (var i = 0; i < names.Count; i++)
        {
            if (VolumeName.Parse(names[i]) is not { } name)
                continue;
            if (!stems.TryGetValue(name.Stem, out var set))
                stems[name.Stem] = set = [];
            set.Add((name.Number, i));
        }

        var found = new List<IReadOnlyList<int>>();
        foreach (var set in stems.Values)
        {
            set.Sort();
            if (set.Count >= Fewest && set[0].Number <= 1 && IsGapless(set))
                found.Add(set.ConvertAll(volume => volume.Index));
        }

        return found;
    }

    /// <summary>The name that the volumes of a set share, without numbers and archive extensions.</summary>
    public static string SetName(string volume)
    {
        ArgumentNullException.ThrowIfNull(volume);
        var name = VolumeName.Parse(volume) is { } parsed ? volume[..(parsed.Stem.Length - 2)] : volume;
        return name.EndsWith(".7z", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".rar", StringComparison.OrdinalIgnoreCase)
            ? name[..name.LastIndexOf('.')]
            : name;
    }

    /// <summary>True if the names are those of two parts of one split file: <c>x.mkv.001</c> and <c>x.mkv.007</c>.</summary>
    public static bool ArePartsOfOne(string name, string other) =>
        VolumeName.Parse(name) is { Scheme: VolumeScheme.Numeric } one && VolumeName.Parse(other) is { Scheme: VolumeScheme.Numeric } two
        && one.Number != two.Number && string.Equals(one.Stem, two.Stem, StringComparison.Ordinal);

    private static bool IsGapless(List<(int Number, int Index)> set)
    {
        for (var i = 1; i < set.Count; i++)
        {
            if (set[i].Number != set[i - 1].Number + 1)
                return false;
        }

        return true;
    }
}
