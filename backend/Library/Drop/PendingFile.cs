using System.Globalization;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>A small file in <c>/nzbs</c> that is not, or not yet, an .nzb.</summary>
internal sealed class PendingFile(string name, byte[] bytes, DateTimeOffset created, long version) : IStoreFile
{
    public string Name => name;

    public DateTimeOffset CreatedAt => created;

    public DateTimeOffset ModifiedAt => created;

    public string ETag { get; } = string.Create(CultureInfo.InvariantCulture, $"\"pending-{created.UtcTicks:x}-{version:x}\"");

    public long Length => bytes.Length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => ValueTask.FromResult(StoreOpenResult.Of(new BytesContent(bytes)));
}
