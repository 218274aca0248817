using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Import.Steps;
using NzbDav.Usenet;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Queue;

/// <summary>A file that an import would publish.</summary>
/// <param name="Path">Its path below the job's folder.</param>
/// <param name="Size">Its bytes.</param>
/// <param name="IsArchived">True if it lies in an archive.</param>
/// <param name="IsEncrypted">True if it would be decrypted while it is read.</param>
public sealed record PreviewedFile(string Path, long Size, bool IsArchived, bool IsEncrypted);

/// <summary>What an import would give.</summary>
/// <param name="Name">The name of the job.</param>
/// <param name="Bytes">What the post holds, before anything is left out; 0 if it cannot be read.</param>
/// <param name="Files">The files that would be published; empty on failure.</param>
/// <param name="Failure">Why the import would fail; null: it would not.</param>
/// <param name="MayBeRepaired">True if it would fail for articles that recovery data in the post may restore.</param>
public sealed record PreviewedPost(
    string Name, long Bytes, IReadOnlyList<PreviewedFile> Files, ImportFailure? Failure, bool MayBeRepaired);

/// <summary>
/// Tells what an import would give, without importing: the providers are asked as for an import, and nothing is kept. Thread-safe.
/// </summary>
public sealed class ImportPreview
{
    private readonly NzbIntake _intake;
    private readonly ImportTools _tools;
    private readonly Live<ImportOptions> _options;

    public ImportPreview(NzbIntake intake, JobStore jobs, BlobStore blobs, ExtentMapStore maps, UsenetClient usenet,
        Live<ImportOptions> options, TimeProvider time, ILogger<ImportPreview> logger)
    {
        ArgumentNullException.ThrowIfNull(options);

        // There is no job, so nobody listens to the progress.
        _tools = new ImportTools(jobs, blobs, maps, usenet, options.Value, new ImportEvents(), time, logger);
        (_intake, _options) = (intake, options);
    }

    /// <summary>Reads a post.</summary>
    /// <param name="request">How it would be added.</param>
    /// <param name="upload">An .nzb, plain or packed; of several in a zip the first counts.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public Task<PreviewedPost> ReadAsync(IntakeRequest request, IntakeFile upload, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return _intake.OpenAsync(
            upload, (document, fileName, error) => ReadAsync(request, document, fileName, error, cancellationToken), cancellationToken);
    }

    private async Task<PreviewedPost> ReadAsync(
        IntakeRequest request, NzbDocument? document, string? fileName, string? error, CancellationToken cancellationToken)
    {
        var name = request.Title is { } title ? NzbIntake.TitleName(title) : NzbIntake.JobName(fileName ?? request.FileName);
        if (document is null)
            return new PreviewedPost(name, 0, [], new ImportFailure(ImportFailure.Malformed, error!), MayBeRepaired: false);
        var tools = _tools with { Options = _options.Value };
        var job = new CatalogJob
        {
            Id = 0,
            Name = name,
            Category = request.Category ?? _intake.DefaultCategory,
            State = JobState.Running,
            Priority = request.Priority,
            Source = request.Source,
            Created = tools.Time.GetUtcNow(),
            Password = request.Password ?? NzbIntake.PasswordIn(fileName ?? request.FileName) ?? document.FirstMeta("password"),
        };
        var (found, mayBeRepaired) = await new ImportRun(job, tools).PreviewAsync(document, cancellationToken);
        return new PreviewedPost(name, document.Bytes, found.Succeeded
            ? [.. found.Value.Select(static file => new PreviewedFile(
                string.Join('/', file.Path), file.Size, file.Archive is not null, file.Encryption is not null))]
            : [], found.Failure, mayBeRepaired);
    }
}
