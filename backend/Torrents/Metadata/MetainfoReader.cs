using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Reads the outer dictionary of a .torrent file.</summary>
internal static class MetainfoReader
{
    /// <summary>Most trackers kept. Further ones are dropped.</summary>
    private const int MostTrackers = 200;

    private const int MostPeers = 200;

    /// <summary>Most web seeds kept. Further ones are dropped. Sites with many mirrors list fifty.</summary>
    internal const int MostWebSeeds = 100;

    /// <summary>Most nodes kept. Further ones are dropped. Programs write about ten.</summary>
    private const int MostNodes = 50;

    /// <summary>Longest comment or program name that is kept, in bytes.</summary>
    private const int MostText = 4_096;

    /// <summary>
    /// Longest host name in characters. RFC 1035, section 2.3.4: a name has at most 255 bytes, with a length before each label and one at
    /// the end.
    /// </summary>
    private const int MostHostName = 253;

    /// <summary>31 December 9999 in seconds since 1970.</summary>
    private const long MostTime = 253_402_300_799;

    /// <summary>Key of the peers; sorts after "info".</summary>
    public static ReadOnlySpan<byte> PeersKey => "x.pe"u8;

    /// <summary>Key of the web seeds (BEP 19); sorts after "nodes".</summary>
    public static ReadOnlySpan<byte> WebSeedsKey => "url-list"u8;

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
        var nodes = new List<EndPoint>();
        var seeds = new List<Uri>();
        string? comment = null;
        string? better = null;
        string? creator = null;
        long? created = null;
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
            else if (key.SequenceEqual(WebSeedsKey))
                ReadWebSeeds(ref reader, seeds);
            else if (key.SequenceEqual("nodes"u8))
                ReadNodes(ref reader, nodes);
            else if (key.SequenceEqual("comment"u8))
                comment = ReadText(ref reader);
            else if (key.SequenceEqual("comment.utf-8"u8))
                better = ReadText(ref reader);
            else if (key.SequenceEqual("created by"u8))
                creator = ReadText(ref reader);
            else if (key.SequenceEqual("creation date"u8))
                created = reader.ReadInteger(0) is > 0 and <= MostTime and var seconds ? seconds : null;
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

        // announce-list replaces announce (BEP 12).
        if (tiers.Count == 0 && announce is not null && TrackerUri(announce) is { } single)
            tiers.Add([single]);
        return MetadataResult<Metainfo>.Of(new Metainfo(read.Value, tiers, peers)
        {
            Nodes = nodes,
            WebSeeds = seeds,
            Origin = new TorrentOrigin(better ?? comment ?? "", creator ?? "", created),
        });
    }

    /// <summary>A tracker's address (http, https or udp); null if the text is not one.</summary>
    internal static Uri? TrackerUri(string text) =>
        Uri.TryCreate(text.Trim(), UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https" or "udp" && HasHost(uri) ? uri : null;

    /// <summary>A web seed's address (http or https); null if the text is not one.</summary>
    internal static Uri? WebSeedUri(string text) => TrackerUri(text) is { Scheme: not "udp" } uri ? uri : null;

    /// <summary>
    /// True if the host is an address or a name that can be resolved. <see cref="Uri"/> detects an invalid name only when the name is read.
    /// </summary>
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

    /// <summary>Reads a list of addresses, or a single one (BEP 19).</summary>
    private static void ReadWebSeeds(ref BencodeReader reader, List<Uri> seeds)
    {
        if (!reader.Read())
            return;
        if (reader.Token == BencodeToken.Text)
        {
            Add(reader.Text, seeds);
            return;
        }

        if (reader.Token != BencodeToken.List)
        {
            reader.SkipRest();
            return;
        }

        while (reader.ReadElement())
        {
            if (reader.Token == BencodeToken.Text)
                Add(reader.Text, seeds);
            else
                reader.SkipRest();
        }

        static void Add(ReadOnlySpan<byte> text, List<Uri> seeds)
        {
            if (seeds.Count < MostWebSeeds && WebSeedUri(Encoding.UTF8.GetString(text)) is { } seed && !seeds.Contains(seed))
                seeds.Add(seed);
        }
    }

    /// <summary>Reads pairs of a host (name or address) and a port (BEP 5).</summary>
    private static void ReadNodes(ref BencodeReader reader, List<EndPoint> nodes)
    {
        if (!reader.ReadValue(BencodeToken.List))
            return;
        while (reader.ReadElement())
        {
            if (reader.Token != BencodeToken.List)
            {
                reader.SkipRest();
                continue;
            }

            string? host = null;
            long port = 0;
            while (reader.ReadElement())
            {
                if (reader.Token == BencodeToken.Text)
                    host ??= Encoding.UTF8.GetString(reader.Text[..Math.Min(reader.Text.Length, MostHostName)]);
                else if (reader.Token == BencodeToken.Integer)
                    port = reader.Integer;
                else
                    reader.SkipRest();
            }

            if (nodes.Count < MostNodes && host is not null && PeerAddress.Of(host, port) is { } node)
                nodes.Add(node);
        }
    }

    private static string? ReadText(ref BencodeReader reader) => reader.ReadValue(BencodeToken.Text) && reader.Text.Length <= MostText
        ? Encoding.UTF8.GetString(reader.Text) : null;

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

/// <summary>Result of reading a .torrent, a magnet link or an info dictionary.</summary>
public sealed class MetadataResult<T>
    where T : class
{
    private MetadataResult(T? value, string? error)
    {
        Value = value;
        Error = error;
    }

    /// <summary>True if there is a value, false if there is an error.</summary>
    [MemberNotNullWhen(true, nameof(Value))]
    [MemberNotNullWhen(false, nameof(Error))]
    public bool Succeeded => Value is not null;

    /// <summary>The result; null if there is an error.</summary>
    public T? Value { get; }

    /// <summary>The fault as a sentence for the user; null if reading succeeded.</summary>
    public string? Error { get; }

    internal static MetadataResult<T> Of(T value) => new(value, error: null);

    internal static MetadataResult<T> Failed(string error) => new(value: null, error);
}
