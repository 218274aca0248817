using System.Collections.Concurrent;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Jobs;

/// <summary>
/// How long ago queued posts were posted. Remembers it, because clients ask for the whole queue every few seconds. Thread-safe.
/// </summary>
internal sealed class PostAges(PostedFiles files, TimeProvider time)
{
    /// <summary>More than queues have; each takes some 50 bytes.</summary>
    private const int MostRemembered = 10_000;

    private readonly ConcurrentDictionary<long, DateTimeOffset?> _known = new();

    /// <summary>In SABnzbd's form.</summary>
    public async ValueTask<string> OfAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        if (!_known.TryGetValue(job.Id, out var posted))
        {
            if (_known.Count >= MostRemembered)
                _known.Clear();
            try
            {
                posted = await files.FirstPostedAsync(job, cancellationToken);
            }
            catch (IOException)
            {
                // The .nzb is gone or cannot be read: of no matter to the list, and the import says so.
            }

            _known[job.Id] = posted;
        }

        return SabText.Age(posted is { } date ? time.GetUtcNow() - date : TimeSpan.FromTicks(-1));
    }
}
