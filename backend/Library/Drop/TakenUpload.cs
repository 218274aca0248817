using System.Globalization;
using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>
/// A recent upload that was packed, or whose post already existed. Keeps the name and size that the client checks for, but not the bytes.
/// </summary>
internal sealed class TakenUpload(string name, long length, DateTimeOffset taken, IReadOnlyList<long> jobs) : IStoreFile
{
    public string Name => name;

    public DateTimeOffset CreatedAt => taken;

    public DateTimeOffset ModifiedAt => taken;

    public string ETag { get; } = string.Create(CultureInfo.InvariantCulture, $"\"taken-{taken.UtcTicks:x}-{length:x}\"");

    public long Length => length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    /// <summary>Ids of the jobs made from it; none if they existed before.</summary>
    public IReadOnlyList<long> Jobs => jobs;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Failed(ContentFault.Missing, "What is in here is queued as an .nzb of its own or was there before; the upload was not kept."));
}
