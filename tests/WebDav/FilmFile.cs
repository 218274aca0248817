using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Tests;

/// <summary>A film with any content that a test provides.</summary>
internal sealed class FilmFile(IContent content, long? id = null) : IStoreFile
{
    public string Name => "film.mkv";

    public long? Id => id;

    public DateTimeOffset CreatedAt => default;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => "\"1\"";

    public long Length => content.Length;

    public StoreKeeping Keeping => default;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => ValueTask.FromResult(StoreOpenResult.Of(content));
}
