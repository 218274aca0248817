namespace NzbDav.Usenet.Nzb;

/// <summary>Describes a file that was given as an NZB but is something else: people drop archives, torrents and error pages.</summary>
internal static class NzbForeignFormat
{
    /// <summary>For input without any XML tag.</summary>
    public static string Describe(ReadOnlySpan<byte> head) => head switch
    {
        [] => "The file is empty.",
        [0x1F, 0x8B, ..] => "This is a gzip file, not an NZB: unpack it first.",
        [(byte)'P', (byte)'K', 3, 4, ..] => "This is a zip archive, not an NZB: unpack it first.",
        [(byte)'R', (byte)'a', (byte)'r', (byte)'!', ..] => "This is a RAR archive, not an NZB.",
        [(byte)'7', (byte)'z', 0xBC, 0xAF, ..] => "This is a 7z archive, not an NZB.",
        [0x28, 0xB5, 0x2F, 0xFD, ..] => "This is a zstd file, not an NZB: unpack it first.",
        [(byte)'d', >= (byte)'1' and <= (byte)'9', (byte)':' or (>= (byte)'0' and <= (byte)'9'), ..] => "This is a torrent, not an NZB.",
        [(byte)'{' or (byte)'[', ..] => "This is JSON, not an NZB: the indexer probably answered with an error.",
        _ => "This is not an NZB: there is no XML in it.",
    };

    /// <summary>For XML or HTML without an <c>nzb</c> element.</summary>
    /// <param name="firstTag">The first element's name.</param>
    /// <param name="code">Its <c>code</c> attribute, empty if it has none.</param>
    /// <param name="description">Its <c>description</c> attribute, empty if it has none.</param>
    public static string DescribeXml(string firstTag, string? code, string? description)
    {
        // https://newznab.readthedocs.io/en/latest/misc/api/#newznab-error-codes
        if (firstTag.Equals("error", StringComparison.OrdinalIgnoreCase) && !string.IsNullOrWhiteSpace(description))
            return $"The indexer answered with an error instead of an NZB: {description} (code {(string.IsNullOrWhiteSpace(code) ? "unknown" : code)}).";
        if (firstTag.Equals("html", StringComparison.OrdinalIgnoreCase))
            return "This is a web page, not an NZB: the link probably led to an error or login page.";
        if (firstTag.Equals("rss", StringComparison.OrdinalIgnoreCase))
            return "This is an RSS feed, not an NZB.";
        return $"This is not an NZB: there is no <nzb> in it; the first tag is <{firstTag}>.";
    }
}
