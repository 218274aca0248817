namespace NzbDav.Catalog.Jobs;

/// <summary>Where a job stands.</summary>
public enum JobState
{
    /// <summary>Waits for a worker.</summary>
    Queued,

    /// <summary>A worker has it, until its lease ends.</summary>
    Running,

    /// <summary>Its files are in the tree.</summary>
    Completed,

    /// <summary>It was given up; the reason is with it.</summary>
    Failed,
}
