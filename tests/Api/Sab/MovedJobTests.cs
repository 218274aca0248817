using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Import.Progress;

namespace NzbDav.Api.Tests.Sab;

/// <summary>Jobs moved from another program, addressed by the ids that *arrs know from there.</summary>
public sealed class MovedJobTests
{
    private const string Old = "8f3e356e-2aca-4cd0-be91-b85f10835e26";

    [Fact]
    public async Task The_queue_accepts_the_old_id_of_a_job()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await QueueAsync(sab, "one", Old, isListed: true);
        await sab.QueueAsync("two");
        Assert.Equal(Old, Assert.Single(ArrReader.Queue(await sab.AskAsync($"mode=queue&nzo_ids={Old}"))).Id);
        Assert.Equal([Old], Ids(await sab.AskAsync($"mode=queue&name=pause&value={Old}")));
        Assert.True((await sab.Jobs.GetAsync(job.Id, CancellationToken.None))!.Paused);
        Assert.Equal([Old], Ids(await sab.AskAsync($"mode=queue&name=resume&value={Old}")));
        Assert.True((await sab.AskAsync($"mode=change_cat&value={Old}&value2=films")).GetProperty("status").GetBoolean());
        Assert.Equal(0, (await sab.AskAsync($"mode=switch&value={Old}&value2=0")).GetProperty("result").GetProperty("position").GetInt32());
        Assert.Single((await sab.AskAsync($"mode=get_files&value={Old}")).GetProperty("files").EnumerateArray());

        // Its own id works too; an unknown id matches nothing.
        Assert.Equal([Old], Ids(await sab.AskAsync($"mode=queue&name=delete&value={NzoId.Of(job.Id)},none")));
        Assert.Equal("two", Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue"))).Title);
        Assert.Empty(Ids(await sab.AskAsync($"mode=queue&name=delete&value={Old}")));
    }

    [Fact]
    public async Task A_failed_job_and_its_retry_keep_the_old_id()
    {
        await using var sab = await SabFixture.OpenAsync();
        await QueueAsync(sab, "one", Old, isListed: true);
        var running = (await sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await sab.Jobs.FailAsync(running, ImportFailure.Missing, "gone", CancellationToken.None);
        var slot = Assert.Single(ArrReader.History(await sab.AskAsync($"mode=history&nzo_ids={Old}")));
        Assert.Equal((Old, "Failed"), (slot.Id, slot.Status));

        Assert.Equal(Old, (await sab.AskAsync($"mode=retry&value={Old}")).GetProperty("nzo_id").GetString());
        var again = Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue")));
        Assert.Equal((Old, "one"), (again.Id, again.Title));
        var known = (await sab.Get<AliasStore>().ListTitlesAsync("nzbdav", CancellationToken.None))["title"];
        Assert.Equal("queued", known.State);
    }

    [Fact]
    public async Task A_job_the_arrs_are_done_with_is_archived_from_the_start()
    {
        await using var sab = await SabFixture.OpenAsync();
        await QueueAsync(sab, "one", downloadId: null, isListed: false);
        var running = (await sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await sab.Jobs.FailAsync(running, ImportFailure.Missing, "gone", CancellationToken.None);
        Assert.Empty(ArrReader.History(await sab.AskAsync("mode=history")));
        Assert.Equal(NzoId.Of(running.Id), Assert.Single(ArrReader.History(await sab.AskAsync("mode=history&archive=1"))).Id);
    }

    private static async Task<CatalogJob> QueueAsync(SabFixture sab, string name, string? downloadId, bool isListed)
    {
        using var nzb = new MemoryStream(SabFixture.Nzb(name));
        var moved = new MovedTitle("nzbdav", "title", []) { DownloadId = downloadId, IsListed = isListed };
        return await sab.Jobs.EnqueueAsync(
            new NewJob { Name = name, Category = "tv", Source = JobSource.Cli, Priority = 1, Moved = moved }, nzb, CancellationToken.None);
    }

    private static string[] Ids(System.Text.Json.JsonElement answer) =>
        [.. answer.GetProperty("nzo_ids").EnumerateArray().Select(id => id.GetString()!)];
}
