namespace NzbDav.WebDav;

/// <summary>The tree that WebDAV serves. Implemented by the host; one instance answers all requests. Thread-safe.</summary>
public interface IStore
{
    /// <summary>
    /// Looks a path up. Called at least once for every request, so it should be answered from memory; nothing upstream is opened.
    /// Names compare ordinally. <see cref="StorePath.HasTrailingSlash"/> is not the store's business.
    /// </summary>
    /// <returns>The item, or <see langword="null"/> if there is none. The root always exists and is a collection.</returns>
    ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken);
}
