namespace NzbDav.Host.Twins;

/// <summary>State of a folder that is kept in step with a category.</summary>
internal enum TwinState
{
    /// <summary>It has not been updated yet.</summary>
    Waiting,

    /// <summary>Its contents are up to date.</summary>
    Current,

    /// <summary>Some files are missing or out of date. The others are up to date.</summary>
    Incomplete,

    /// <summary>It cannot be read or written. It is retried every minute.</summary>
    Failed,
}
