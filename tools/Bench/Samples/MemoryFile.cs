using System.IO.Pipelines;
using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Bench.Samples;

/// <summary>A file whose bytes repeat one article.</summary>
internal sealed class MemoryFile(string name, long length) : IStoreFile, IContent
{
    private static readonly BufferPool Pool = new(new BufferBudget(8 << 20));
    private static readonly PooledBuffer Article = Rent();

    public string Name { get; } = name;

    public DateTimeOffset CreatedAt { get; } = new(2024, 2, 29, 12, 30, 15, TimeSpan.Zero);

    public DateTimeOffset ModifiedAt { get; } = new(2024, 3, 1, 8, 9, 10, TimeSpan.Zero);

    public string ETag { get; } = "\"6f1c2a-40000000\"";

    public long Length { get; } = length;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => new(StoreOpenResult.Of(this));

    public ContentReader OpenReader(long start, long end, ReadIntent intent) => new Reader(start, end);

    private static PooledBuffer Rent()
    {
        Pool.Budget.Reserve(BufferPool.ClassOf(YencSamples.PartSize));
        var buffer = Pool.Rent(YencSamples.PartSize);
        YencSamples.Data().CopyTo(buffer.Array, 0);
        return buffer;
    }

    private sealed class Reader(long start, long end) : ContentReader
    {
        private long _position = start;

        public override long Position => _position;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            var count = (int)Math.Min(end - _position, YencSamples.PartSize);
            _position += count;
            return new(ContentLease.Of(Article, 0, count));
        }

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}

/// <summary>A tree of one file, found under every name.</summary>
internal sealed class MemoryStore(MemoryFile file) : IStore, IStoreCollection
{
    public string Name => "";

    public DateTimeOffset CreatedAt => file.CreatedAt;

    public DateTimeOffset ModifiedAt => file.ModifiedAt;

    public string ETag => "\"root\"";

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken) => new(path.IsRoot ? this : file);

    public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) =>
        GetItemAsync(path, cancellationToken);

    public bool MayHoldJunk(StorePath path) => false;

    public bool MayListDeep(StorePath path) => false;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync(
        [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask;
        yield return file;
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        new(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => new(StoreWriteResult.Forbidden);
}
