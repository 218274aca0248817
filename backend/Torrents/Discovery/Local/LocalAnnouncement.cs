using System.Globalization;
using System.Text;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>A datagram of local discovery (BEP 14): the torrents that its sender has, and its port.</summary>
/// <param name="Port">Port on which the sender listens for peers.</param>
/// <param name="Hashes">The torrents.</param>
/// <param name="Cookie">Lets the sender recognise its own datagrams; null = none.</param>
internal sealed record LocalAnnouncement(int Port, IReadOnlyList<InfoHash> Hashes, string? Cookie)
{
    /// <summary>Most torrents in one datagram. It then stays below 1,400 bytes and is not fragmented on any link.</summary>
    public const int MostHashes = 23;

    /// <summary>Longest datagram in bytes; longer ones are ignored.</summary>
    public const int MostBytes = 2_048;

    /// <summary>Reads a datagram; null if it is not a valid announcement.</summary>
    public static LocalAnnouncement? Read(ReadOnlySpan<byte> datagram)
    {
        if (datagram.Length > MostBytes || !datagram.StartsWith("BT-SEARCH * HTTP/1."u8))
            return null;
        var port = 0;
        string? cookie = null;
        var hashes = new List<InfoHash>();
        foreach (var line in Encoding.Latin1.GetString(datagram).Split("\r\n").Skip(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon < 0)
                continue;
            var value = line[(colon + 1)..].Trim();
            switch (line[..colon].Trim().ToUpperInvariant())
            {
                case "PORT" when ushort.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var told):
                    port = told;
                    break;
                case "INFOHASH" when hashes.Count < MostHashes && value.Length == 40 && InfoHash.TryParse(value, out var hash):
                    hashes.Add(hash);
                    break;
                case "COOKIE":
                    cookie = value;
                    break;
            }
        }

        return port > 0 && hashes.Count > 0 ? new LocalAnnouncement(port, hashes, cookie) : null;
    }

    /// <summary>Writes the datagram for a group.</summary>
    /// <param name="group">The group's address and port, as in a URL.</param>
    public byte[] Write(string group)
    {
        var text = new StringBuilder(1_400).Append("BT-SEARCH * HTTP/1.1\r\n");
        text.Append(CultureInfo.InvariantCulture, $"Host: {group}\r\nPort: {Port}\r\n");
        foreach (var hash in Hashes)
            text.Append(CultureInfo.InvariantCulture, $"Infohash: {hash}\r\n");
        if (Cookie is not null)
            text.Append(CultureInfo.InvariantCulture, $"cookie: {Cookie}\r\n");
        return Encoding.ASCII.GetBytes(text.Append("\r\n\r\n").ToString());
    }
}
