namespace NzbDav.WebDav.Streams;

/// <summary>Short names of programs by their User-Agent. Pure.</summary>
public static class ClientPrograms
{
    private const int Longest = 32;

    /// <summary>
    /// Texts in the header, and the names that they stand for. Players come before the libraries that they use, and those before browsers,
    /// because many imitate browsers.
    /// </summary>
    private static readonly (string Mark, string Name)[] Known =
    [
        ("Infuse", "Infuse"), ("IINA", "IINA"), ("VLC", "VLC"), ("Kodi", "Kodi"), ("mpv", "mpv"), ("nPlayer", "nPlayer"),
        ("PotPlayer", "PotPlayer"), ("MPC-HC", "MPC-HC"), ("Stremio", "Stremio"),
        ("Jellyfin", "Jellyfin"), ("Emby", "Emby"), ("Plex", "Plex"), ("rclone", "rclone"), ("Lavf", "FFmpeg"), ("ExoPlayer", "ExoPlayer"),
        ("AppleCoreMedia", "Apple player"), ("stagefright", "Android player"),
        ("davfs2", "davfs2"), ("WebDAVFS", "macOS Finder"), ("Microsoft-WebDAV", "Windows Explorer"), ("gvfs", "GNOME Files"),
        ("aria2", "aria2"), ("curl", "curl"), ("Wget", "Wget"),
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];

    /// <summary>The program's name if it is a known one, which reveals nothing about its user; otherwise null.</summary>
    public static string? KnownNameOf(string? userAgent)
    {
        foreach (var (mark, name) in Known)
        {
            if (userAgent?.Contains(mark, StringComparison.OrdinalIgnoreCase) == true)
                return name;
        }

        return null;
    }

    /// <summary>The program's name; for an unknown program the beginning of the header, and "unknown" without a header.</summary>
    public static string NameOf(string? userAgent)
    {
        if (string.IsNullOrWhiteSpace(userAgent))
            return "unknown";
        if (KnownNameOf(userAgent) is { } known)
            return known;
        var end = userAgent.AsSpan().Trim().IndexOfAny('/', ' ', '(');
        var first = end > 0 ? userAgent.Trim()[..end] : userAgent.Trim();
        return first.Length > Longest ? first[..Longest] : first;
    }
}
