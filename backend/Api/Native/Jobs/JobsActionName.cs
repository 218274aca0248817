namespace NzbDav.Api.Native.Jobs;

/// <summary>What can be done with jobs.</summary>
internal enum JobsActionName
{
    /// <summary>Hold back.</summary>
    Pause,

    /// <summary>Let go on.</summary>
    Resume,

    /// <summary>Try a failed one once more.</summary>
    Retry,

    /// <summary>Forget.</summary>
    Delete,

    /// <summary>Change the priority.</summary>
    Priority,

    /// <summary>Change the category of what is not published yet.</summary>
    Category,

    /// <summary>Move in the queue.</summary>
    Move,

    /// <summary>Call one that is not published yet something else.</summary>
    Rename,
}
