using System.Globalization;

namespace NzbDav.Usenet.Articles;

/// <summary>The id of a segment wanted from one provider only. The cache keeps it apart from the same article of any other.</summary>
internal static class SourcedId
{
    // No message-id holds a control character (RFC 5536 §3.1.3).
    private const char Mark = '\u0001';

    /// <summary>Makes such an id.</summary>
    /// <param name="bit">The provider's.</param>
    /// <param name="ids">The article, as a file's map names it.</param>
    public static string Of(ulong bit, string ids) => string.Create(CultureInfo.InvariantCulture, $"{Mark}{bit:x}{Mark}{ids}");

    /// <summary>Parses such an id. False: the segment may come from any provider.</summary>
    public static bool TryParse(string id, out ulong bit, out string ids)
    {
        (bit, ids) = (0, id);
        if (id.Length < 3 || id[0] != Mark || id.IndexOf(Mark, 1) is not (> 1 and var end) || !ulong.TryParse(id.AsSpan(1, end - 1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out bit))
            return false;
        ids = id[(end + 1)..];
        return true;
    }
}
