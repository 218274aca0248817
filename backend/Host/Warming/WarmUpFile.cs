using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Maps;
using NzbDav.Content;
using NzbDav.Library.Pins;
using NzbDav.Usenet;
using NzbDav.WebDav.Store;

namespace NzbDav.Host.Warming;

/// <summary>A file of the warm-up's own provider, opened like files of the catalog, through the codec of its map.</summary>
internal sealed class WarmUpFile(UsenetClient usenet, ExtentMap map, PinStore pins) : IStoreFile
{
    /// <summary>Of no file of the library. What a crash leaves of it is removed like the pins of deleted files.</summary>
    private readonly PinKey _key = new(Item: 0, BlobHash.Of(new byte[32]), map.Length);
    private readonly ReadOnlyMemory<byte> _map = ExtentMapCodec.Encode(map, sizesVerified: true);

    public string Name { get; } = $"warm-up-{Guid.NewGuid():n}";

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => "\"warm-up\"";

    public long Length => map.Length;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Of(new PinnedContent(Whole(), _key, pins)));

    /// <summary>Pins the beginning.</summary>
    public Task PinAsync(long length, CancellationToken cancellationToken) =>
        pins.PinAsync(_key, Whole(), [new PinRange(0, length)], ReadIntent.Import, cancellationToken);

    /// <summary>Removes the pin.</summary>
    public void Drop() => pins.Drop(_key.Item);

    private IContent Whole() => usenet.Open(ExtentMapCodec.Decode(_map.Span).Map);
}
