using System.Globalization;
using NzbDav.Content;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>
/// An upload that became jobs a moment ago, packed, or a post that was there already. It has the name and the size that its sender looks for; its bytes are not kept, what was inside is.
/// </summary>
internal sealed class TakenUpload(string name, long length, DateTimeOffset taken, IReadOnlyList<long> jobs) : IStoreFile
{
    public string Name => name;

    public DateTimeOffset CreatedAt => taken;

    public DateTimeOffset ModifiedAt => taken;

    public string ETag { get; } = string.Create(CultureInfo.InvariantCulture, $"\"taken-{taken.UtcTicks:x}-{length:x}\"");

    public long Length => length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    /// <summary>Ids of the jobs that came out of it; none when they were there before.</summary>
    public IReadOnlyList<long> Jobs => jobs;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Failed(ContentFault.Missing, "What is in here is queued as an .nzb of its own or was there before; the upload was not kept."));
}
