using NzbDav.Catalog;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Import;

/// <summary>A torrent whose files are known.</summary>
/// <param name="Metainfo">What it holds and where peers are found.</param>
/// <param name="Blob">Its .torrent in the blob store.</param>
internal sealed record DescribedTorrent(Metainfo Metainfo, BlobHash Blob);
