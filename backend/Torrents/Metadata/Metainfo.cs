using System.Buffers;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>Information from the author of a .torrent. Untrusted free text.</summary>
/// <param name="Comment">Often the web page of the torrent; empty = none.</param>
/// <param name="CreatedBy">The program that made it; empty = not stated.</param>
/// <param name="Created">Time, in seconds since 1970; null = not stated.</param>
public sealed record TorrentOrigin(string Comment, string CreatedBy, long? Created)
{
    /// <summary>An origin without information.</summary>
    public static TorrentOrigin None { get; } = new("", "", null);
}

/// <summary>A .torrent file (BEP 3): the info dictionary, and the trackers and other sources of peers. Immutable.</summary>
public sealed class Metainfo
{
    /// <summary>Largest file in bytes; larger ones are refused. A torrent of 700,000 pieces has 14 MB.</summary>
    public const int MostBytes = 64 << 20;

    /// <param name="info">The info dictionary.</param>
    /// <param name="trackers">By tier, best tier first; may be empty.</param>
    /// <param name="peers">Addresses of peers that are already known; null = none.</param>
    public Metainfo(TorrentInfo info, IReadOnlyList<IReadOnlyList<Uri>> trackers, IReadOnlyList<EndPoint>? peers = null)
    {
        ArgumentNullException.ThrowIfNull(info);
        ArgumentNullException.ThrowIfNull(trackers);
        Info = info;
        Trackers = trackers;

        // A private torrent gets peers only from its trackers (BEP 27).
        Peers = info.IsPrivate ? [] : peers ?? [];
    }

    /// <summary>The info dictionary: files and piece hashes.</summary>
    public TorrentInfo Info { get; }

    /// <summary>Trackers by tier, best tier first (BEP 12); may be empty.</summary>
    public IReadOnlyList<IReadOnlyList<Uri>> Trackers { get; }

    /// <summary>
    /// Peers given in a magnet link (<c>x.pe</c>). Stored under the key <c>x.pe</c>, which no other program writes. Empty for a private
    /// torrent (BEP 27).
    /// </summary>
    public IReadOnlyList<EndPoint> Peers { get; }

    /// <summary>Initial nodes of the DHT (<c>nodes</c>, BEP 5); empty for a private torrent.</summary>
    public IReadOnlyList<EndPoint> Nodes { get; init => field = Info.IsPrivate ? [] : value; } = [];

    /// <summary>
    /// HTTP and HTTPS servers that have the files (<c>url-list</c>, BEP 19). Not empty for a private torrent, because its author listed
    /// them.
    /// </summary>
    public IReadOnlyList<Uri> WebSeeds { get; init; } = [];

    public TorrentOrigin Origin { get; init; } = TorrentOrigin.None;

    /// <summary>A copy with other trackers and web seeds; null = its own.</summary>
    public Metainfo With(IReadOnlyList<IReadOnlyList<Uri>>? trackers, IReadOnlyList<Uri>? webSeeds = null) =>
        new(Info, trackers ?? Trackers, Peers)
        {
            Nodes = Nodes,
            Origin = Origin,
            WebSeeds = webSeeds ?? WebSeeds,
        };

    /// <summary>Reads a tracker's address (http, https or udp); null if the text is not one.</summary>
    public static Uri? ReadTracker(string text) => MetainfoReader.TrackerUri(text);

    /// <summary>Reads a web seed's address (http or https); null if the text is not one.</summary>
    public static Uri? ReadWebSeed(string text) => MetainfoReader.WebSeedUri(text);

    /// <summary>
    /// Writes a .torrent file from which <see cref="Read"/> returns the same values. A magnet link is stored in this form once its info
    /// dictionary is known.
    /// </summary>
    public byte[] Write()
    {
        var output = new ArrayBufferWriter<byte>(Info.Raw.Length + 1_024);
        var writer = new BencodeWriter(output);
        writer.BeginDictionary();
        if (Trackers.Count > 0)
        {
            writer.Text("announce-list"u8);
            writer.BeginList();
            foreach (var tier in Trackers)
            {
                writer.BeginList();
                foreach (var tracker in tier)
                    writer.Text(tracker.OriginalString);
                writer.End();
            }

            writer.End();
        }

        if (Origin.Comment.Length > 0)
        {
            writer.Text("comment"u8);
            writer.Text(Origin.Comment);
        }

        if (Origin.CreatedBy.Length > 0)
        {
            writer.Text("created by"u8);
            writer.Text(Origin.CreatedBy);
        }

        if (Origin.Created is { } created)
        {
            writer.Text("creation date"u8);
            writer.Integer(created);
        }

        writer.Text("info"u8);
        output.Write(Info.Raw.Span);
        if (Nodes.Count > 0)
            Write(writer, Nodes);
        if (WebSeeds.Count > 0)
        {
            writer.Text(MetainfoReader.WebSeedsKey);
            writer.BeginList();
            foreach (var seed in WebSeeds)
                writer.Text(seed.OriginalString);
            writer.End();
        }

        if (Peers.Count > 0)
        {
            writer.Text(MetainfoReader.PeersKey);
            writer.BeginList();
            foreach (var peer in Peers)
                writer.Text(PeerAddress.Format(peer));
            writer.End();
        }

        writer.End();
        return output.WrittenSpan.ToArray();
    }

    private static void Write(in BencodeWriter writer, IReadOnlyList<EndPoint> nodes)
    {
        writer.Text("nodes"u8);
        writer.BeginList();
        foreach (var node in nodes)
        {
            writer.BeginList();
            writer.Text(node is DnsEndPoint name ? name.Host : ((IPEndPoint)node).Address.ToString());
            writer.Integer(node is DnsEndPoint { Port: var port } ? port : ((IPEndPoint)node).Port);
            writer.End();
        }

        writer.End();
    }

    /// <summary>Reads a .torrent file. The info-hash is computed over the exact bytes of its info dictionary, which are copied.</summary>
    public static MetadataResult<Metainfo> Read(ReadOnlySpan<byte> torrent) => MetainfoReader.Read(torrent);
}
