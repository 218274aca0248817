namespace NzbDav.Host.Operations;

/// <summary>What became of a restore at a start.</summary>
/// <param name="Name">The backup.</param>
/// <param name="Created">When the backup was made.</param>
/// <param name="Taken">When it took the place of what was there.</param>
/// <param name="Former">The folder that keeps what was there; null: nothing was, or the restore failed.</param>
/// <param name="MissingBlobs">Blobs of it that were nowhere to be found.</param>
/// <param name="Error">Why it failed, with everything as it was; null: it did not.</param>
internal sealed record RestoreOutcomeBody(string Name, DateTimeOffset Created, DateTimeOffset Taken, string? Former, int MissingBlobs, string? Error);
