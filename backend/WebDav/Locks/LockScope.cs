namespace NzbDav.WebDav;

/// <summary>Whether a lock suffers others beside it.</summary>
internal enum LockScope
{
    /// <summary>No other lock.</summary>
    Exclusive,

    /// <summary>Other shared locks.</summary>
    Shared,
}
