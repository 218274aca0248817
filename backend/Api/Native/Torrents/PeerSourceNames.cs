using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Converts the engine's peer sources to names.</summary>
internal static class PeerSourceNames
{
    private static readonly (PeerSources Source, PeerSourceName Name)[] All =
    [
        (PeerSources.Tracker, PeerSourceName.Tracker), (PeerSources.Dht, PeerSourceName.Dht), (PeerSources.Exchange, PeerSourceName.Exchange), (PeerSources.Local, PeerSourceName.Local),
        (PeerSources.Incoming, PeerSourceName.Incoming), (PeerSources.Link, PeerSourceName.Link), (PeerSources.Saved, PeerSourceName.Saved),
    ];

    public static IReadOnlyList<PeerSourceName> Of(PeerSources sources) => [.. All.Where(one => (sources & one.Source) != 0).Select(static one => one.Name)];
}
