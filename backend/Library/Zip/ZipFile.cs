using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Zip;

/// <summary>A folder as a .zip that is sent as any other file is: with its length, ranges and an entity tag that changes with what is in it.</summary>
internal sealed class ZipFile(long folderId, string name, DateTimeOffset modified, string etag, ZipContent content) : IStoreFile
{
    public long? Id => folderId;

    public string Name => name;

    public DateTimeOffset CreatedAt => modified;

    public DateTimeOffset ModifiedAt => modified;

    public string ETag => etag;

    public long Length => content.Length;

    public string ContentType => "application/zip";

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => ValueTask.FromResult(StoreOpenResult.Of((IContent)content));
}
