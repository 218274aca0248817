using System.Collections.Frozen;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary>The names of files in <c>/completed-symlinks</c>.</summary>
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

    /// <summary>The name of a file's link.</summary>
    public static string LinkOf(string file) => file + Link;

    /// <summary>The file whose link has that name; null if no link has it.</summary>
    public static string? FileOfLink(string shown) => shown.EndsWith(Link, StringComparison.Ordinal) && shown.Length > Link.Length ? shown[..^Link.Length] : null;

    /// <summary>The usual name of a file with an address: <c>video.strm</c> for <c>video.mkv</c>. A suffix that only looks like an extension stays.</summary>
    public static string AddressOf(string file)
    {
        var stem = Path.GetFileNameWithoutExtension(file);
        return (stem.Length > 0 && MediaTypes.FromName(file) != MediaTypes.Default ? stem : file) + Address;
    }

    /// <summary>True if the file itself is listed in the style of addresses.</summary>
    public static bool IsSideFile(string file) => SideFiles.Contains(Path.GetExtension(file));
}
