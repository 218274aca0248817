using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Host.Arrs;

/// <summary>The ids by which the *arrs know downloads. They compare them letter by letter.</summary>
internal static class DownloadIds
{
    /// <summary>The id of a torrent: the *arrs store its info-hash in upper case.</summary>
    public static string OfTorrent(string infoHash) => infoHash.ToUpperInvariant();

    /// <summary>The id of the download that a file came with; null if it is not known.</summary>
    /// <param name="file">The file.</param>
    /// <param name="job">The job that published it; null: its entry was deleted.</param>
    public static string? Of(CatalogItem file, CatalogJob? job) =>
        file.Torrent is { } torrent ? OfTorrent(torrent.InfoHash) : job is null ? null : NzoId.Of(job);
}

/// <summary>Distinguishes this gateway's downloads in an *arr's queue from those of its other download clients. Thread-safe.</summary>
internal sealed class OwnDownloads(JobStore jobs)
{
    /// <summary>
    /// True if a job of the catalog has this id. The format of an id is not enough: SABnzbd's ids begin the same way, and another NzbDav's
    /// look the same.
    /// </summary>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public async ValueTask<bool> ContainsAsync(string downloadId, CancellationToken cancellationToken) =>
        (NzoId.Parse(downloadId) is { } id && await jobs.GetAsync(id, cancellationToken) is { Kind: JobKind.Nzb })
        || await jobs.FindByDownloadIdAsync(downloadId, cancellationToken) is not null;
}
