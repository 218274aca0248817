namespace NzbDav.Host.Moving;

/// <summary>What became of a title.</summary>
internal enum MoveResult
{
    /// <summary>It is in the library, or in the queue.</summary>
    Came,

    /// <summary>It was left out for a reason that is no fault.</summary>
    Skipped,

    /// <summary>It cannot come.</summary>
    CannotCome,
}
