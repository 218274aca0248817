namespace NzbDav.WebDav.Locks;

/// <summary>Whether other locks may coexist with a lock.</summary>
internal enum LockScope
{
    /// <summary>No other lock.</summary>
    Exclusive,

    /// <summary>Other shared locks.</summary>
    Shared,
}
