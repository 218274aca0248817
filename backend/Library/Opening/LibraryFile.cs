using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Opening;

/// <summary>A file that an import published.</summary>
/// <param name="item">The file.</param>
/// <param name="opener">Opens it.</param>
/// <param name="isOwn">True for another gateway: nothing is read from a third one (<see cref="ContentOpener.OpenOwnAsync"/>).</param>
internal sealed class LibraryFile(CatalogItem item, ContentOpener opener, bool isOwn = false) : IStoreFile
{
    public string Name => item.Name;

    public long? Id => item.Id;

    public DateTimeOffset CreatedAt => item.Created;

    public DateTimeOffset ModifiedAt => item.Modified;

    public string ETag => item.ETag;

    public long Length => item.Size;

    public string ContentType => item.ContentType ?? MediaTypes.FromName(item.Name);

    public StoreKeeping Keeping => StoreKeeping.Nothing;

    public async ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        try
        {
            var content = await (isOwn ? opener.OpenOwnAsync(item, cancellationToken) : opener.OpenAsync(item, cancellationToken));
            return content.Length == item.Size
                ? StoreOpenResult.Of(content)
                : StoreOpenResult.Failed(ContentFault.Corrupt, "The stored map does not fit the file's size: import the .nzb again.");
        }
        catch (ContentException e)
        {
            return StoreOpenResult.Failed(e.Fault, e.Message);
        }
        catch (CatalogException e)
        {
            return StoreOpenResult.Failed(
                e.Fault is CatalogFault.Busy or CatalogFault.Unavailable ? ContentFault.Unavailable : ContentFault.Corrupt, e.Message);
        }
    }
}
