using NzbDav.Api.Sab.Calls;
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
    public static string? Of(CatalogItem file, CatalogJob? job) => file.Torrent is { } torrent ? OfTorrent(torrent.InfoHash) : job is null ? null : NzoId.Of(job);
}
