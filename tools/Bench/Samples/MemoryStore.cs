using System.IO.Pipelines;
using NzbDav.WebDav.Store;

namespace NzbDav.Bench.Samples;

/// <summary>A tree of one file, found under every name.</summary>
internal sealed class MemoryStore(MemoryFile file) : IStore, IStoreCollection
{
    public string Name => "";

    public DateTimeOffset CreatedAt => file.CreatedAt;

    public DateTimeOffset ModifiedAt => file.ModifiedAt;

    public string ETag => "\"root\"";

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken) => new(path.IsRoot ? this : file);

    public bool MayListDeep(StorePath path) => false;

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask;
        yield return file;
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) => new(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => new(StoreWriteResult.Forbidden);
}
