using NzbDav.Catalog;

namespace NzbDav.Host.Operations;

/// <summary>A backup that is kept.</summary>
/// <param name="Name">The file's name.</param>
/// <param name="Size">Bytes of the file, without the blobs beside it.</param>
/// <param name="Created">When it was begun.</param>
/// <param name="Reason">Why: <c>schedule</c>, <c>request</c> or <c>upgrade</c>.</param>
/// <param name="Schema">The version of the catalog's schema in it.</param>
/// <param name="Blobs">How many .nzb files and layouts belong to it.</param>
/// <param name="BlobBytes">Their bytes, and those of the articles that were made again.</param>
/// <param name="MissingBlobs">How many of them were missing already when it was made.</param>
internal sealed record BackupBody(string Name, long Size, DateTimeOffset Created, string Reason, int Schema, int Blobs, long BlobBytes, int MissingBlobs)
{
    public static BackupBody Of(BackupInfo info) => new(info.Name, info.Size, info.Created, info.Reason, info.Schema, info.Blobs, info.BlobBytes + info.PatchBytes, info.MissingBlobs);
}
