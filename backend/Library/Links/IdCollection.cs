using System.Globalization;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary><c>/.ids</c> and its folders. They list only what holds files, but any of them can be asked for without a query.</summary>
internal sealed class IdCollection(LibraryStore store, string name, int level, int prefix) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"ids-{level}-{prefix:x}\"");

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (level == IdPath.Levels)
        {
            foreach (var item in await store.Links.ListShardAsync(prefix, cancellationToken))
                yield return store.IdFileOf(item);
            yield break;
        }

        var each = LinkStore.Shards >> (4 * (level + 1));
        for (var digit = 0; digit < 16; digit++)
        {
            var below = (prefix * 16) + digit;
            if (await store.Links.AnyInShardsAsync(below * each, ((below + 1) * each) - 1, cancellationToken))
                yield return new IdCollection(store, digit.ToString("x", CultureInfo.InvariantCulture), level + 1, below);
        }
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => ValueTask.FromResult(StoreWriteResult.Forbidden);
}
