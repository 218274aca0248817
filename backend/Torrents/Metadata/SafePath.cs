using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Converts the untrusted path of a torrent's file into one that cannot leave its folder.</summary>
internal static class SafePath
{
    /// <summary>Longest part of a path in bytes of UTF-8: the limit of common file systems.</summary>
    private const int MostBytes = 255;

    /// <summary>Longest extension in characters that is kept when a name is shortened.</summary>
    private const int MostExtension = 16;

    /// <summary>One part of a path, without separators, control characters and special names. Empty if nothing remains.</summary>
    public static string Part(ReadOnlySpan<byte> raw)
    {
        // Old programs wrote other encodings. Invalid UTF-8 becomes U+FFFD, and the rest stays readable.
        var text = Encoding.UTF8.GetString(raw);
        var clean = new StringBuilder(text.Length);
        foreach (var rune in text.EnumerateRunes())
        {
            var bad = Rune.IsControl(rune)
                || rune.Value is '/' or '\\' or 0x2028 or 0x2029 or (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
            if (bad)
                clean.Append('_');
            else
                clean.Append(rune.ToString());
        }

        var part = clean.ToString().Trim();
        return part is "." or ".." ? "_" : Shorten(part);
    }

    /// <summary>Changes a path that is already used by a file or a folder to "name (2).ext".</summary>
    public static string Numbered(string path, int number)
    {
        var name = path.LastIndexOf('/') + 1;
        var dot = path.LastIndexOf('.');
        return dot > name ? $"{path[..dot]} ({number}){path[dot..]}" : $"{path} ({number})";
    }

    private static string Shorten(string part)
    {
        if (Encoding.UTF8.GetByteCount(part) <= MostBytes)
            return part;
        var dot = part.LastIndexOf('.');
        var extension = dot > 0 && part.Length - dot <= MostExtension ? part[dot..] : string.Empty;
        var room = MostBytes - Encoding.UTF8.GetByteCount(extension);
        var kept = new StringBuilder();
        foreach (var rune in part.AsSpan(0, part.Length - extension.Length).EnumerateRunes())
        {
            room -= rune.Utf8SequenceLength;
            if (room < 0)
                break;
            kept.Append(rune.ToString());
        }

        return kept.ToString().TrimEnd() + extension;
    }
}
