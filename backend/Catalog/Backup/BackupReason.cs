namespace NzbDav.Catalog.Backup;

/// <summary>Why a backup is made: <see cref="BackupInfo.Reason"/>.</summary>
public static class BackupReason
{
    /// <summary>Made on schedule.</summary>
    public const string Schedule = "schedule";

    /// <summary>Made on request.</summary>
    public const string Request = "request";

    /// <summary>Made before a schema upgrade, which cannot be undone.</summary>
    public const string Upgrade = "upgrade";
}
