using System.Globalization;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>The status and range of a response.</summary>
/// <param name="Status">Status code; 0 if the line cannot be read.</param>
/// <param name="Length">Content-Length; −1 if absent.</param>
/// <param name="Start">First byte of Content-Range; 0 if absent.</param>
internal readonly record struct RangeHead(int Status, long Length, long Start)
{
    public static RangeHead Parse(string head)
    {
        var lines = head.Split("\r\n");
        var words = lines[0].Split(' ', 3);
        var status = words.Length > 1 && int.TryParse(words[1], CultureInfo.InvariantCulture, out var code) ? code : 0;
        long length = -1, start = 0;
        foreach (var line in lines.AsSpan(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            var name = colon < 0 ? "" : line[..colon];
            var value = colon < 0 ? "" : line[(colon + 1)..].Trim();
            if (name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase) && long.TryParse(value, CultureInfo.InvariantCulture, out var bytes))
                length = bytes;

            // Content-Range: bytes 0-499/1234 (RFC 9110, 14.4)
            else if (name.Equals("Content-Range", StringComparison.OrdinalIgnoreCase) && value.StartsWith("bytes ", StringComparison.Ordinal)
                && long.TryParse(value.AsSpan(6).Slice(0, Math.Max(0, value.IndexOf('-', StringComparison.Ordinal) - 6)), CultureInfo.InvariantCulture, out var first))
                start = first;
        }

        return new RangeHead(status, length, start);
    }
}
