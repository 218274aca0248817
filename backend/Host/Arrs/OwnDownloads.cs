using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Host.Arrs;

/// <summary>Tells this gateway's downloads in an *arr's queue from those of its other download clients. Thread-safe.</summary>
internal sealed class OwnDownloads(JobStore jobs)
{
    /// <summary>True if a job of the catalog has this id. Its form proves nothing: a SABnzbd's ids begin the same way, and another NzbDav's look the same.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public async ValueTask<bool> ContainsAsync(string downloadId, CancellationToken cancellationToken) =>
        (NzoId.Parse(downloadId) is { } id && await jobs.GetAsync(id, cancellationToken) is { Kind: JobKind.Nzb })
        || await jobs.FindByDownloadIdAsync(downloadId, cancellationToken) is not null;
}
