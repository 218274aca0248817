using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Usenet;

namespace NzbDav.Import.Steps;

/// <summary>
/// Reads a job's .nzb again, with the headers of every volume, to find the correct layout of one of its files. The file is recognised by
/// its articles, as it may have been renamed. Thread-safe.
/// </summary>
public sealed partial class LayoutCorrector : ILayoutCorrector
{
    private readonly ImportTools _tools;
    private readonly Live<ImportOptions> _options;
    private readonly ILogger<LayoutCorrector> _logger;

    public LayoutCorrector(JobStore jobs, BlobStore blobs, ExtentMapStore maps, UsenetClient usenet, Live<ImportOptions> options,
        TimeProvider time, ILogger<LayoutCorrector> logger)
    {
        ArgumentNullException.ThrowIfNull(options);

        // The job has ended, so nobody listens to the progress.
        _tools = new ImportTools(jobs, blobs, maps, usenet, options.Value, new ImportEvents(), time, logger);
        _options = options;
        _logger = logger;
    }

    /// <inheritdoc/>
    public async Task<ExtentMap> LayOutAsync(CatalogItem item, ExtentMap wrong, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        ArgumentNullException.ThrowIfNull(wrong);
        if (item.JobId is not { } id || await _tools.Jobs.GetAsync(id, cancellationToken) is not { Kind: JobKind.Nzb } job)
            throw new ContentException(
                ContentFault.Corrupt,
                $"'{item.Name}' is laid out differently from what was expected, and the .nzb that shows its layout is no longer kept: " +
                $"import it again.");
        StepResult<IReadOnlyList<ContentFile>> read;
        try
        {
            read = await new ImportRun(job, _tools with { Options = _options.Value }) { ReadsEveryVolume = true }.ReadAsync(
                cancellationToken);
        }
        catch (CatalogException e)
        {
            throw new ContentException(ContentFault.Unavailable,
                $"'{item.Name}' is laid out differently from what was expected, and its .nzb cannot be read: {e.Message}", e);
        }

        if (!read.Succeeded)
            throw new ContentException(
                FaultOf(read.Failure), $"'{item.Name}' is laid out differently from what was expected. {read.Failure.Message}");
        var ids = IdsOf(wrong).ToHashSet(StringComparer.Ordinal);
        var (file, shared) = read.Value.Select(file => (File: file, Shared: IdsOf(file.Map).Count(ids.Contains))).MaxBy(one => one.Shared);
        if (shared == 0 || file.Size != item.Size || file.Map.Length != wrong.Length || !IsSame(file.Encryption, item.Encryption))
            throw new ContentException(ContentFault.Corrupt, $"'{item.Name}' is not the file that was expected: import it again.");
        LogCorrected(_logger, item.Name);
        return file.Map;
    }

    private static ContentFault FaultOf(ImportFailure failure) => failure switch
    {
        { IsTransient: true } => ContentFault.Unavailable,
        { Code: ImportFailure.Missing or ImportFailure.Incomplete or ImportFailure.MissingVolumes } => ContentFault.Missing,
        _ => ContentFault.Corrupt,
    };

    private static IEnumerable<string> IdsOf(ExtentMap map) => Enumerable.Range(0, map.Segments.Count).Select(map.Segments.Id);

    private static bool IsSame(FileEncryption? one, FileEncryption? other) =>
        one is null || other is null
            ? one is null && other is null
            : one.Spans.Count == other.Spans.Count && one.Spans.Zip(other.Spans).All(pair => IsSame(pair.First, pair.Second));

    private static bool IsSame(StoredSpan one, StoredSpan other) =>
        one.Stored == other.Stored && one.Skip == other.Skip && one.Length == other.Length && one.Key.Span.SequenceEqual(other.Key.Span)
            && one.Iv.Span.SequenceEqual(other.Iv.Span);

    [LoggerMessage(
        216, LogLevel.Information, "The layout of the archive of {File} was corrected: its volumes are not as regular as they looked.")]
    private static partial void LogCorrected(ILogger logger, string file);
}
