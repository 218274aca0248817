using System.Globalization;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary><c>/.ids</c> and its folders. They list only what holds files, but any of them can be asked for without a query.</summary>
internal sealed class IdCollection(IdView view, string name, int level, int prefix) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"ids-{level}-{prefix:x}\"");

    /// <summary>From the root, as aliases have it.</summary>
    private string Path => level == 0 ? IdPath.Top : IdPath.Top + "/" + string.Join('/', prefix.ToString($"x{level}", CultureInfo.InvariantCulture).AsEnumerable());

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (level == IdPath.Levels)
        {
            foreach (var item in await view.Catalog.Links.ListShardAsync(prefix, cancellationToken))
                yield return view.Files.Of(item);
            await foreach (var moved in view.Moved.ListAsync(Path, cancellationToken))
                yield return moved;
            yield break;
        }

        var names = await view.Catalog.Aliases.ListAsync(Path, cancellationToken);
        var each = LinkStore.Shards >> (4 * (level + 1));
        for (var digit = 0; digit < 16; digit++)
        {
            var below = (prefix * 16) + digit;
            var text = digit.ToString("x", CultureInfo.InvariantCulture);
            if (names.ContainsKey(text) || await view.Catalog.Links.AnyInShardsAsync(below * each, ((below + 1) * each) - 1, cancellationToken))
                yield return new IdCollection(view, text, level + 1, below);
        }
    }

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => ValueTask.FromResult(StoreWriteResult.Forbidden);
}
