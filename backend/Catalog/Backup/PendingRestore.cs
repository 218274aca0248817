namespace NzbDav.Catalog.Backup;

/// <summary>A backup, checked and extracted, that replaces the present state at the next start. Immutable.</summary>
/// <param name="Backup">What it was made of; its name is the one shown to users.</param>
/// <param name="Requested">When it was asked for.</param>
/// <param name="MissingBlobs">Blobs of it that are nowhere to be found: the files that need them cannot be read.</param>
public sealed record PendingRestore(BackupInfo Backup, DateTimeOffset Requested, int MissingBlobs)
{
    /// <summary>The folder that takes the old state; null until a start has decided on the restore.</summary>
    public string? Former { get; init; }
}
