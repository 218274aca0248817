namespace NzbDav.Torrents.Status;

/// <summary>State of a tracker.</summary>
public enum TrackerState
{
    /// <summary>It answered the last request.</summary>
    Working,

    /// <summary>It has not been asked, or has not answered yet.</summary>
    Waiting,

    /// <summary>It refused, could not be reached, or cannot be asked.</summary>
    Failed,

    /// <summary>It is switched off, or the torrent is private and may not use it. Never the state of a tracker.</summary>
    Off,
}
