namespace NzbDav.Host.Operations;

/// <summary>A backup that takes the place of the present state at the next start.</summary>
/// <param name="Name">Its name, or that of the file that was sent.</param>
/// <param name="Created">When the backup was made.</param>
/// <param name="Requested">When it was asked for.</param>
/// <param name="MissingBlobs">Blobs of it that are nowhere to be found: the files that need them cannot be read.</param>
internal sealed record RestoreBody(string Name, DateTimeOffset Created, DateTimeOffset Requested, int MissingBlobs);
