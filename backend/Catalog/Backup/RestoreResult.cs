namespace NzbDav.Catalog.Backup;

/// <summary>What a restore did.</summary>
/// <param name="Backup">What was put back.</param>
/// <param name="Former">The folder with what was there before; null if nothing was.</param>
/// <param name="MissingBlobs">Blobs of the backup that are nowhere to be found: the files that need them cannot be read.</param>
public sealed record RestoreResult(BackupInfo Backup, string? Former, int MissingBlobs);
