using System.Buffers;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A .torrent file (BEP 3): the info dictionary and the places to find peers. Immutable.</summary>
public sealed class Metainfo
{
    /// <summary>Larger files are refused; a torrent of 700,000 pieces is 14 MB long.</summary>
    public const int MostBytes = 64 << 20;

    /// <param name="info">What the torrent holds.</param>
    /// <param name="trackers">By tier, best tier first; may be empty.</param>
    /// <param name="peers">Addresses of peers that are already known; null = none.</param>
    public Metainfo(TorrentInfo info, IReadOnlyList<IReadOnlyList<Uri>> trackers, IReadOnlyList<EndPoint>? peers = null)
    {
        ArgumentNullException.ThrowIfNull(info);
        ArgumentNullException.ThrowIfNull(trackers);
        Info = info;
        Trackers = trackers;

        // BEP 27: a private torrent gets its peers from its trackers alone.
        Peers = info.IsPrivate ? [] : peers ?? [];
    }

    /// <summary>What the torrent holds.</summary>
    public TorrentInfo Info { get; }

    /// <summary>Trackers by tier, best tier first (BEP 12); may be empty.</summary>
    public IReadOnlyList<IReadOnlyList<Uri>> Trackers { get; }

    /// <summary>
    /// Peers that a magnet link named (<c>x.pe</c>), kept under the key <c>x.pe</c>, which no other program writes; empty for a private torrent (BEP 27).
    /// </summary>
    public IReadOnlyList<EndPoint> Peers { get; }

    /// <summary>Reads a tracker's address (http, https or udp); null if the text is not one.</summary>
    public static Uri? ReadTracker(string text) => MetainfoReader.TrackerUri(text);

    /// <summary>Writes a .torrent file from which <see cref="Read"/> gets the same values back. A magnet link is stored this way once its info dictionary is
    /// known.</summary>
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

        writer.Text("info"u8);
        output.Write(Info.Raw.Span);
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

    /// <summary>Reads a .torrent file. The info-hash is taken over the exact bytes of its info dictionary, which are copied.</summary>
    public static MetadataResult<Metainfo> Read(ReadOnlySpan<byte> torrent) => MetainfoReader.Read(torrent);
}
