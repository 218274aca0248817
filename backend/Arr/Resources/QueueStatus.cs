namespace NzbDav.Arr.Resources;

/// <summary><c>queue/status</c>: counts of rows, and flags.</summary>
public sealed record QueueStatus
{
    /// <summary>All rows.</summary>
    public int TotalCount { get; init; }

    /// <summary>Rows that belong to the library.</summary>
    public int Count { get; init; }

    /// <summary>Rows that do not belong to the library.</summary>
    public int UnknownCount { get; init; }

    /// <summary>True if a row of the library has an error.</summary>
    public bool Errors { get; init; }

    /// <summary>True if a row of the library has a warning.</summary>
    public bool Warnings { get; init; }

    /// <summary>True if another row has an error.</summary>
    public bool UnknownErrors { get; init; }

    /// <summary>True if another row has a warning.</summary>
    public bool UnknownWarnings { get; init; }
}
