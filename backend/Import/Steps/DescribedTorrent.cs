using NzbDav.Catalog.Blobs;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Import.Steps;

/// <summary>A torrent whose metadata are known.</summary>
/// <param name="Metainfo">Its files, and where to find peers.</param>
/// <param name="Blob">Its .torrent in the blob store.</param>
internal sealed record DescribedTorrent(Metainfo Metainfo, BlobHash Blob);
