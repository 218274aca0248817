namespace NzbDav.Catalog.Jobs;

/// <summary>Priorities as SABnzbd counts them; any other number is in between.</summary>
public static class JobPriority
{
    /// <summary>After all others.</summary>
    public const int Low = -1;

    /// <summary>As they come.</summary>
    public const int Normal = 0;

    /// <summary>Before those.</summary>
    public const int High = 1;

    /// <summary>Before all, and even while the queue is paused.</summary>
    public const int Force = 2;
}
