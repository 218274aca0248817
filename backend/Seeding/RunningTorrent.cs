using NzbDav.Torrents;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>What the runner remembers of a torrent. Not thread-safe.</summary>
/// <param name="meter">Its totals.</param>
internal sealed class RunningTorrent(TorrentMeter meter)
{
    public TorrentMeter Meter { get; } = meter;

    /// <summary>Keeps it in its swarm; null: it is not.</summary>
    public TorrentLease? Lease { get; set; }

    /// <summary>The opening that was measured last, so that what it moved at its end counts.</summary>
    public Torrent? Measured { get; set; }

    /// <summary>What the open torrent was told last; null: nothing.</summary>
    public (bool Keep, TorrentNeed Need, string Order)? Told { get; set; }

    /// <summary>It was opened and not told anything yet.</summary>
    public bool IsNew { get; set; }

    /// <summary>Something of it may be where torrents are kept.</summary>
    public bool IsOnDisk { get; set; } = true;

    /// <summary>Verified bytes of what is wanted, as last seen; null: not seen yet.</summary>
    public long? Held { get; set; }

    /// <summary>When the torrent was added: another time says that it is not the one that was known.</summary>
    public DateTimeOffset Added { get; set; }
}
