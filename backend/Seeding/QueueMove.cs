namespace NzbDav.Seeding;

/// <summary>Where to move torrents in the queue.</summary>
public enum QueueMove
{
    /// <summary>Before all others.</summary>
    Top,

    /// <summary>One place forward.</summary>
    Up,

    /// <summary>One place back.</summary>
    Down,

    /// <summary>Behind all others.</summary>
    Bottom,
}
