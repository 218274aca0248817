using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.Library.Opening;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Links;

/// <summary><c>/completed-symlinks</c>: the published files as links for the *arrs. Thread-safe.</summary>
/// <param name="catalog">Tree, links and holds.</param>
/// <param name="opener">Opens files that are listed beside addresses.</param>
/// <param name="options">Beginnings of link targets and addresses.</param>
/// <param name="linkReads">Records which links were read.</param>
/// <param name="views">Signs the addresses in .strm files; null: there are none.</param>
internal sealed class LinkView(
    LibraryCatalog catalog, ContentOpener opener, Live<LibraryOptions> options, LinkReadRecorder linkReads, ViewLinks? views)
{
    /// <summary>Its name at the top of the tree.</summary>
    public const string Top = "completed-symlinks";

    public LibraryCatalog Catalog => catalog;

    /// <summary>The item at a path; null if there is none.</summary>
    /// <param name="names">From the root of the tree; the first is <see cref="Top"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IStoreItem?> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        // The same path exists below /content. Only the last name differs: that of a file has a suffix, that of a folder does not.
        var path = new List<string> { JobStore.ContentCollection };
        var item = await catalog.Tree.ResolveAsync(path, cancellationToken);
        var seen = new List<long>();
        var style = names.Count > 1 ? StyleOf(names[1]) : LinkStyle.Link;
        for (var depth = 1; depth < names.Count && item is not null; depth++)
        {
            var name = names[depth];
            var file = depth == names.Count - 1 ? await FileOfAsync(item, name, style, cancellationToken) : null;
            item = await catalog.Tree.ResolveAsync([.. path, file ?? name], cancellationToken);
            if (item is not null && item.IsCollection == file is not null)
            {
                // The name of a folder may look like a file's link.
                item = await catalog.Tree.ResolveAsync([.. path, name], cancellationToken);
                if (item is { IsCollection: false })
                    return null;
            }

            path.Add(item?.Name ?? name);
            seen.Add(item?.Id ?? 0);
        }

        // A folder that was deleted here is gone with everything below it.
        return item is null || seen.Exists(catalog.Unwanted.IsHidden)
            || (seen.Count > 1 && await catalog.Links.AnyUnlistedAsync(seen, cancellationToken))
            ? null
            : LinkOf(item, names[^1], names.Count - 1, style);
    }

    /// <summary>An item of <c>/content</c> as it is listed here.</summary>
    /// <param name="item">The item.</param>
    /// <param name="shown">The listed name, if it is a file.</param>
    /// <param name="depth">See <see cref="LinkCollection"/>.</param>
    /// <param name="style">Style of its category.</param>
    public IStoreItem LinkOf(CatalogItem item, string shown, int depth, LinkStyle style)
    {
        if (item.IsCollection)
            return new LinkCollection(item, depth == 0 ? Top : item.Name, depth, style, this);
        if (style == LinkStyle.Address && LinkNames.IsSideFile(item.Name))
            return new LibraryFile(item, opener);
        var texts = new LinkTexts(options.Value.MountPath, options.Value.AddressRoot, views);
        return style == LinkStyle.Link
            ? new PathLink(item, shown, texts.PathTo(item.Id), linkReads)
            : new LinkFile(item, shown, texts.AddressTo(item.Id, item.Name), linkReads);
    }

    /// <summary>The names of a folder's files as addresses.</summary>
    public async ValueTask<AddressNames> AddressNamesAsync(long parentId, CancellationToken cancellationToken) =>
        new(await catalog.Tree.ListAsync(parentId, after: null, cancellationToken).ToListAsync(cancellationToken));

    /// <summary>How a category's files are listed.</summary>
    public LinkStyle StyleOf(string category) =>
        views is not null && options.Value.AddressCategories.Contains(category, StringComparer.Ordinal)
            ? LinkStyle.Address : LinkStyle.Link;

    /// <summary>The child of a collection of <c>/content</c> that a listed name stands for; null if there is none.</summary>
    public async ValueTask<CatalogItem?> FindLinkedAsync(
        CatalogItem parent, string linkName, LinkStyle style, CancellationToken cancellationToken)
    {
        if (await FileOfAsync(parent, linkName, style, cancellationToken) is { } name
            && await catalog.Tree.FindChildAsync(parent.Id, name, cancellationToken) is { IsCollection: false } file)
            return file;
        return await catalog.Tree.FindChildAsync(parent.Id, linkName, cancellationToken) is { IsCollection: true } folder ? folder : null;
    }

    /// <summary>The name of the file that a listed name stands for; null if there is none.</summary>
    private async ValueTask<string?> FileOfAsync(CatalogItem parent, string shown, LinkStyle style, CancellationToken cancellationToken) =>
        style == LinkStyle.Link ? LinkNames.FileOfLink(shown) : (await AddressNamesAsync(parent.Id, cancellationToken)).FileOf(shown);
}

/// <summary>
/// <c>/completed-symlinks</c> and its folders: the structure of <c>/content</c> with a link for each file. Deleting here removes links from
/// the list, as the *arrs do after an import. A job whose folder was deleted counts as abandoned: its files are deleted if no library turns
/// out to have imported any of them.
/// </summary>
internal sealed class LinkCollection(CatalogItem item, string name, int depth, LinkStyle style, LinkView view) : IStoreCollection
{
    public string Name => name;

    public long? Id => item.Id;

    public DateTimeOffset CreatedAt => StableDate.Of(item.Created);

    public DateTimeOffset ModifiedAt => StableDate.Of(item.Modified);

    public string ETag => item.ETag;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var names = style == LinkStyle.Address ? await view.AddressNamesAsync(item.Id, cancellationToken) : null;
        await foreach (var child in view.Catalog.Links.ListAsync(item.Id, cancellationToken))
        {
            if (!view.Catalog.Unwanted.IsHidden(child.Id))
                yield return view.LinkOf(
                    child, names?.Of(child.Name) ?? LinkNames.LinkOf(child.Name), depth + 1, depth == 0 ? view.StyleOf(child.Name) : style);
        }
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public async ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken)
    {
        // Categories stay: the *arrs expect to see them even when they are empty.
        if (depth < 1)
            return StoreWriteResult.Forbidden;
        if (await view.FindLinkedAsync(item, name, style, cancellationToken) is not { } child)
            return StoreWriteResult.NotFound;
        if (!await view.Catalog.Links.UnlistAsync(child.Id, cancellationToken))
            return StoreWriteResult.NotFound;
        if (depth == 1)
            await view.Catalog.Unwanted.MarkAbandonedAsync(child.Id, jobId: null, cancellationToken);
        return StoreWriteResult.Deleted;
    }
}

/// <summary>How the files of a category are listed in <c>/completed-symlinks</c>.</summary>
internal enum LinkStyle
{
    /// <summary><c>video.mkv.rclonelink</c>: a symbolic link where rclone mounts the tree.</summary>
    Link,

    /// <summary>
    /// <c>video.mkv.strm</c>: a text file with an address, for media servers without a mount. Files that belong to a video, such as
    /// subtitles, are listed as they are.
    /// </summary>
    Address,
}
