using System.Collections.Frozen;
using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Which program a peer is, for people.</summary>
internal static class ClientNames
{
    /// <summary>A name that is longer is cut: the peer may say anything.</summary>
    public const int MostLength = 40;

    // BEP 20: two letters of a peer id in Azureus style.
    private static readonly FrozenDictionary<string, string> ByLetters = new Dictionary<string, string>(StringComparer.Ordinal)
    {
        ["AZ"] = "Azureus",
        ["BC"] = "BitComet",
        ["BI"] = "BiglyBT",
        ["DE"] = "Deluge",
        ["FD"] = "Free Download Manager",
        ["KT"] = "KTorrent",
        ["LT"] = "libtorrent",
        ["lt"] = "rTorrent",
        ["MO"] = "MonoTorrent",
        ["ND"] = "NzbDav",
        ["qB"] = "qBittorrent",
        ["TR"] = "Transmission",
        ["TX"] = "Tixati",
        ["UT"] = "µTorrent",
        ["UM"] = "µTorrent Mac",
        ["WW"] = "WebTorrent",
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>What a peer calls itself (the <c>v</c> of BEP 10), fit for a page; null for nothing.</summary>
    public static string? Clean(ReadOnlySpan<byte> said)
    {
        var text = Encoding.UTF8.GetString(said.Length > 4 * MostLength ? said[..(4 * MostLength)] : said);
        var clean = new string([.. text.Where(static c => !char.IsControl(c) && c != '\uFFFD').Take(MostLength)]).Trim();
        return clean.Length == 0 ? null : clean;
    }

    /// <summary>The program by a peer's id; null for one that is not known.</summary>
    public static string? Of(InfoHash id)
    {
        Span<byte> bytes = stackalloc byte[InfoHash.Size];
        id.CopyTo(bytes);
        if (bytes[0] != '-' || bytes[7] != '-')
            return null;
        var version = bytes[3..6];
        var name = ByLetters.GetValueOrDefault(Encoding.Latin1.GetString(bytes[1..3]));
        return name is null || version.ContainsAnyExceptInRange((byte)'0', (byte)'9') ? name : $"{name} {(char)version[0]}.{(char)version[1]}.{(char)version[2]}";
    }
}
