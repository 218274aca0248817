namespace NzbDav.Api.Native.Jobs;

/// <summary>An action on jobs.</summary>
internal enum JobsActionName
{
    /// <summary>Pause.</summary>
    Pause,

    /// <summary>Resume.</summary>
    Resume,

    /// <summary>Retry a failed job.</summary>
    Retry,

    /// <summary>Delete the entry.</summary>
    Delete,

    /// <summary>Change the priority.</summary>
    Priority,

    /// <summary>Change the category of a job that is not published yet.</summary>
    Category,

    /// <summary>Move in the queue.</summary>
    Move,

    /// <summary>Rename a job that is not published yet.</summary>
    Rename,
}
