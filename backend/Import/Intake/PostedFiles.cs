using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Intake;

/// <summary>Lists the files in the .nzb of a job. Thread-safe.</summary>
public sealed class PostedFiles(BlobStore blobs)
{
    /// <summary>The posted files in the order of the .nzb; empty if there is no .nzb or it cannot be read.</summary>
    public async Task<IReadOnlyList<PostedFileEntry>> ListAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        if (job.Nzb is not { } hash)
            return [];
        await using var nzb = await blobs.OpenReadAsync(hash, cancellationToken);
        return await Task.Run(() => List(nzb, cancellationToken), cancellationToken);
    }

    private static PostedFileEntry[] List(Stream nzb, CancellationToken cancellationToken)
    {
        var read = NzbReader.Read(nzb, options: null, cancellationToken);
        return read.Succeeded ? [.. read.Document.Files.Select(file => new PostedFileEntry(file.FileName ?? file.Subject, file.Bytes, file.Date))] : [];
    }
}
