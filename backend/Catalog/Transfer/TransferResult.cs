namespace NzbDav.Catalog.Transfer;

/// <summary>What a <see cref="CatalogTransfer"/> copied.</summary>
/// <param name="Rows">Rows.</param>
/// <param name="Blobs">Blobs that the target has now, those that it had before included.</param>
/// <param name="LostBlobs">Blobs that the catalog refers to and that are missing or damaged at the source: the files that need them could not be read before either.</param>
public sealed record TransferResult(long Rows, int Blobs, int LostBlobs);
