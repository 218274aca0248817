namespace NzbDav.Catalog.Backup;

/// <summary>The outcome of a <see cref="PendingRestore"/> at a start. Immutable.</summary>
/// <param name="Backup">What was put back.</param>
/// <param name="Taken">When.</param>
/// <param name="Former">The folder with what was there before; null if nothing was.</param>
/// <param name="MissingBlobs">See <see cref="PendingRestore.MissingBlobs"/>.</param>
/// <param name="Error">Why the restore failed and nothing changed, for people; null if it succeeded.</param>
public sealed record RestoreOutcome(BackupInfo Backup, DateTimeOffset Taken, string? Former, int MissingBlobs, string? Error);
