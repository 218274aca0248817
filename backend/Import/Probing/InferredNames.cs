using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;

namespace NzbDav.Import.Probing;

/// <summary>
/// Gives inferred volumes the names that recovery data have for them. If recovery data describe those volumes of a set that were read, they
/// describe the whole set, in the same order and with the same sizes. Each other volume is then the one described at its place; the hash of
/// its first bytes proves that when it is read.
/// </summary>
internal static class InferredNames
{
    /// <param name="files">The post.</param>
    /// <param name="described">All files that the recovery data describe.</param>
    /// <param name="names">The descriptions of files that were read; those of inferred volumes are added.</param>
    /// <returns>False if the recovery data contradict what was inferred, or cannot be compared with it.</returns>
    public static bool TryAdd(
        IReadOnlyList<ProbedFile> files, IReadOnlyList<DescribedFile> described, Dictionary<ProbedFile, DescribedFile> names)
    {
        var sets = VolumeSeries.Find([.. described.Select(one => one.Name)]);
        foreach (var group in files.Where(file => file.Set is not null).GroupBy(file => file.Set!))
        {
            var volumes = group.OrderBy(file => file.SetPlace).ToArray();
            if (volumes.FirstOrDefault(names.ContainsKey) is not { } known)
            {
                // None of its volumes was recognised, so the recovery data must not describe any of them under its posted name.
                var own = volumes.Select(file => file.Posted.FileName).ToHashSet(StringComparer.Ordinal);
                if (described.Any(one => own.Contains(one.Name)))
                    return false;
            }
            else if (sets.FirstOrDefault(set => set.Count == volumes.Length && set.Any(index => described[index] == names[known]))
                is not { } set || !TryAdd(volumes, [.. set.Select(index => described[index])], names))
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
            if (file.Inferred is null ? names.GetValueOrDefault(file) != set[i] : set[i].Length != file.Length
                || file.Map.Segments.Size(0) < Math.Min(Par2File.HeadBytes, file.Length))
                return false;
            names[file] = set[i];
        }

        return true;
    }
}

/// <summary>A file as recovery data describe it.</summary>
/// <param name="Name">Name, which may have folders; not made safe.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="HeadHash">MD5 of its first 16 KiB.</param>
/// <param name="Hash">MD5 of all of it.</param>
internal sealed record DescribedFile(string Name, long Length, ReadOnlyMemory<byte> HeadHash, ReadOnlyMemory<byte> Hash)
{
    /// <summary>Description of a file in recovery data.</summary>
    public static DescribedFile Of(Par2File file) => new(file.Name, file.Length, file.HeadHash, file.Hash);
}
