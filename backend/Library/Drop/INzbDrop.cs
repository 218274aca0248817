using NzbDav.Catalog.Jobs;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>
/// Accepts files dropped into <c>/nzbs</c> and <c>/torrents</c>. Implemented by the host, so that the tree does not depend on imports.
/// Thread-safe.
/// </summary>
public interface INzbDrop
{
    /// <summary>The category of files dropped outside any category.</summary>
    string DefaultCategory { get; }

    /// <summary>True for a name that a category may have.</summary>
    bool IsCategory(string name);

    /// <summary>
    /// Checks and queues an .nzb, the .nzb files in an archive, a .torrent or a .magnet, depending on the name's ending. Durable when the
    /// task completes.
    /// </summary>
    /// <exception cref="NzbDav.Catalog.Database.CatalogException">The disk is full or cannot be written.</exception>
    ValueTask<NzbUploadResult> AddAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken);
}

/// <summary>The outcome of an upload.</summary>
/// <param name="Result">Created, or the reason why not.</param>
/// <param name="Jobs">The new jobs: one for an .nzb, several for a zip, the failed job of a refused torrent; otherwise none.</param>
/// <param name="Length">Size of the upload in bytes.</param>
public sealed record NzbUploadResult(StoreWriteResult Result, IReadOnlyList<CatalogJob> Jobs, long Length);
