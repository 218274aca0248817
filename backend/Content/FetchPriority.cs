namespace NzbDav.Content;

/// <summary>Order in which segment requests are served; lower goes first.</summary>
public enum FetchPriority
{
    /// <summary>A reader waits for it now.</summary>
    Waiting,

    /// <summary>One of the next two segments of a reader.</summary>
    Next,

    /// <summary>Read ahead of a reader.</summary>
    ReadAhead,

    /// <summary>A program scans files: what it reads and what comes next.</summary>
    Scan,

    /// <summary>A job is being imported.</summary>
    Import,

    /// <summary>Health checks and repair.</summary>
    Health,
}
