namespace NzbDav.Catalog.Blobs;

/// <summary>What was put into the blob store.</summary>
/// <param name="Hash">Its address.</param>
/// <param name="Length">Bytes, uncompressed.</param>
public readonly record struct StoredBlob(BlobHash Hash, long Length);
