using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>What survives a restart.</summary>
public sealed class PersistenceTests
{
    [Fact]
    public async Task RNG_24_A_restart_keeps_the_tree_its_tags_and_its_bytes()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var files = Enumerable.Range(1, 5).Select(number => news.Post($"part {number}.mkv", number * 700_000)).ToArray();
        List<Entry> before;
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await gateway.ImportAsync("season", files[..4]);
            await gateway.ImportAsync("single", files[4]);
            before = await WalkAsync(gateway, "/dav/");
        }

        for (var restart = 0; restart < 2; restart++)
        {
            await using var gateway = await Gateway.StartAsync(news, folder);
            Assert.Equal(before, await WalkAsync(gateway, "/dav/"));
            foreach (var file in files)
            {
                var entry = before.Single(one => one.Name == file.Name);
                await gateway.Client.AssertFileAsync(entry.Href, file);
                using var unchanged = await gateway.Client.SendAsync(
                    "GET", entry.Href, body: null, headers => headers.TryAddWithoutValidation("If-None-Match", entry.ETag));
                Assert.Equal(System.Net.HttpStatusCode.NotModified, unchanged.StatusCode);
            }
        }
    }

    [Fact]
    public async Task A_job_dropped_while_no_provider_answers_is_imported_once_one_does()
    {
        await using var news = new NewsServers();
        news.GoDown();

        // A quarter of a minute passes before the next try.
        await using var gateway = await Gateway.StartAsync(news, time: new FasterClock(10));
        var file = news.Post("patient.mkv", 2_000_000);
        var putBack = WhenAsync(gateway, JobState.Queued, count: 2);
        await gateway.Client.PutAsync("/dav/nzbs/movies/patient.nzb", NzbWriter.ToBytes([file]));
        await putBack;
        Assert.Equal(["patient.nzb"], await gateway.Client.ListAsync("/dav/nzbs/movies/"));

        news.ComeBack();
        Assert.Equal(JobState.Completed, (await gateway.WaitAsync("patient"))!.State);
        await gateway.Client.AssertFileAsync("/dav/content/movies/patient/patient.mkv", file);
        Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
    }

    [Fact]
    public async Task A_job_that_waits_for_providers_is_imported_by_the_next_start()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var file = news.Post("overnight.mkv", 2_000_000);
        news.GoDown();
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            var putBack = WhenAsync(gateway, JobState.Queued, count: 2);
            await gateway.Client.PutAsync("/dav/nzbs/movies/overnight.nzb", NzbWriter.ToBytes([file]));
            await putBack;
        }

        // Still no provider: the job stays.
        await using (var gateway = await Gateway.StartAsync(news, folder))
            Assert.Equal(["overnight.nzb"], await gateway.Client.ListAsync("/dav/nzbs/movies/"));

        news.ComeBack();
        await using var last = await Gateway.StartAsync(news, folder);
        Assert.Equal(JobState.Completed, (await last.WaitAsync("overnight"))!.State);
        await last.Client.AssertFileAsync("/dav/content/movies/overnight/overnight.mkv", file);
    }

    [Fact]
    public async Task A_job_that_runs_when_the_server_stops_is_imported_by_the_next_start()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var file = news.Post("paused.mkv", 2_000_000);
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            var asked = news.Stall(file, 0);
            await gateway.Client.PutAsync("/dav/nzbs/movies/paused.nzb", NzbWriter.ToBytes([file]));
            await asked;
        }

        news.Mend();
        await using var later = await Gateway.StartAsync(news, folder);
        Assert.Equal(JobState.Completed, (await later.WaitAsync("paused"))!.State);
        await later.Client.AssertFileAsync("/dav/content/movies/paused/paused.mkv", file);
        Assert.Equal(["paused"], await later.Client.ListAsync("/dav/content/movies/"));
    }

    private static async Task<List<Entry>> WalkAsync(Gateway gateway, string path)
    {
        var all = new List<Entry>();
        foreach (var entry in (await gateway.Client.FindAsync(path))!.Skip(1))
        {
            all.Add(entry);
            if (entry.IsCollection)
                all.AddRange(await WalkAsync(gateway, entry.Href));
        }

        return all;
    }

    /// <summary>Completes when a job of this server has entered a state for the n-th time.</summary>
    private static Task WhenAsync(Gateway gateway, JobState state, int count)
    {
        var seen = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        gateway.Jobs.Changed += change =>
        {
            if (change.State == state && Interlocked.Decrement(ref count) == 0)
                seen.TrySetResult();
        };
        return seen.Task.WaitAsync(Deadline.Long);
    }
}
