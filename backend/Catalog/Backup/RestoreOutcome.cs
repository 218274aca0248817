namespace NzbDav.Catalog;

/// <summary>What became of a <see cref="PendingRestore"/> at a start. Immutable.</summary>
/// <param name="Backup">What was put back.</param>
/// <param name="Taken">When.</param>
/// <param name="Former">The folder with what was there before; null if nothing was.</param>
/// <param name="MissingBlobs">See <see cref="PendingRestore.MissingBlobs"/>.</param>
/// <param name="Error">Why everything is as it was, for people; null: it was put back.</param>
public sealed record RestoreOutcome(BackupInfo Backup, DateTimeOffset Taken, string? Former, int MissingBlobs, string? Error);
