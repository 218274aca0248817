using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Import.Steps;

/// <summary>
/// Reads all headers of a torrent's archives again to correct the layout of a file. The file is recognised by its offset and its size,
/// because it may have been renamed. Thread-safe.
/// </summary>
public sealed partial class TorrentLayoutCorrector : ITorrentLayoutCorrector
{
    private readonly BlobStore _blobs;
    private readonly TorrentLayouts _layouts;
    private readonly TorrentSessions _sessions;
    private readonly Live<ImportOptions> _options;
    private readonly ILogger<TorrentLayoutCorrector> _logger;
    private readonly TorrentOwnership? _owners;

    public TorrentLayoutCorrector(
        BlobStore blobs, TorrentLayouts layouts, TorrentSessions sessions, Live<ImportOptions> options,
        ILogger<TorrentLayoutCorrector> logger,
        TorrentOwnership? owners = null)
    {
        (_blobs, _layouts, _sessions, _options, _logger, _owners) = (blobs, layouts, sessions, options, logger, owners);
    }

    /// <inheritdoc/>
    public async Task CorrectAsync(CatalogItem item, TorrentLayout wrong, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        ArgumentNullException.ThrowIfNull(wrong);
        var bytes = await _blobs.ReadAsync(item.ExtentMap!.Value, cancellationToken);
        var metainfo = Metainfo.Read(bytes.Span).Value ?? throw new ContentException(
            ContentFault.Corrupt, $"The stored .torrent of '{item.Name}' cannot be read: add the torrent again.");
        if (_owners is not null && await _owners.ClaimAsync(metainfo.Info.Hash.ToString(), cancellationToken) is not null)
            throw new ContentException(ContentFault.Unavailable, $"Another gateway has the torrent of '{item.Name}' now. Try again.");
        using var lease = await _sessions.UseAsync(metainfo, cancellationToken);
        var files = await new TorrentLayoutStep(_options.Value, _logger)
            .RunAsync(lease.Torrent, metainfo.Info, wrong.Password, infers: false, cancellationToken);
        if (!files.Succeeded)
            throw new ContentException(ContentFault.Unavailable, files.Failure.Message);
        var found = files.Value.FirstOrDefault(file => file.Index == item.Torrent!.File && file.Size == item.Size
            && file.Layout?.Spans[0].Bytes.Start == wrong.Spans[0].Bytes.Start)?.Layout;
        if (found is null || found.Length != wrong.Length)
            throw new ContentException(ContentFault.Corrupt, $"'{item.Name}' is not the file that was expected: add the torrent again.");
        await _layouts.ReplaceAsync(item.Id, found, cancellationToken);
        LogCorrected(_logger, item.Name);
    }

    [LoggerMessage(220, LogLevel.Information,
        "The layout of the archive of {File} in a torrent was corrected: its volumes are not as regular as they looked.")]
    private static partial void LogCorrected(ILogger logger, string file);
}
