using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;

namespace NzbDav.Import;

/// <summary>
/// What recovery data say of volumes of which no byte is known. Where they know those volumes of a set that were looked at, they know the whole set, in the same order and with the same
/// sizes: then each other volume is what they have at its place, which the hash of its first bytes shows when it is read.
/// </summary>
internal static class ReckonedNames
{
    /// <param name="files">The post.</param>
    /// <param name="described">All that the recovery data describe.</param>
    /// <param name="names">What they say of files that were looked at; the reckoned ones are added.</param>
    /// <returns>False when the recovery data contradict what was reckoned, or could not be held against it.</returns>
    public static bool TryAdd(IReadOnlyList<ProbedFile> files, IReadOnlyList<DescribedFile> described, Dictionary<ProbedFile, DescribedFile> names)
    {
        var sets = VolumeSeries.Find([.. described.Select(one => one.Name)]);
        foreach (var series in files.Where(file => file.Series is not null).GroupBy(file => file.Series!))
        {
            var volumes = series.OrderBy(file => file.SeriesPlace).ToArray();
            if (volumes.FirstOrDefault(names.ContainsKey) is not { } known)
            {
                // Nothing of it was recognised: then nothing of it may be described by its name.
                var own = volumes.Select(file => file.Posted.FileName).ToHashSet(StringComparer.Ordinal);
                if (described.Any(one => own.Contains(one.Name)))
                    return false;
            }
            else if (sets.FirstOrDefault(set => set.Count == volumes.Length && set.Any(index => described[index] == names[known])) is not { } set || !TryAdd(volumes, [.. set.Select(index => described[index])], names))
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryAdd(ProbedFile[] volumes, DescribedFile[] set, Dictionary<ProbedFile, DescribedFile> names)
    {
        for (var i = 0; i < volumes.Length; i++)
        {
            var file = volumes[i];
            if (!file.IsReckoned ? names.GetValueOrDefault(file) != set[i] : set[i].Length != file.Length || file.Map.Segments.Size(0) < Math.Min(Par2File.HeadBytes, file.Length))
                return false;
            names[file] = set[i];
        }

        return true;
    }
}
