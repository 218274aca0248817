using System.Globalization;
using System.Text;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Library;

/// <summary>Why a job failed, as a file beside what was dropped: for people who have nothing but the mount.</summary>
internal sealed class FailureNote(CatalogJob job, string name) : IStoreFile
{
    private readonly byte[] _text = Encoding.UTF8.GetBytes($"{job.FailureMessage} ({job.FailureCode})\nDelete the file beside this one to take it out of the list, or drop it again to try again.\n");

    public string Name => name;

    public DateTimeOffset CreatedAt => job.Finished ?? job.Created;

    public DateTimeOffset ModifiedAt => job.Finished ?? job.Created;

    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"{job.Id:x}-{(job.Finished ?? job.Created).UtcTicks:x}\"");

    public long Length => _text.Length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) => ValueTask.FromResult(StoreOpenResult.Of(new BytesContent(_text)));
}
