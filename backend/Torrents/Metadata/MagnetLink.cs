using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A magnet link (BEP 9): a torrent's hash, and the trackers and peers that can supply the rest. Immutable.</summary>
public sealed class MagnetLink
{
    /// <summary>Longer links are refused; a link with fifty trackers has 4,000 characters.</summary>
    public const int MostCharacters = 64 << 10;

    private const int MostEntries = 200;

    private MagnetLink(InfoHash hash, string? name, IReadOnlyList<Uri> trackers, IReadOnlyList<EndPoint> peers)
    {
        Hash = hash;
        Name = name;
        Trackers = trackers;
        Peers = peers;
    }

    /// <summary>From <c>xt=urn:btih:</c>.</summary>
    public InfoHash Hash { get; }

    /// <summary>From <c>dn</c>: a name to show until the real one is known.</summary>
    public string? Name { get; }

    /// <summary>From <c>tr</c>, in order; each is a tier of its own.</summary>
    public IReadOnlyList<Uri> Trackers { get; }

    /// <summary>From <c>x.pe</c>: addresses (or host names) and ports of peers.</summary>
    public IReadOnlyList<EndPoint> Peers { get; }

    /// <summary>Reads a link; white space around it is ignored.</summary>
    public static MetadataResult<MagnetLink> Read(string link)
    {
        ArgumentNullException.ThrowIfNull(link);
        link = link.Trim();
        if (link.Length > MostCharacters)
            return MetadataResult<MagnetLink>.Failed($"The magnet link is longer than {MostCharacters} characters.");
        if (!link.StartsWith("magnet:?", StringComparison.OrdinalIgnoreCase))
            return MetadataResult<MagnetLink>.Failed("This is not a magnet link: it does not begin with \"magnet:?\".");
        InfoHash? hash = null;
        var newer = false;
        string? name = null;
        var trackers = new List<Uri>();
        var peers = new List<EndPoint>();
        foreach (var range in link.AsSpan(8).Split('&'))
        {
            var entry = link.AsSpan(8)[range];
            var equals = entry.IndexOf('=');
            if (equals <= 0)
                continue;

            // Parameters may be numbered: xt.1, tr.2.
            var key = entry[..equals];
            var value = Uri.UnescapeDataString(entry[(equals + 1)..].ToString().Replace('+', ' '));
            if (Is(key, "xt") && value.StartsWith("urn:btih:", StringComparison.OrdinalIgnoreCase))
            {
                if (!InfoHash.TryParse(value.AsSpan(9), out var found))
                    return MetadataResult<MagnetLink>.Failed("The magnet link's hash is neither 40 hexadecimal digits nor 32 characters of base32.");
                if (hash is { } other && other != found)
                    return MetadataResult<MagnetLink>.Failed("The magnet link names two different torrents.");
                hash = found;
            }
            else if (Is(key, "xt"))
            {
                newer |= value.StartsWith("urn:btmh:", StringComparison.OrdinalIgnoreCase);
            }
            else if (Is(key, "dn"))
            {
                name ??= value;
            }
            else if (Is(key, "tr") && trackers.Count < MostEntries && MetainfoReader.TrackerUri(value) is { } tracker && !trackers.Contains(tracker))
            {
                trackers.Add(tracker);
            }
            else if (key.Equals("x.pe", StringComparison.OrdinalIgnoreCase) && peers.Count < MostEntries && PeerAddress.Parse(value) is { } peer)
            {
                peers.Add(peer);
            }
        }

        if (hash is { } read)
            return MetadataResult<MagnetLink>.Of(new MagnetLink(read, name, trackers, peers));
        return MetadataResult<MagnetLink>.Failed(newer
            ? "The magnet link names a torrent of version 2 only, which is not supported yet."
            : "The magnet link has no BitTorrent hash (xt=urn:btih:…).");
    }

    private static bool Is(ReadOnlySpan<char> key, ReadOnlySpan<char> name) =>
        key.StartsWith(name, StringComparison.OrdinalIgnoreCase) && (key.Length == name.Length || key[name.Length] == '.');
}
