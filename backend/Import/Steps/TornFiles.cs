using System.Globalization;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Import.Steps;

/// <summary>Detects missing parts of split files. The parts themselves do not say how many there are; other files of the post may.</summary>
internal static class TornFiles
{
    /// <summary>Why a split file is incomplete; null if nothing shows that it is.</summary>
    public static ArchiveRefusal? Refuse(ArchiveLayout layout, NamedPost post) =>
        layout.Format != ArchiveFormat.Split ? null : Refuse(post.Files[layout.Volumes[0]].Name, post) ?? (layout.IsWhole ? null : RefuseByCount(layout, post));

    /// <summary>Why a part is not its whole file: recovery data describe another part. Null if nothing shows that.</summary>
    public static ArchiveRefusal? Refuse(string part, NamedPost post) =>
        post.Absent.FirstOrDefault(name => VolumeSeries.ArePartsOfOne(part, name[(name.LastIndexOf('/') + 1)..])) is { } absent
            ? new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, $"'{absent}' is missing: the recovery data of the post describe it.")
            : null;

    /// <summary>
    /// Refuses a file whose last part is as long as the others, and so is hardly the last, if the subjects also count one file more that is not in the .nzb.
    /// </summary>
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
