using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <summary>Web seeds (BEP 19).</summary>
public sealed partial class Torrent
{
    /// <summary>Its web seeds, in the order in which they were named.</summary>
    public IReadOnlyList<WebSeedStatus> WebSeeds
    {
        get
        {
            lock (_swarm.Gate)
                return _swarm.WebSeeds.List();
        }
    }

    /// <summary>Their whole addresses, to be stored.</summary>
    public IReadOnlyList<Uri> ListWebSeeds()
    {
        lock (_swarm.Gate)
            return _swarm.WebSeeds.Addresses;
    }

    /// <summary>Supplies the .torrent of a magnet link's torrent: its info, unless it is known, and its web seeds.</summary>
    internal void Complete(Metainfo metainfo)
    {
        Describe(metainfo.Info);
        _swarm.AddWebSeeds(metainfo.WebSeeds, isFromLink: true);
    }
}
