using System.Collections.Frozen;

namespace NzbDav.Library;

/// <summary>What files are called in <c>/completed-symlinks</c>.</summary>
internal static class LinkNames
{
    /// <summary>What rclone knows links by.</summary>
    public const string Link = ".rclonelink";

    /// <summary>What media servers know addresses by.</summary>
    public const string Address = ".strm";

    /// <summary>Small files that media servers read from beside a video: they are copied, not played.</summary>
    private static readonly FrozenSet<string> SideFiles = new[]
    {
        ".srt", ".sub", ".idx", ".ass", ".ssa", ".vtt", ".sup", ".smi", ".nfo", ".txt", ".xml", ".json", ".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".cue", ".log", ".m3u", ".lrc",
    }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>The name under which a file is shown.</summary>
    public static string Of(string file, LinkStyle style) => style == LinkStyle.Link ? file + Link : IsSideFile(file) ? file : file + Address;

    /// <summary>The file that a shown name stands for; null if it stands for none.</summary>
    public static string? FileOf(string shown, LinkStyle style)
    {
        var suffix = style == LinkStyle.Link ? Link : Address;
        if (shown.EndsWith(suffix, StringComparison.Ordinal) && shown.Length > suffix.Length && Of(shown[..^suffix.Length], style) == shown)
            return shown[..^suffix.Length];
        return style == LinkStyle.Address && IsSideFile(shown) ? shown : null;
    }

    /// <summary>True if it stands there as it is, in the style of addresses.</summary>
    public static bool IsSideFile(string file) => SideFiles.Contains(Path.GetExtension(file));
}
