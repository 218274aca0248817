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
}
