using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Torrents;
using NzbDav.Import.Limits;
using NzbDav.Import.Progress;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;

namespace NzbDav.Import.Options;

/// <summary>The services and options that the import steps use. Shared by all workers.</summary>
internal sealed record ImportTools(
    JobStore Jobs, BlobStore Blobs, ExtentMapStore Maps, UsenetClient Usenet, ImportOptions Options, IImportEvents Events,
    TimeProvider Time, ILogger Logger)
{
    /// <summary>Null when torrents are switched off.</summary>
    public TorrentSessions? Torrents { get; init; }

    /// <summary>The memory for repairs, shared by the whole process.</summary>
    public RepairMemory Memory { get; init; } = RepairMemory.Of(readBudget: 0);

    /// <summary>The torrents that this gateway owns; null: all, because no other gateway shares the catalog.</summary>
    public TorrentOwnership? Owners { get; init; }
}
