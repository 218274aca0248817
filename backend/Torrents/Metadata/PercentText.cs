using System.Globalization;
using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Percent-encoding (RFC 3986, section 2.1).</summary>
internal static class PercentText
{
    /// <summary>Encodes all bytes except letters, digits and "-._~" as %XX.</summary>
    public static string Escape(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder(3 * bytes.Length);
        foreach (var b in bytes)
        {
            if (char.IsAsciiLetterOrDigit((char)b) || b is (byte)'-' or (byte)'.' or (byte)'_' or (byte)'~')
                text.Append((char)b);
            else
                text.Append(CultureInfo.InvariantCulture, $"%{b:X2}");
        }

        return text.ToString();
    }

    /// <summary>Encodes a path. Its slashes remain.</summary>
    public static string EscapePath(string path) =>
        string.Join('/', path.Split('/').Select(static part => Escape(Encoding.UTF8.GetBytes(part))));
}
