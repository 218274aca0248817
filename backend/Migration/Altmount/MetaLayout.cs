using NzbDav.Migration.Rebuilding;

namespace NzbDav.Migration.Altmount;

/// <summary>Finds the posted files in a list of articles: altmount stores a file's articles without volume boundaries.</summary>
internal static class MetaLayout
{
    /// <summary>Bytes of a 7z signature header: the bytes of the first file follow it.</summary>
    private const int SevenZipHead = 32;

    /// <returns>The layout, or why no .nzb can be built from it, as a sentence without a full stop.</returns>
    public static (FileLayout? Layout, string? Problem) Of(MetaFile file, IReadOnlyList<MetaSegment> segments)
    {
        if (file.Encryption is 1 or 2)
            return (null, "it is encrypted in a way that only rclone reads");
        if (file.IsNested)
            return (null, "it lies in an archive inside an archive");
        if (segments.Count == 0)
            return (null, "its .meta file names no articles");
        if (segments.Any(segment => segment.Size < 1 || segment.Start < 0 || segment.Last < segment.Start || segment.Last >= segment.Size
            || segment.Id.Length is 0 or > 500 || segment.Id.AsSpan().IndexOfAnyInRange('\0', ' ') >= 0))
            return (null, "its .meta file contradicts itself");
        if (segments[0].Start == SevenZipHead)
            return (null, "it lies in a 7z archive, whose header altmount did not keep");
        var parts = new List<PostPart>();
        var first = 0;
        for (var i = 1; i <= segments.Count; i++)
        {
            // A volume's header precedes its bytes, and its end follows them.
            if (i < segments.Count && segments[i].Start == 0 && segments[i - 1].Last == segments[i - 1].Size - 1)
                continue;
            parts.Add(Part([.. segments.Skip(first).Take(i - first)]));
            first = i;
        }

        return (new FileLayout(parts, parts is [{ Start: 0 } whole] && whole.End == whole.Size, file.Encryption == 3), null);
    }

    private static PostPart Part(List<MetaSegment> segments)
    {
        var size = segments.Sum(segment => segment.Size);
        return new PostPart(
            [.. segments.Select(segment => segment.Id)], size, segments[0].Start, size - (segments[^1].Size - 1 - segments[^1].Last));
    }
}
