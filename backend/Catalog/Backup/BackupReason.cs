namespace NzbDav.Catalog;

/// <summary>Why a backup is made: <see cref="BackupInfo.Reason"/>.</summary>
public static class BackupReason
{
    /// <summary>It was time.</summary>
    public const string Schedule = "schedule";

    /// <summary>Somebody asked for it.</summary>
    public const string Request = "request";

    /// <summary>The schema is about to be changed, which cannot be undone.</summary>
    public const string Upgrade = "upgrade";
}
