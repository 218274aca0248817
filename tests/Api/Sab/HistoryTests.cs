using System.Text.Json;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Progress;

namespace NzbDav.Api.Tests.Sab;

/// <summary>The history and what can be done with its entries.</summary>
public sealed class HistoryTests
{
    [Fact]
    public async Task SAB_05_the_history_is_paged_latest_first()
    {
        await using var sab = await SabFixture.OpenAsync();
        for (var i = 0; i < 12; i++)
        {
            if (i % 3 == 0)
                await sab.FailAsync($"Show {i}");
            else
                await sab.CompleteAsync($"Show {i}", i % 2 == 0 ? "tv" : "movies");
        }

        var first = await sab.AskAsync("mode=history");
        Assert.Equal(Enumerable.Range(2, 10).Reverse().Select(i => $"Show {i}"), ArrReader.History(first).Select(item => item.Title));
        Assert.Equal(12, first.GetProperty("history").GetProperty("noofslots").GetInt32());
        Assert.Equal(10, ArrReader.History(await sab.AskAsync("mode=history&limit=0")).Count);
        Assert.Equal(["Show 8", "Show 7"], await TitlesAsync("start=3&limit=2"));
        Assert.Equal(["Show 9", "Show 6", "Show 3", "Show 0"], await TitlesAsync("limit=60&failed_only=1"));
        Assert.Equal(["Show 11", "Show 7", "Show 5", "Show 1"], await TitlesAsync("limit=60&category=movies"));
        Assert.Equal(["Show 1"], await TitlesAsync("limit=60&search=show+1&status=Completed&cat=movies&start=1"));
        var one = ArrReader.History(first)[0];
        Assert.Equal([one.Title], await TitlesAsync($"nzo_ids={one.Id}"));

        async Task<List<string>> TitlesAsync(string query) =>
            [.. ArrReader.History(await sab.AskAsync("mode=history&" + query)).Select(item => item.Title)];
    }

    [Fact]
    public async Task SAB_05_an_unchanged_history_is_answered_with_false()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.CompleteAsync("one");
        var last = (await sab.AskAsync("mode=history")).GetProperty("history").GetProperty("last_history_update").GetInt64();
        Assert.Equal(
            JsonValueKind.False, (await sab.AskAsync($"mode=history&last_history_update={last}")).GetProperty("history").ValueKind);
        await sab.FailAsync("two");
        Assert.Equal(2, ArrReader.History(await sab.AskAsync($"mode=history&last_history_update={last}")).Count);
        last = (await sab.AskAsync("mode=history")).GetProperty("history").GetProperty("last_history_update").GetInt64();
        await sab.AskAsync("mode=history&name=delete&value=failed");
        Assert.Single(ArrReader.History(await sab.AskAsync($"mode=history&last_history_update={last}")));
    }

    [Fact]
    public async Task SAB_08_a_job_that_became_visible_changes_the_history()
    {
        await using var sab = await SabFixture.OpenAsync();
        sab.Completion.Visible = false;
        await sab.CompleteAsync("Film");
        var last = (await sab.AskAsync("mode=history")).GetProperty("history").GetProperty("last_history_update").GetInt64();
        sab.Completion.Show();
        Assert.Equal("Completed", Assert.Single(ArrReader.History(await sab.AskAsync($"mode=history&last_history_update={last}"))).Status);
    }

    [Fact]
    public async Task SAB_08_only_completed_jobs_have_a_path_and_it_is_listed()
    {
        await using var sab = await SabFixture.OpenAsync();
        sab.Completion.Visible = false;
        var job = await sab.CompleteAsync("Film");
        var slot = Assert.Single(ArrReader.History(await sab.AskAsync("mode=history")));
        Assert.Equal(("Moving", ""), (slot.Status, slot.Storage));
        sab.Completion.Visible = true;
        slot = Assert.Single(ArrReader.History(await sab.AskAsync("mode=history")));
        Assert.Equal(("Completed", "/mnt/films/completed-symlinks/tv/Film", NzoId.Of(job.Id)), (slot.Status, slot.Storage, slot.Id));

        // A second job with the same name has its own folder, and its entry is named after that folder.
        await sab.CompleteAsync("Film");
        var second = ArrReader.History(await sab.AskAsync("mode=history"))[0];
        Assert.Equal(("Film (2)", "/mnt/films/completed-symlinks/tv/Film (2)"), (second.Title, second.Storage));

        // A renamed folder is reported under its new name, a deleted one not at all.
        var item = (await sab.Jobs.GetAsync(job.Id, CancellationToken.None))!.ItemId!.Value;
        var parent = (await sab.Tree.ResolveAsync(["content", "tv"], CancellationToken.None))!.Id;
        await sab.Tree.MoveAsync(item, parent, "Movie", CancellationToken.None);
        Assert.Equal("/mnt/films/completed-symlinks/tv/Movie", ArrReader.History(await sab.AskAsync("mode=history"))[1].Storage);
        await sab.Tree.DeleteAsync(item, CancellationToken.None);
        Assert.Equal(["Film (2)"], ArrReader.History(await sab.AskAsync("mode=history")).Select(one => one.Title));
    }

    [Theory]
    [InlineData(ImportFailure.Missing, "Aborted, cannot be completed - https://sabnzbd.org/not-complete (why it failed)")]
    [InlineData(ImportFailure.Incomplete, "Aborted, cannot be completed - https://sabnzbd.org/not-complete (why it failed)")]
    [InlineData(ImportFailure.Corrupt, "Aborted, cannot be completed - https://sabnzbd.org/not-complete (why it failed)")]
    [InlineData(ImportFailure.Storage, "Unpacking failed, write error or disk is full?")]
    [InlineData(ImportFailure.Internal, "Unpacking failed, write error or disk is full?")]
    [InlineData(ImportFailure.Unavailable, "Unpacking failed, write error or disk is full?")]
    [InlineData(ImportFailure.Compressed, "why it failed")]
    [InlineData(ImportFailure.Encrypted, "why it failed")]
    [InlineData(ImportFailure.NoVideo, "why it failed")]
    public async Task SAB_09_only_faults_of_the_post_get_the_release_blocklisted(string code, string text)
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.FailAsync("one", code, "why it failed");
        var answer = await sab.AskAsync("mode=history");
        var slot = Assert.Single(ArrReader.History(answer));
        Assert.Equal(("Failed", text, ""), (slot.Status, slot.FailMessage, slot.Storage));
        Assert.Contains("why it failed", answer.GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>What happens to the entry and to the files.</summary>
    [Theory]
    [InlineData("done", "del_files=1&archive=1", false, false, false)]
    [InlineData("done", "del_files=1", false, false, false)]
    [InlineData("done", "del_files=0&archive=1", false, true, true)]
    [InlineData("done", "", false, true, true)]
    [InlineData("done", "archive=0", false, false, true)]
    [InlineData("done", "del_files=1&archive=1", true, true, true)]
    [InlineData("done", "del_files=1&archive=0", true, false, true)]
    [InlineData("failed", "del_files=1&archive=0", false, false, false)]
    [InlineData("failed", "archive=1", false, true, false)]
    public async Task SAB_10_deleting_removes_what_was_requested_but_no_linked_files(
        string which, string how, bool linked, bool keepsEntry, bool keepsFiles)
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = which == "done" ? await sab.CompleteAsync("one") : await sab.FailAsync("one");
        if (linked)
            await sab.Links.MarkLinkReadAsync(
                (await sab.Tree.ResolveAsync(["content", "tv", "one", "film.mkv"], CancellationToken.None))!.Id, CancellationToken.None);
        Assert.True((await sab.AskAsync($"mode=history&name=delete&value={NzoId.Of(job.Id)}&{how}")).GetProperty("status").GetBoolean());
        Assert.Empty(ArrReader.History(await sab.AskAsync("mode=history")));
        Assert.Equal(keepsEntry ? 1 : 0, ArrReader.History(await sab.AskAsync("mode=history&archive=1")).Count);
        Assert.Equal(keepsFiles, await sab.Tree.ResolveAsync(["content", "tv", "one", "film.mkv"], CancellationToken.None) is not null);

        // A link was read: whether a library has it is decided later, even after the entry is deleted.
        var released = (await sab.Unwanted.ListAbandonedAsync(CancellationToken.None))
            .Select(one => (one.ItemId, one.JobId, one.Name, one.Category));
        Assert.Equal(linked && how.StartsWith("del_files=1", StringComparison.Ordinal)
            ? [(job.ItemId!.Value, (long?)job.Id, "one", "tv")] : [], released);

        // Deleting it again, or an unknown entry, is no error.
        Assert.True(
            (await sab.AskAsync($"mode=history&name=delete&value={NzoId.Of(job.Id)}&archive=0")).GetProperty("status").GetBoolean());
        Assert.True((await sab.AskAsync("mode=history&name=delete&value=SABnzbd_nzo_abcdefgh")).GetProperty("status").GetBoolean());
    }

    [Fact]
    public async Task SAB_10_all_failed_or_all_completed_jobs_can_be_deleted()
    {
        await using var sab = await SabFixture.OpenAsync();
        foreach (var name in (string[])["a", "b"])
        {
            await sab.CompleteAsync(name);
            await sab.FailAsync("bad " + name);
        }

        await sab.AskAsync("mode=history&name=delete&value=failed");
        Assert.Equal(["b", "a"], ArrReader.History(await sab.AskAsync("mode=history")).Select(item => item.Title));
        await sab.FailAsync("bad c");
        await sab.AskAsync("mode=history&name=delete&value=completed");
        Assert.Equal(["bad c"], ArrReader.History(await sab.AskAsync("mode=history")).Select(item => item.Title));
        await sab.AskAsync("mode=history&name=delete&value=all&archive=0");
        Assert.Empty(ArrReader.History(await sab.AskAsync("mode=history")));
    }

    [Fact]
    public async Task SAB_07_a_job_keeps_its_id_over_restarts_until_it_is_retried()
    {
        using var folder = new TemporaryFolder();
        string id;
        await using (var sab = await SabFixture.OpenAsync(folder.Path))
        {
            await sab.FailAsync("one");
            id = Assert.Single(ArrReader.History(await sab.AskAsync("mode=history"))).Id;
            var two = await sab.QueueAsync("two");
            Assert.Equal(NzoId.Of(two.Id), Assert.Single(ArrReader.Queue(await sab.AskAsync("mode=queue"))).Id);
        }

        await using var again = await SabFixture.OpenAsync(folder.Path);
        Assert.Equal(id, Assert.Single(ArrReader.History(await again.AskAsync("mode=history"))).Id);
        var renewed = (await again.AskAsync($"mode=retry&value={id}&password=secret")).GetProperty("nzo_id").GetString()!;
        Assert.NotEqual(id, renewed);
        Assert.Empty(ArrReader.History(await again.AskAsync("mode=history")));
        var job = (await again.Jobs.GetAsync(NzoId.Parse(renewed)!.Value, CancellationToken.None))!;
        Assert.Equal((JobState.Queued, "one", "tv", "secret"), (job.State, job.Name, job.Category, job.Password));
        Assert.Equal(SabFixture.Nzb("one"), (await again.Get<BlobStore>().ReadAsync(job.Nzb!.Value, CancellationToken.None)).ToArray());
        Assert.Equal("item does not exist", (await again.AskAsync($"mode=retry&value={id}")).GetProperty("error").GetString());
        Assert.Equal("item does not exist", (await again.AskAsync($"mode=retry&value={renewed}")).GetProperty("error").GetString());
    }
}
