using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>Reads a job's .nzb.</summary>
internal static class ParseStep
{
    public static async Task<StepResult<NzbDocument>> RunAsync(BlobStore blobs, CatalogJob job, CancellationToken cancellationToken)
    {
        if (job.Nzb is not { } hash)
            return new ImportFailure(ImportFailure.Malformed, "The job has no .nzb.");
        await using var stream = await blobs.OpenReadAsync(hash, cancellationToken);
        var result = await Task.Run(() => NzbReader.Read(stream, options: null, cancellationToken), cancellationToken);
        return result.Succeeded
            ? result.Document
            : new ImportFailure(ImportFailure.Malformed, $"The .nzb cannot be read. {result.Error}");
    }
}
