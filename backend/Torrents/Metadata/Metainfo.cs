namespace NzbDav.Torrents.Metadata;

/// <summary>A .torrent file (BEP 3): the info dictionary and where peers may be found. Immutable.</summary>
public sealed class Metainfo
{
    /// <summary>Larger files are refused; a torrent of 700,000 pieces has 14 MB.</summary>
    public const int MostBytes = 64 << 20;

    internal Metainfo(TorrentInfo info, IReadOnlyList<IReadOnlyList<Uri>> trackers)
    {
        Info = info;
        Trackers = trackers;
    }

    /// <summary>What the torrent holds.</summary>
    public TorrentInfo Info { get; }

    /// <summary>Trackers by tier, best tier first (BEP 12); may be empty.</summary>
    public IReadOnlyList<IReadOnlyList<Uri>> Trackers { get; }

    /// <summary>Reads a .torrent file. The info-hash is taken over the exact bytes of its info dictionary, which are copied.</summary>
    public static MetadataResult<Metainfo> Read(ReadOnlySpan<byte> torrent) => MetainfoReader.Read(torrent);
}
