using System.IO.Pipelines;
using System.Security.Cryptography;
using System.Text;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary>A folder that only paths of another program know. Nothing can be changed in it.</summary>
internal sealed class MovedCollection(MovedPaths paths, string path, string name) : IStoreCollection
{
    public string Name => name;

    public DateTimeOffset CreatedAt => DateTimeOffset.UnixEpoch;

    public DateTimeOffset ModifiedAt => DateTimeOffset.UnixEpoch;

    public string ETag { get; } = $"\"moved-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(path)).AsSpan(0, 8))}\"";

    public IAsyncEnumerable<IStoreItem> GetChildrenAsync(CancellationToken cancellationToken) => paths.ListAsync(path, cancellationToken);

    public ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken) => ValueTask.FromResult(StoreWriteResult.Forbidden);

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => ValueTask.FromResult(StoreWriteResult.Forbidden);
}
