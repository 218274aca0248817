using NzbDav.Catalog.Maps;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.WebDav.Store;

namespace NzbDav.Host.Warming;

/// <summary>A file of the warm-up's own provider, opened like files of the catalog, through the codec of its map.</summary>
internal sealed class WarmUpFile(UsenetClient usenet, ExtentMap map) : IStoreFile
{
    private readonly ReadOnlyMemory<byte> _map = ExtentMapCodec.Encode(map, sizesVerified: true);

    public string Name { get; } = $"warm-up-{Guid.NewGuid():n}";

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => "\"warm-up\"";

    public long Length => map.Length;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Of(usenet.Open(ExtentMapCodec.Decode(_map.Span).Map)));
}
