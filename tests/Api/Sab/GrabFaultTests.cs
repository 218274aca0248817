using NzbDav.Api.Sab.Adding;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;

namespace NzbDav.Api.Tests.Sab;

public sealed class GrabFaultTests
{
    /// <summary>More addresses than are fetched at a time, each with an unexpected exception behind it.</summary>
    [Fact]
    public async Task An_internal_error_ends_one_fetch_and_the_next_ones_go_on()
    {
        await using var indexer = await Indexer.StartAsync();
        indexer.Go.SetResult();
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var faults = 0;
        var grabs = sab.Get<UrlGrabs>();
        grabs.Changed += id =>
        {
            if (grabs.Pending.All(grab => grab.Id != id) && Interlocked.Increment(ref faults) <= 5)
                throw new InvalidOperationException("A handler with a bug.");
        };

        for (var i = 1; i <= 6; i++)
            await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexer.Url + "get")}&nzbname=Show{i}");
        await Until.TrueAsync(async () => ArrReader.Queue(await sab.AskAsync("mode=queue")).Count(item => item.Status == "Queued") == 6);
        Assert.Empty(grabs.Pending);
    }

    /// <summary>Each lane of the fetcher meets this once. A further address shows that all of them go on.</summary>
    [Fact]
    public async Task A_job_that_another_gateway_made_meanwhile_ends_the_fetch()
    {
        Indexer[] indexers = [await Indexer.StartAsync(), await Indexer.StartAsync(), await Indexer.StartAsync()];
        await using var sab = await SabFixture.OpenAsync(change: options => options with { PrivateHosts = ["127.0.0.1"] });
        var grabs = sab.Get<UrlGrabs>();
        foreach (var indexer in indexers)
        {
            var id = sab.Jobs.NewId();
            await grabs.AddAsync(new UrlGrab { Id = id, Url = indexer.Url + "get", Name = "x", Category = "tv" }, CancellationToken.None);
            await indexer.Asked.Task;
            using var nzb = new MemoryStream(SabFixture.Nzb("x"));
            await sab.Jobs.EnqueueAsync(
                new NewJob { Id = id, Name = "x", Category = "tv", Source = JobSource.Api }, nzb, CancellationToken.None);
        }

        foreach (var indexer in indexers)
            indexer.Go.SetResult();
        await sab.AskAsync($"mode=addurl&name={Uri.EscapeDataString(indexers[0].Url + "get")}&nzbname=Another");
        await Until.TrueAsync(() => grabs.Pending.Count == 0);
        Assert.Equal(["Another", "x", "x", "x"],
            ArrReader.Queue(await sab.AskAsync("mode=queue")).Select(item => item.Title).Order(StringComparer.Ordinal));
        foreach (var indexer in indexers)
            await indexer.DisposeAsync();
    }
}
