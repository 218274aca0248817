using System.Collections.Frozen;

namespace NzbDav.WebDav.Store;

/// <summary>
/// Media types by extension. Types that a browser would run as a page of this origin (HTML, SVG, XML, scripts) are left out on purpose:
/// posts come from strangers.
/// </summary>
public static class MediaTypes
{
    /// <summary>The type for an unknown extension.</summary>
    public const string Default = "application/octet-stream";

    private static readonly FrozenDictionary<string, string> ByExtension = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase)
    {
        ["mkv"] = "video/x-matroska",
        ["mk3d"] = "video/x-matroska",
        ["mka"] = "audio/x-matroska",
        ["mks"] = "application/x-matroska",
        ["mp4"] = "video/mp4",
        ["m4v"] = "video/mp4",
        ["mov"] = "video/quicktime",
        ["avi"] = "video/x-msvideo",
        ["divx"] = "video/x-msvideo",
        ["wmv"] = "video/x-ms-wmv",
        ["asf"] = "video/x-ms-asf",
        ["flv"] = "video/x-flv",
        ["webm"] = "video/webm",
        ["ogv"] = "video/ogg",
        ["ogm"] = "video/ogg",
        ["3gp"] = "video/3gpp",
        ["mpg"] = "video/mpeg",
        ["mpeg"] = "video/mpeg",
        ["m2v"] = "video/mpeg",
        ["vob"] = "video/mpeg",
        ["ts"] = "video/mp2t",
        ["m2ts"] = "video/mp2t",
        ["mts"] = "video/mp2t",
        ["rmvb"] = "application/vnd.rn-realmedia-vbr",
        ["iso"] = "application/x-iso9660-image",
        ["img"] = "application/octet-stream",
        ["mp3"] = "audio/mpeg",
        ["m4a"] = "audio/mp4",
        ["m4b"] = "audio/mp4",
        ["aac"] = "audio/aac",
        ["ac3"] = "audio/ac3",
        ["eac3"] = "audio/eac3",
        ["dts"] = "audio/vnd.dts",
        ["flac"] = "audio/flac",
        ["ogg"] = "audio/ogg",
        ["opus"] = "audio/ogg",
        ["wav"] = "audio/wav",
        ["wma"] = "audio/x-ms-wma",
        ["srt"] = "application/x-subrip",
        ["ass"] = "text/x-ssa",
        ["ssa"] = "text/x-ssa",
        ["sub"] = "text/x-microdvd",
        ["idx"] = "text/plain",
        ["vtt"] = "text/vtt",
        ["sup"] = "application/octet-stream",
        ["txt"] = "text/plain",
        ["nfo"] = "text/plain",
        ["sfv"] = "text/plain",
        ["md5"] = "text/plain",
        ["m3u"] = "audio/x-mpegurl",
        ["m3u8"] = "application/vnd.apple.mpegurl",
        ["strm"] = "text/plain",
        ["rclonelink"] = "text/plain",
        ["jpg"] = "image/jpeg",
        ["jpeg"] = "image/jpeg",
        ["png"] = "image/png",
        ["gif"] = "image/gif",
        ["webp"] = "image/webp",
        ["bmp"] = "image/bmp",
        ["tbn"] = "image/jpeg",
        ["pdf"] = "application/pdf",
        ["epub"] = "application/epub+zip",
        ["mobi"] = "application/x-mobipocket-ebook",
        ["azw3"] = "application/vnd.amazon.ebook",
        ["cbz"] = "application/vnd.comicbook+zip",
        ["cbr"] = "application/vnd.comicbook-rar",
        ["zip"] = "application/zip",
        ["rar"] = "application/vnd.rar",
        ["7z"] = "application/x-7z-compressed",
        ["gz"] = "application/gzip",
        ["tar"] = "application/x-tar",
        ["par2"] = "application/x-par2",
        ["nzb"] = "application/x-nzb",
        ["torrent"] = "application/x-bittorrent",
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    private static readonly FrozenDictionary<string, string>.AlternateLookup<ReadOnlySpan<char>> Lookup =
        ByExtension.GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>The media type for a file's name; allocates nothing.</summary>
    public static string FromName(ReadOnlySpan<char> name)
    {
        var dot = name.LastIndexOf('.');
        return dot >= 0 && Lookup.TryGetValue(name[(dot + 1)..], out var type) ? type : Default;
    }
}
