using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>Ranks the sources of peers.</summary>
internal static class SourceRank
{
    /// <summary>Most addresses remembered from one source: strangers must not push out the tracker's addresses.</summary>
    public static int MostOf(PeerSources source) => source switch
    {
        PeerSources.Tracker => PeerBook.MostKnown,
        PeerSources.Dht => 2_000,
        PeerSources.Local or PeerSources.Saved => 200,
        _ => 1_000,
    };

    /// <summary>Rank for dialling; lower is first.</summary>
    public static int Of(PeerSources sources)
    {
        if ((sources & PeerSources.Local) != 0)
            return 0;
        if ((sources & (PeerSources.Saved | PeerSources.Link)) != 0)
            return 1;
        return (sources & (PeerSources.Tracker | PeerSources.Incoming)) != 0 ? 2 : (sources & PeerSources.Dht) != 0 ? 3 : 4;
    }
}
