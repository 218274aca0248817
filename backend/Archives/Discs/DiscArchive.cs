using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Discs;

/// <summary>Lists the files of a disc image: by UDF if there is one (more complete on Blu-ray and DVD), otherwise by ISO 9660.</summary>
internal static class DiscArchive
{
    /// <exception cref="ArchiveException">The image cannot be interpreted.</exception>
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

/// <summary>Limits against malicious images.</summary>
internal static class DiscLimits
{
    /// <summary>Longest directory in bytes. 16 MiB hold about 200,000 names.</summary>
    public const int MostDirectory = 16 << 20;

    /// <summary>Most files and directories together.</summary>
    public const int MostEntries = 200_000;

    /// <summary>Deepest nesting of directories. ISO 9660 allows 8; images in use have up to a dozen.</summary>
    public const int MostDepth = 64;

    /// <summary>Most extents of one file. On an image that was written once a file has a handful, of up to 1 GiB each.</summary>
    public const int MostExtents = 100_000;
}
