using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Serving;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>The daily sweep of a server that is never restarted.</summary>
public sealed class BlobKeeperTests
{
    [Fact]
    public async Task Blobs_that_nothing_refers_to_are_swept_once_a_day()
    {
        using var folder = new Folder();
        var time = new ManualTimeProvider();
        var options = TestEngine.Options(folder.Path);
        await using var database = await CatalogOpening.OpenAsync(options, time, Deadline.Token);
        var blobs = new BlobStore(database);
        using var keeper = new BlobKeeper(new BlobCollector(database, blobs), options, time, NullLogger<BlobKeeper>.Instance);
        await blobs.PutAsync(new byte[] { 1 }, Deadline.Token);
        var timers = time.ArmedTimers;
        await keeper.StartAsync(Deadline.Token);
        await Until.TrueAsync(() => time.ArmedTimers > timers);
        for (var day = 1; day <= 2; day++)
        {
            var swept = new TaskCompletionSource<SweepResult?>(TaskCreationOptions.RunContinuationsAsynchronously);
            void OnSwept(SweepResult? result) => swept.TrySetResult(result);
            keeper.Swept += OnSwept;
            time.Advance(BlobKeeper.Every);
            Assert.Equal(day == 1 ? 1 : 0, (await swept.Task.WaitAsync(Deadline.Token))!.Quarantined);
            keeper.Swept -= OnSwept;
        }

        await keeper.StopAsync(Deadline.Token);
    }
}
