using System.Globalization;
using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>A text file beside a dropped file that says why its job failed, for people who see only the mount.</summary>
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
