using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Discs;

/// <summary>Lists the files of a disc image: by UDF if it has it (on Blu-ray and DVD it is more complete), else by ISO 9660.</summary>
internal static class DiscArchive
{
    /// <exception cref="ArchiveException">It cannot be read.</exception>
    /// <exception cref="Content.ContentException">Its directories cannot be read.</exception>
    public static async ValueTask<ArchiveLayout> ReadAsync(VolumeJoin image, ArchiveLayout layout, CancellationToken cancellationToken)
    {
        var udf = new UdfReader(image);
        if (await udf.OpenAsync(cancellationToken))
            return layout with { Format = ArchiveFormat.Udf, Entries = [.. await udf.ListAsync(cancellationToken)] };
        var iso = new IsoReader(image);
        return layout with { Format = ArchiveFormat.Iso9660, Entries = [.. await iso.ListAsync(cancellationToken)] };
    }
}
