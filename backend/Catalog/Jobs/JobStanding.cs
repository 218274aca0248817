namespace NzbDav.Catalog.Jobs;

/// <summary>Where a job stands, as people see it: <see cref="JobState"/>, and why one that is queued is not taken.</summary>
public enum JobStanding
{
    /// <summary>Waits for its turn.</summary>
    Queued,

    /// <summary>Was put back until a time because of something that passes, such as a provider that does not answer.</summary>
    Waiting,

    /// <summary>Held back by somebody.</summary>
    Paused,

    /// <summary>A worker has it, or its .nzb is being fetched.</summary>
    Running,

    /// <summary>Its files are published.</summary>
    Completed,

    /// <summary>It was given up.</summary>
    Failed,
}
