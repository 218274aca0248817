using System.Buffers;
using NzbDav.Import.Options;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Names;

/// <summary>
/// Chooses the files of a post that an import reads. Recovery volumes are skipped if the blocklist hides them: the small index of a set has
/// all descriptions that an import needs.
/// </summary>
internal static class RecoveryFiles
{
    private static readonly SearchValues<char> VolumeNumber = SearchValues.Create("0123456789+-");

    /// <summary>The files that an import has to read.</summary>
    public static IReadOnlyList<NzbFile> Needed(IReadOnlyList<NzbFile> files, ImportOptions options)
    {
        var volumes = files.Where(file => IsVolume(file.FileName) && NamePattern.Any(options.Blocklist, file.FileName!)).ToArray();
        if (volumes.Length == 0 || volumes.Length == files.Count)
            return files;
        var needless = volumes.ToHashSet();

        // If a set has no index, its smallest volume is read instead: its first packets are the same.
        var indexes = files.Where(file => !IsVolume(file.FileName) && IsPar2(file.FileName)).Select(file => StemOf(file.FileName!))
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var set in volumes.GroupBy(file => StemOf(file.FileName!), StringComparer.OrdinalIgnoreCase))
        {
            if (!indexes.Contains(set.Key))
                needless.Remove(set.MinBy(file => file.Bytes)!);
        }

        return [.. files.Where(file => !needless.Contains(file))];
    }

    /// <summary>
    /// True if a post may have recovery data: some file has such a name, or has a name that does not show its type, so that only its first
    /// bytes can show it.
    /// </summary>
    public static bool MayBeIn(NzbDocument document) =>
        document.Files.Any(static file => IsPar2(file.FileName) || file.FileName is not { } name
            || FileExtension.TypeOf(name) == FileType.Unknown || RandomName.Is(name));

    public static bool IsPar2(string? name) => name?.EndsWith(".par2", StringComparison.OrdinalIgnoreCase) == true;

    /// <summary>True for names such as <c>name.vol07+08.par2</c>.</summary>
    private static bool IsVolume(string? name) => IsPar2(name) && name!.Length > StemOf(name).Length + ".par2".Length;

    public static string StemOf(string name)
    {
        var stem = name[..^".par2".Length];
        var dot = stem.LastIndexOf('.');
        return dot > 0 && stem.AsSpan(dot + 1).StartsWith("vol", StringComparison.OrdinalIgnoreCase)
            && stem.Length > dot + 4 && stem.AsSpan(dot + 4).IndexOfAnyExcept(VolumeNumber) < 0 ? stem[..dot] : stem;
    }
}
