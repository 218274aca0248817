using NzbDav.Catalog.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>The runner's state of a torrent. Not thread-safe.</summary>
/// <param name="meter">Its totals.</param>
internal sealed class RunningTorrent(TorrentMeter meter)
{
    public TorrentMeter Meter { get; } = meter;

    /// <summary>The lease that keeps it in its swarm; null: the runner holds none.</summary>
    public TorrentLease? Lease { get; set; }

    /// <summary>The torrent object measured last. Kept so that its final transfers still count after it has been closed.</summary>
    public Torrent? Measured { get; set; }

    /// <summary>The orders last given to the open torrent; null: none.</summary>
    public (bool Keep, TorrentNeed Need, string Order)? LastOrders { get; set; }

    /// <summary>The entry whose limits, trackers and web seeds were last applied; null: none yet.</summary>
    public TorrentEntry? Applied { get; set; }

    /// <summary>
    /// Total active time when the current wait for a whole copy began: zero for a new torrent. A torrent that was given up and started
    /// again waits from that start. After a restart of the server it is derived from the active time.
    /// </summary>
    public TimeSpan WaitFrom { get; set; }

    /// <summary>Message that the disk has no room to keep it; null: it has room, or is not to be kept.</summary>
    public string? WaitsFor { get; set; }

    /// <summary>True once there was room for it.</summary>
    public bool HasRoom { get; set; }

    /// <summary>Message of the error that the last step caused for it; null: none.</summary>
    public string? Failure { get; set; }

    /// <summary>True if it may have files on disk.</summary>
    public bool IsOnDisk { get; set; } = true;

    /// <summary>Verified bytes of the wanted files, as last counted; null: not counted yet.</summary>
    public long? Held { get; set; }

    /// <summary>When the torrent was added. A different time means that it was removed and added again.</summary>
    public DateTimeOffset Added { get; set; }
}
