namespace NzbDav.Content;

/// <summary>Order in which segment requests are served; lower goes first. Import work has a small share beside readers.</summary>
public enum FetchPriority
{
    /// <summary>A reader waits for it now.</summary>
    Waiting,

    /// <summary>One of the next two segments of a reader.</summary>
    Next,

    /// <summary>Read ahead of a reader.</summary>
    ReadAhead,

    /// <summary>A program scans files: the segment it reads and the next.</summary>
    Scan,

    /// <summary>Import work. Below any reader, but not without a share.</summary>
    Import,

    /// <summary>Health checks and repair.</summary>
    Health,
}
