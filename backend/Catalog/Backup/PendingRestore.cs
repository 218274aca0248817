namespace NzbDav.Catalog;

/// <summary>A backup, checked and laid out, that takes the place of the present state at the next start. Immutable.</summary>
/// <param name="Backup">What it was made of; its name is the one that people know.</param>
/// <param name="Requested">When it was asked for.</param>
/// <param name="MissingBlobs">Blobs of it that are nowhere to be found: the files that need them cannot be read.</param>
public sealed record PendingRestore(BackupInfo Backup, DateTimeOffset Requested, int MissingBlobs)
{
    /// <summary>The folder that takes the old state, from the moment at which the start decides on the restore; null before.</summary>
    public string? Former { get; init; }
}
