using System.Globalization;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Import;

/// <summary>Finds parts of cut files that are missing. Their bytes tell nowhere how many there are; what was posted beside them may.</summary>
internal static class TornFiles
{
    /// <summary>Why a cut file is not all there; null when nothing says so.</summary>
    public static ArchiveRefusal? Refuse(ArchiveLayout layout, NamedPost post) =>
        layout.Format != ArchiveFormat.Split ? null : Refuse(post.Files[layout.Volumes[0]].Name, post) ?? (layout.IsWhole ? null : RefuseByCount(layout, post));

    /// <summary>Why a part is not all of its file: recovery data describe another one. Null when nothing says so.</summary>
    public static ArchiveRefusal? Refuse(string part, NamedPost post) =>
        post.Absent.FirstOrDefault(name => VolumeSeries.ArePartsOfOne(part, name[(name.LastIndexOf('/') + 1)..])) is { } absent
            ? new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, $"'{absent}' is missing: the recovery data of the post describe it.")
            : null;

    /// <summary>The last part is as long as the others, so it is hardly the last; and the poster counted one file more, of which the .nzb has none.</summary>
    private static ArchiveRefusal? RefuseByCount(ArchiveLayout layout, NamedPost post)
    {
        var parts = layout.Volumes.Select(volume => post.Files[volume].File).ToArray();
        var counts = parts.Select(part => part.Posted.SubjectParts).ToArray();
        if (parts.Any(part => part.Length != parts[0].Length) || counts.Any(count => count.File is null || count.FileCount is null || count.FileCount != counts[0].FileCount))
            return null;
        var (next, all) = (counts.Max(count => count.File!.Value) + 1, counts[0].FileCount!.Value);
        return next <= all && !post.Counted.Contains((next, all))
            ? new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, string.Create(
                CultureInfo.InvariantCulture,
                $"'{layout.Entries[0].Path}' is not all there: its parts are all of one size, and of the {all} files that the subjects count number {next} is not in the .nzb."))
            : null;
    }
}
