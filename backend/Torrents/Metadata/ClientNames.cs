using System.Collections.Frozen;
using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Names of peers' programs, for display.</summary>
internal static class ClientNames
{
    /// <summary>Longer names are cut: a peer can send any text.</summary>
    public const int MostLength = 40;

    // The two letters in a peer id of Azureus style (BEP 20).
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

    /// <summary>Cleans the client name that a peer sends (<c>v</c>, BEP 10) for display. Null if nothing is left.</summary>
    public static string? Clean(ReadOnlySpan<byte> sent)
    {
        var text = Encoding.UTF8.GetString(sent.Length > 4 * MostLength ? sent[..(4 * MostLength)] : sent);
        var clean = new string([.. text.Where(static c => !char.IsControl(c) && c != '\uFFFD').Take(MostLength)]).Trim();
        return clean.Length == 0 ? null : clean;
    }

    /// <summary>The program identified by a peer id (BEP 20); null if it is unknown.</summary>
    public static string? Of(InfoHash id)
    {
        Span<byte> bytes = stackalloc byte[InfoHash.Size];
        id.CopyTo(bytes);
        if (bytes[0] != '-' || bytes[7] != '-')
            return null;
        var version = bytes[3..6];
        var name = ByLetters.GetValueOrDefault(Encoding.Latin1.GetString(bytes[1..3]));
        return name is null || version.ContainsAnyExceptInRange((byte)'0', (byte)'9')
            ? name : $"{name} {(char)version[0]}.{(char)version[1]}.{(char)version[2]}";
    }
}
