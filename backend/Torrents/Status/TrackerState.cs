namespace NzbDav.Torrents.Status;

/// <summary>How a tracker stands.</summary>
public enum TrackerState
{
    /// <summary>It answered when it was asked last.</summary>
    Working,

    /// <summary>It was not asked yet, or has not answered yet.</summary>
    Waiting,

    /// <summary>It refused, could not be reached, or cannot be asked.</summary>
    Failed,

    /// <summary>It is switched off, or the torrent is private and may not use it. Of a tracker never.</summary>
    Off,
}
