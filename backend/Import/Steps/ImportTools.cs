using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;

namespace NzbDav.Import;

/// <summary>What the steps of every job work with. Shared by all workers.</summary>
internal sealed record ImportTools(
    JobStore Jobs, BlobStore Blobs, ExtentMapStore Maps, UsenetClient Usenet, ImportOptions Options, IImportEvents Events, TimeProvider Time, ILogger Logger)
{
    /// <summary>Null when torrents are switched off.</summary>
    public TorrentSessions? Torrents { get; init; }
}
