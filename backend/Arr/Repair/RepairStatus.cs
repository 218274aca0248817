namespace NzbDav.Arr.Repair;

/// <summary>How a repair ended.</summary>
public enum RepairStatus
{
    /// <summary>The file is deleted and a search is under way.</summary>
    Searching,

    /// <summary>This file was repaired before; nothing was done.</summary>
    Done,

    /// <summary>Another search began less than a minute ago; nothing was done. Ask again after <see cref="RepairOutcome.RetryAfter"/>.</summary>
    Later,

    /// <summary>No file of this library leads to it; nothing was done.</summary>
    NotFound,

    /// <summary>A call failed. Ask again: what was done already is not done twice.</summary>
    Failed,
}
