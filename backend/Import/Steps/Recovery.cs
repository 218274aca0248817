using System.Buffers;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>Recovery volumes need not be looked at when nobody wants them as files: the small index of a set tells all that an import needs.</summary>
internal static class Recovery
{
    private static readonly SearchValues<char> VolumeNumber = SearchValues.Create("0123456789+-");

    /// <summary>The files to look at.</summary>
    public static IReadOnlyList<NzbFile> Needed(IReadOnlyList<NzbFile> files, ImportOptions options)
    {
        var volumes = files.Where(file => IsVolume(file.FileName) && NamePattern.Any(options.Blocklist, file.FileName!)).ToArray();
        if (volumes.Length == 0 || volumes.Length == files.Count)
            return files;
        var needless = volumes.ToHashSet();

        // Without an index the smallest volume of each set stands for it: its first packets are the same.
        var indexes = files.Where(file => !IsVolume(file.FileName) && IsPar2(file.FileName)).Select(file => StemOf(file.FileName!)).ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var set in volumes.GroupBy(file => StemOf(file.FileName!), StringComparer.OrdinalIgnoreCase))
        {
            if (!indexes.Contains(set.Key))
                needless.Remove(set.MinBy(file => file.Bytes)!);
        }

        return [.. files.Where(file => !needless.Contains(file))];
    }

    /// <summary>True when a post may have recovery data: by the names of its files, or because these say nothing. Then only their first bytes tell.</summary>
    public static bool MayBeIn(NzbDocument document) =>
        document.Files.Any(static file => IsPar2(file.FileName) || file.FileName is not { } name || FileExtension.TypeOf(name) == FileType.Unknown || NoiseName.Is(name));

    public static bool IsPar2(string? name) => name?.EndsWith(".par2", StringComparison.OrdinalIgnoreCase) == true;

    /// <summary><c>name.vol07+08.par2</c>.</summary>
    private static bool IsVolume(string? name) => IsPar2(name) && name!.Length > StemOf(name).Length + ".par2".Length;

    public static string StemOf(string name)
    {
        var stem = name[..^".par2".Length];
        var dot = stem.LastIndexOf('.');
        return dot > 0 && stem.AsSpan(dot + 1).StartsWith("vol", StringComparison.OrdinalIgnoreCase)
            && stem.Length > dot + 4 && stem.AsSpan(dot + 4).IndexOfAnyExcept(VolumeNumber) < 0 ? stem[..dot] : stem;
    }
}
