using NzbDav.Catalog.Backup;

namespace NzbDav.Host.Operations;

/// <summary>An existing backup.</summary>
/// <param name="Name">The file's name.</param>
/// <param name="Size">Size of the file in bytes, without the blobs beside it.</param>
/// <param name="Created">When it was started.</param>
/// <param name="Reason">Why it was made: <c>schedule</c>, <c>request</c> or <c>upgrade</c>.</param>
/// <param name="Schema">The version of the catalog's schema in it.</param>
/// <param name="Blobs">Number of .nzb files and layouts that belong to it.</param>
/// <param name="BlobBytes">Their size in bytes, including repaired articles.</param>
/// <param name="MissingBlobs">How many of them were already missing when it was made.</param>
internal sealed record BackupBody(string Name, long Size, DateTimeOffset Created, string Reason, int Schema, int Blobs, long BlobBytes, int MissingBlobs)
{
    public static BackupBody Of(BackupInfo info) => new(info.Name, info.Size, info.Created, info.Reason, info.Schema, info.Blobs, info.BlobBytes + info.PatchBytes, info.MissingBlobs);
}
