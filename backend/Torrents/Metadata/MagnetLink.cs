using System.Buffers;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A magnet link (BEP 9): a torrent's hash, and the trackers and peers that can provide the rest. Immutable.</summary>
public sealed class MagnetLink
{
    /// <summary>Longest link in characters. One with fifty trackers has 4,000.</summary>
    public const int MostCharacters = 64 << 10;

    private const int MostEntries = 200;

    /// <summary>Most locations of a .torrent that are kept: each is asked.</summary>
    private const int MostSources = 5;

    /// <summary>Most characters to which parts of a name split at "&amp;" are joined: no file system accepts a longer name.</summary>
    private const int LongestName = 1_024;

    /// <summary>The remainder of "&amp;amp;" after the link is split at "&amp;".</summary>
    private const string Ampersand = "amp;";

    /// <summary>Prefix of a multihash: SHA-256, of 32 bytes (BEP 9).</summary>
    private const string Sha256 = "1220";

    private static readonly SearchValues<char> Digits = SearchValues.Create("0123456789ABCDEFabcdef");

    private static readonly SearchValues<char> KeyCharacters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_");

    private MagnetLink(InfoHash hash, string? name, IReadOnlyList<Uri> trackers, IReadOnlyList<EndPoint> peers, IReadOnlyList<Uri> sources)
    {
        Sources = sources;
        Hash = hash;
        Name = name;
        Trackers = trackers;
        Peers = peers;
    }

    /// <summary>The hash in <c>xt=urn:btih:</c>.</summary>
    public InfoHash Hash { get; }

    /// <summary>
    /// The version 2 hash of a hybrid in an additional <c>xt=urn:btmh:</c> (see <see cref="TorrentInfo.Alias"/>); null = none.
    /// </summary>
    public InfoHash? Alias { get; private init; }

    /// <summary>The name in <c>dn</c>, to show until the real one is known.</summary>
    public string? Name { get; }

    /// <summary>The trackers in <c>tr</c>, in order. Each is a tier of its own.</summary>
    public IReadOnlyList<Uri> Trackers { get; }

    /// <summary>Addresses (or host names) and ports of peers in <c>x.pe</c>.</summary>
    public IReadOnlyList<EndPoint> Peers { get; }

    /// <summary>HTTP or HTTPS locations of a .torrent in <c>xs</c> and <c>as</c>.</summary>
    public IReadOnlyList<Uri> Sources { get; }

    /// <summary>Web seeds in <c>ws</c> (BEP 19).</summary>
    public IReadOnlyList<Uri> WebSeeds { get; private init; } = [];

    /// <summary>The files to fetch according to <c>so</c> (BEP 53); null = all.</summary>
    public FileSelection? Selection { get; private init; }

    /// <summary>True if the link has a malformed list of files, which is then ignored.</summary>
    public bool IsSelectionUnreadable { get; private init; }

    /// <summary>Reads a link. White space around it is ignored.</summary>
    public static MetadataResult<MagnetLink> Read(string link)
    {
        ArgumentNullException.ThrowIfNull(link);
        link = link.Trim();
        if (link.Length > MostCharacters)
            return MetadataResult<MagnetLink>.Failed($"The magnet link is longer than {MostCharacters} characters.");
        if (!link.StartsWith("magnet:?", StringComparison.OrdinalIgnoreCase))
            return MetadataResult<MagnetLink>.Failed("This is not a magnet link: it does not begin with \"magnet:?\".");
        InfoHash? hash = null;
        InfoHash? alias = null;
        var newer = false;
        string? name = null;
        var trackers = new List<Uri>();
        var peers = new List<EndPoint>();
        var sources = new List<Uri>();
        var seeds = new List<Uri>();
        string? selected = null;
        foreach (var (key, value) in Parameters(link[8..]))
        {
            if (Is(key, "xt") && value.StartsWith("urn:btih:", StringComparison.OrdinalIgnoreCase))
            {
                if (value.Length == 9 + 64 && !value.AsSpan(9).ContainsAnyExcept(Digits))
                {
                    // Some programs put the hash of a version 2 torrent here.
                    newer = true;
                    alias ??= ReadAlias(value.AsSpan(9));
                    continue;
                }

                if (!InfoHash.TryParse(value.AsSpan(9), out var found))
                {
                    return MetadataResult<MagnetLink>.Failed(
                        "The magnet link's hash is neither 40 hexadecimal digits nor 32 characters of base32.");
                }

                if (hash is { } other && other != found)
                    return MetadataResult<MagnetLink>.Failed("The magnet link names two different torrents.");
                hash = found;
            }
            else if (Is(key, "xt"))
            {
                var isNewer = value.StartsWith("urn:btmh:", StringComparison.OrdinalIgnoreCase);
                newer |= isNewer;
                if (isNewer && value.AsSpan(9).StartsWith(Sha256, StringComparison.Ordinal))
                    alias ??= ReadAlias(value.AsSpan(9 + Sha256.Length));
            }
            else if (Is(key, "dn"))
            {
                name ??= value;
            }
            else if (Is(key, "tr") && trackers.Count < MostEntries && MetainfoReader.TrackerUri(value) is { } tracker)
            {
                if (!trackers.Contains(tracker))
                    trackers.Add(tracker);
            }
            else if (key.Equals("x.pe", StringComparison.OrdinalIgnoreCase) && peers.Count < MostEntries
                && PeerAddress.Parse(value) is { } peer)
            {
                peers.Add(peer);
            }
            else if ((Is(key, "xs") || Is(key, "as")) && sources.Count < MostSources
                && MetainfoReader.TrackerUri(value) is { Scheme: not "udp" } source && !sources.Contains(source))
            {
                sources.Add(source);
            }
            else if (Is(key, "ws") && seeds.Count < MetainfoReader.MostWebSeeds
                && MetainfoReader.WebSeedUri(value) is { } seed && !seeds.Contains(seed))
            {
                seeds.Add(seed);
            }
            else if (Is(key, "so"))
            {
                selected = selected is null ? value : $"{selected},{value}";
            }
        }

        if (hash is { } read)
        {
            var selection = selected is null ? null : FileSelection.Read(selected);
            return MetadataResult<MagnetLink>.Of(new MagnetLink(read, name, trackers, peers, sources)
            {
                Alias = alias,
                WebSeeds = seeds,
                Selection = selection,
                IsSelectionUnreadable = selected is not null && selection is null,
            });
        }

        return MetadataResult<MagnetLink>.Failed(newer
            ? "The magnet link names a torrent of version 2 only, which is not supported yet."
            : "The magnet link has no BitTorrent hash (xt=urn:btih:…).");
    }

    /// <summary>
    /// The first 20 of the 32 bytes of a version 2 hash, truncated as in BEP 52. Null unless there are 64 hexadecimal digits.
    /// </summary>
    private static InfoHash? ReadAlias(ReadOnlySpan<char> digits) =>
        digits.Length == 64 && !digits.ContainsAnyExcept(Digits) && InfoHash.TryParse(digits[..(2 * InfoHash.Size)], out var alias)
            ? alias : null;

    /// <summary>
    /// The decoded parameters. Web pages write links with HTML entities, so "&amp;amp;" separates parameters like "&amp;". Any other entity
    /// belongs to the name in which it occurs, and so does any part that cannot be a key ("dn=Tom &amp; Jerry").
    /// </summary>
    private static List<(string Key, string Value)> Parameters(string query)
    {
        var raw = new List<(string Key, string Value)>();
        foreach (var part in query.Split('&'))
        {
            var entry = part;
            while (entry.StartsWith(Ampersand, StringComparison.OrdinalIgnoreCase))
                entry = entry[Ampersand.Length..];
            var equals = entry.IndexOf('=', StringComparison.Ordinal);
            if (equals > 0 && !entry.AsSpan(0, equals).ContainsAnyExcept(KeyCharacters))
                raw.Add((entry[..equals], entry[(equals + 1)..]));
            else if (entry.Length > 0 && raw is [.., var (key, value)] && Is(key, "dn") && value.Length < LongestName)
                raw[^1] = (key, $"{value}&{entry}");
        }

        return raw.ConvertAll(static parameter => (parameter.Key, Decode(parameter.Key, parameter.Value)));
    }

    /// <summary>
    /// Decodes a value. A name is encoded like a form, with "+" for a space. In an address "+" stands for itself, and occurs in passkeys.
    /// An address that was encoded together with its entities contains "&amp;amp;" in place of "&amp;".
    /// </summary>
    private static string Decode(string key, string value) => Is(key, "dn")
        ? WebUtility.HtmlDecode(Uri.UnescapeDataString(value.Replace('+', ' '))).Trim()
        : Uri.UnescapeDataString(value).Replace("&" + Ampersand, "&", StringComparison.OrdinalIgnoreCase);

    /// <summary>True for a parameter of this name, which may be numbered (xt.1, tr.2).</summary>
    private static bool Is(ReadOnlySpan<char> key, ReadOnlySpan<char> name) =>
        key.StartsWith(name, StringComparison.OrdinalIgnoreCase) && (key.Length == name.Length || key[name.Length] == '.');
}
