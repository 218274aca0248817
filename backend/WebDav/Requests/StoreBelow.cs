using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>One collection of a tree, as a tree of its own. Immutable.</summary>
/// <param name="inner">The tree.</param>
/// <param name="collection">Name of a top-level collection.</param>
internal sealed class StoreBelow(IStore inner, string collection) : IStore
{
    private readonly StorePath _top = StorePath.Root.Child(collection);

    /// <summary>
    /// True if a request is for an item inside an existing collection: <c>/tv/JOB</c>, not <c>/tv</c> alone, and not <c>/nothing/JOB</c>.
    /// </summary>
    public async ValueTask<bool> IsForAsync(HttpContext http) =>
        RequestTarget.TryGetPath(RequestTarget.Of(http), http.Request.Path.Value) is { Segments: [var first, _, ..] }
        && await inner.GetItemAsync(_top.Child(first), http.RequestAborted) is IStoreCollection;

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken) =>
        inner.GetItemAsync(Whole(path), cancellationToken);

    public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) =>
        inner.GetParentForWriteAsync(Whole(path), cancellationToken);

    public bool MayHoldJunk(StorePath path) => inner.MayHoldJunk(Whole(path));

    public bool MayListDeep(StorePath path) => inner.MayListDeep(Whole(path));

    private StorePath Whole(StorePath path) => path.Rebase(StorePath.Root, _top);
}
