using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>What the ways to learn of a peer count for.</summary>
internal static class SourceRank
{
    /// <summary>Addresses of one source that are remembered: what strangers say must not push out what a tracker says.</summary>
    public static int MostOf(PeerSources source) => source switch
    {
        PeerSources.Tracker => PeerBook.MostKnown,
        PeerSources.Dht => 2_000,
        PeerSources.Local or PeerSources.Saved => 200,
        _ => 1_000,
    };

    /// <summary>The lower is dialled first.</summary>
    public static int Of(PeerSources sources)
    {
        if ((sources & PeerSources.Local) != 0)
            return 0;
        if ((sources & (PeerSources.Saved | PeerSources.Link)) != 0)
            return 1;
        return (sources & (PeerSources.Tracker | PeerSources.Incoming)) != 0 ? 2 : (sources & PeerSources.Dht) != 0 ? 3 : 4;
    }
}
