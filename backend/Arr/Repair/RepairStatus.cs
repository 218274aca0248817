namespace NzbDav.Arr.Repair;

/// <summary>Outcome of a repair.</summary>
public enum RepairStatus
{
    /// <summary>The file is deleted and a search is under way.</summary>
    Searching,

    /// <summary>This file was repaired before; nothing was done.</summary>
    Done,

    /// <summary>Another search began less than a minute ago; nothing was done. Ask again after <see cref="RepairOutcome.RetryAfter"/>.</summary>
    Later,

    /// <summary>No file of this library leads to the broken file; nothing was done.</summary>
    NotFound,

    /// <summary>A call failed. Ask again: completed steps are not repeated.</summary>
    Failed,
}
