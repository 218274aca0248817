using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.WebSeeds;

/// <summary>Where a web seed has the files of a torrent (BEP 19).</summary>
internal static class WebSeedAddress
{
    /// <summary>
    /// The address of a file. "If the web seed URL ends in a slash, the client adds the name of the torrent"; that of a torrent with
    /// folders always names the folder above them, but some lack the slash.
    /// </summary>
    public static Uri Of(Uri seed, TorrentInfo info, TorrentFile file)
    {
        var start = seed.GetLeftPart(UriPartial.Query);
        if (info.IsSingleFile && !start.EndsWith('/'))
            return new Uri(start);
        var slash = start.EndsWith('/') ? "" : "/";
        var name = info.Address ?? PercentText.EscapePath(info.Name);
        return new Uri(info.IsSingleFile ? start + name : $"{start}{slash}{name}/{file.Address ?? PercentText.EscapePath(file.Path)}");
    }
}
