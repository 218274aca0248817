using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>Who takes what is dropped into <c>/nzbs</c> and <c>/torrents</c>. Provided by the host, so that the tree does not know how imports work. Thread-safe.</summary>
public interface INzbDrop
{
    /// <summary>Where a file goes that is dropped into no category.</summary>
    string DefaultCategory { get; }

    /// <summary>True for a name that a category may have.</summary>
    bool IsCategory(string name);

    /// <summary>What a job is called that comes from a file of this name.</summary>
    string JobName(string fileName);

    /// <summary>Checks and queues an .nzb, .torrent or .magnet, by its ending; durable when the task completes.</summary>
    /// <returns>Created, or why not.</returns>
    /// <exception cref="Catalog.CatalogException">The disk is full or cannot be written.</exception>
    ValueTask<StoreWriteResult> TakeAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken);
}
