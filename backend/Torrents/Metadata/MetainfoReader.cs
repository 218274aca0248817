using System.Net;
using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Reads the outer dictionary of a .torrent file.</summary>
internal static class MetainfoReader
{
    /// <summary>More trackers than this are dropped.</summary>
    private const int MostTrackers = 200;

    private const int MostPeers = 200;

    /// <summary>RFC 1035, section 2.3.4: a name has 255 bytes at most, with a length before each label and one at the end.</summary>
    private const int MostHostName = 253;

    /// <summary>Key of the peers; sorts after "info".</summary>
    public static ReadOnlySpan<byte> PeersKey => "x.pe"u8;

    public static MetadataResult<Metainfo> Read(ReadOnlySpan<byte> torrent)
    {
        if (torrent.Length > Metainfo.MostBytes)
            return MetadataResult<Metainfo>.Failed($"The .torrent file is larger than {Metainfo.MostBytes >> 20} MiB.");
        if (torrent.StartsWith("magnet:"u8))
            return MetadataResult<Metainfo>.Failed("This is a magnet link, not a .torrent file: save it with the ending .magnet.");
        var reader = new BencodeReader(torrent);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return MetadataResult<Metainfo>.Failed("This is not a .torrent file: it does not begin with a bencoded dictionary.");
        byte[]? info = null;
        string? announce = null;
        var tiers = new List<IReadOnlyList<Uri>>();
        var peers = new List<EndPoint>();
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (key.SequenceEqual("announce"u8))
                announce = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : announce;
            else if (key.SequenceEqual("announce-list"u8) && tiers.Count == 0)
                ReadTiers(ref reader, tiers);
            else if (key.SequenceEqual("info"u8) && info is null)
                info = ReadRaw(ref reader, torrent);
            else if (key.SequenceEqual(PeersKey))
                ReadPeers(ref reader, peers);
            else
                reader.SkipValue();
        }

        if (reader.Error is { } error)
            return MetadataResult<Metainfo>.Failed($"The .torrent file {error}.");
        if (info is null)
            return MetadataResult<Metainfo>.Failed("The .torrent file has no info dictionary.");
        var read = InfoReader.Read(info);
        if (!read.Succeeded)
            return MetadataResult<Metainfo>.Failed(read.Error);

        // BEP 12: the list replaces the single one.
        if (tiers.Count == 0 && announce is not null && TrackerUri(announce) is { } single)
            tiers.Add([single]);
        return MetadataResult<Metainfo>.Of(new Metainfo(read.Value, tiers, peers));
    }

    /// <summary>A tracker's address if it is one: http, https or udp.</summary>
    internal static Uri? TrackerUri(string text) =>
        Uri.TryCreate(text.Trim(), UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https" or "udp" && HasHost(uri) ? uri : null;

    /// <summary>True if its host is an address, or a name that can be looked up. An invalid name is noticed only when it is read.</summary>
    private static bool HasHost(Uri uri)
    {
        try
        {
            return uri.Host.Length > 0 && uri.IdnHost.Length is > 0 and <= MostHostName;
        }
        catch (UriFormatException)
        {
            return false;
        }
    }

    private static byte[]? ReadRaw(ref BencodeReader reader, ReadOnlySpan<byte> torrent)
    {
        if (!reader.Read())
            return null;
        var start = reader.Start;
        reader.SkipRest();
        return reader.Error is null ? torrent[start..reader.Position].ToArray() : null;
    }

    private static void ReadPeers(ref BencodeReader reader, List<EndPoint> peers)
    {
        if (!reader.ReadValue(BencodeToken.List))
            return;
        while (reader.ReadElement())
        {
            if (reader.Token != BencodeToken.Text)
                reader.SkipRest();
            else if (peers.Count < MostPeers && PeerAddress.Parse(Encoding.UTF8.GetString(reader.Text)) is { } peer)
                peers.Add(peer);
        }
    }

    private static void ReadTiers(ref BencodeReader reader, List<IReadOnlyList<Uri>> tiers)
    {
        if (!reader.ReadValue(BencodeToken.List))
            return;
        var count = 0;
        while (reader.ReadElement())
        {
            if (reader.Token != BencodeToken.List)
            {
                reader.SkipRest();
                continue;
            }

            var tier = new List<Uri>();
            while (reader.ReadElement())
            {
                if (reader.Token != BencodeToken.Text)
                    reader.SkipRest();
                else if (count < MostTrackers && TrackerUri(Encoding.UTF8.GetString(reader.Text)) is { } uri && !tier.Contains(uri))
                    tier.Add(uri);
            }

            count += tier.Count;
            if (tier.Count > 0)
                tiers.Add(tier);
        }
    }
}
