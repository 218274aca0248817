namespace NzbDav.Host.Operations;

/// <summary>A backup to be restored at the next start.</summary>
/// <param name="Name">Its name, or the name of the uploaded file.</param>
/// <param name="Created">When the backup was made.</param>
/// <param name="Requested">When the restore was requested.</param>
/// <param name="MissingBlobs">Number of its blobs that were not found: the files that need them cannot be read.</param>
internal sealed record RestoreBody(string Name, DateTimeOffset Created, DateTimeOffset Requested, int MissingBlobs);
