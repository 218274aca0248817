using NzbDav.Content;

namespace NzbDav.Usenet.Disk;

/// <summary>A flight that is read from the disk. Guarded by its fetcher's lock.</summary>
internal sealed class DiskRead(SegmentFlight flight, ulong key, CachePlace place, long begun)
{
    public SegmentFlight Flight => flight;

    public ulong Key => key;

    public CachePlace Place => place;

    /// <summary>Clock reading at which it was requested.</summary>
    public long Begun => begun;

    /// <summary>True once a thread works on it.</summary>
    public bool IsRunning { get; set; }

    /// <summary>True once it is no longer wanted, or a provider is asked: a thread that has not begun it skips it.</summary>
    public bool IsOver { get; set; }
}
