namespace NzbDav.Host.Moving;

/// <summary>Outcome of migrating a title.</summary>
internal enum MoveResult
{
    /// <summary>Migrated: it is in the library or in the queue.</summary>
    Came,

    /// <summary>Left out for a reason that is not a fault.</summary>
    Skipped,

    /// <summary>It cannot be migrated.</summary>
    CannotCome,
}
