namespace NzbDav.Host.Operations;

/// <summary>Result of a restore at a start.</summary>
/// <param name="Name">The backup.</param>
/// <param name="Created">When the backup was made.</param>
/// <param name="Taken">When it was restored.</param>
/// <param name="Former">The folder with the previous state; null: there was none, or the restore failed.</param>
/// <param name="MissingBlobs">Number of its blobs that were not found.</param>
/// <param name="Error">Why it failed, in which case nothing was changed; null: it succeeded.</param>
internal sealed record RestoreOutcomeBody(string Name, DateTimeOffset Created, DateTimeOffset Taken, string? Former, int MissingBlobs, string? Error);
