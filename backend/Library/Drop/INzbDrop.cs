namespace NzbDav.Library;

/// <summary>Who takes what is dropped into <c>/nzbs</c> and <c>/torrents</c>. Provided by the host, so that the tree does not know how imports work. Thread-safe.</summary>
public interface INzbDrop
{
    /// <summary>Where a file goes that is dropped into no category.</summary>
    string DefaultCategory { get; }

    /// <summary>True for a name that a category may have.</summary>
    bool IsCategory(string name);

    /// <summary>Checks and queues an .nzb, what is inside one that is packed, a .torrent or a .magnet, by its ending; durable when the task completes.</summary>
    /// <exception cref="Catalog.CatalogException">The disk is full or cannot be written.</exception>
    ValueTask<TakenNzb> TakeAsync(string fileName, string? category, Stream nzb, CancellationToken cancellationToken);
}
