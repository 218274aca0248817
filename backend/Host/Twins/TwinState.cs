namespace NzbDav.Host.Twins;

/// <summary>How a folder that is kept in step with a category stands.</summary>
internal enum TwinState
{
    /// <summary>It was not looked at yet.</summary>
    Waiting,

    /// <summary>It holds what it shall hold.</summary>
    Current,

    /// <summary>Some files are missing or out of date. The others are right.</summary>
    Incomplete,

    /// <summary>It cannot be read or written. It is tried again every minute.</summary>
    Failed,
}
