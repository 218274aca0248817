using System.Globalization;
using System.Text;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>An .nzb, .torrent or .magnet that is not imported yet.</summary>
internal sealed class DroppedFile(CatalogJob job, string name, BlobStore blobs) : IStoreFile
{
    public string Name => name;

    public DateTimeOffset CreatedAt => job.Created;

    public DateTimeOffset ModifiedAt => job.Created;

    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"{job.Id:x}\"");

    public long Length => job.NzbSize;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    public async ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        try
        {
            return job.Nzb is { } hash
                ? StoreOpenResult.Of(new BytesContent(await blobs.ReadAsync(hash, cancellationToken)))
                : StoreOpenResult.Failed(ContentFault.Missing, "What was dropped was not kept.");
        }
        catch (CatalogException e)
        {
            return StoreOpenResult.Failed(ContentFault.Missing, e.Message);
        }
    }
}

/// <summary>A text file beside a dropped file that says why its job failed, for people who see only the mount.</summary>
internal sealed class FailureNote(CatalogJob job, string name) : IStoreFile
{
    private readonly byte[] _text = Encoding.UTF8.GetBytes(
        $"{job.FailureMessage} ({job.FailureCode})\nDelete the file beside this one to take it out of the list, or drop it again to try " +
        $"again.\n");

    public string Name => name;

    public DateTimeOffset CreatedAt => job.Finished ?? job.Created;

    public DateTimeOffset ModifiedAt => job.Finished ?? job.Created;

    public string ETag => string.Create(CultureInfo.InvariantCulture, $"\"{job.Id:x}-{(job.Finished ?? job.Created).UtcTicks:x}\"");

    public long Length => _text.Length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Of(new BytesContent(_text)));
}
