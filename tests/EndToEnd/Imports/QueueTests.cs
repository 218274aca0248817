using System.Net;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary>How the drop folder shows waiting, running and failed jobs, and what deleting one there does.</summary>
public sealed class QueueTests
{
    [Fact]
    public async Task A_failed_job_says_why_beside_its_nzb_until_it_is_deleted()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a" }, new MockProviderOptions { Name = "news-b" });
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("gone.mkv", 3_000_000);
        news.Fault(Fault.Missing, FaultTarget.File(file));
        var nzb = NzbWriter.ToBytes([file]);
        await gateway.Client.PutAsync("/dav/nzbs/movies/gone.nzb", nzb);
        Assert.Equal(JobState.Failed, (await gateway.WaitAsync("gone"))!.State);

        var entries = await gateway.Client.FindAsync("/dav/nzbs/movies/");
        Assert.Equal(["gone.nzb", "gone.nzb.failed.txt"], entries!.Skip(1).Select(entry => entry.Name).Order(StringComparer.Ordinal));
        using (var note = await gateway.Client.SendAsync("GET", "/dav/nzbs/movies/gone.nzb.failed.txt"))
        {
            var text = await note.Content.ReadAsStringAsync();
            Assert.Contains("gone.mkv", text, StringComparison.Ordinal);
            Assert.Contains(file.Segments, segment => text.Contains($"<{segment.MessageId}>", StringComparison.Ordinal));
            Assert.Contains("news-a, news-b", text, StringComparison.Ordinal);
            Assert.Contains("missing-articles", text, StringComparison.Ordinal);
            Assert.Equal("text/plain", note.Content.Headers.ContentType!.MediaType);
            Assert.Equal(
                entries!.Single(entry => entry.Name.EndsWith(".txt", StringComparison.Ordinal)).Size, note.Content.Headers.ContentLength);
        }

        using (var dropped = await gateway.Client.SendAsync("GET", "/dav/nzbs/movies/gone.nzb"))
            Assert.Equal(nzb, await dropped.Content.ReadAsByteArrayAsync());
        Assert.Empty(await gateway.Client.ListAsync("/dav/content/movies/"));

        Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/nzbs/movies/gone.nzb")).Status);
        Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
        Assert.Equal(HttpStatusCode.NotFound, (await gateway.Client.AskAsync("GET", "/dav/nzbs/movies/gone.nzb")).Status);
    }

    [Fact]
    public async Task Dropping_a_failed_job_again_retries_it()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("again.mkv", 3_000_000);
        news.Fault(Fault.Missing, FaultTarget.File(file));
        await gateway.Client.PutAsync("/dav/nzbs/movies/again.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(JobState.Failed, (await gateway.WaitAsync("again"))!.State);

        news.Mend();
        var (status, _) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/again.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(HttpStatusCode.NoContent, status);
        await gateway.Client.UntilAsync("/dav/content/movies/again/again.mkv");
        await gateway.Client.AssertFileAsync("/dav/content/movies/again/again.mkv", file);
        Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
    }

    [Theory]
    [InlineData("the first article")]
    [InlineData("the last article")]
    public async Task A_job_deleted_while_it_runs_is_never_published(string stalled)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var file = news.Post("unwanted.mkv", 3_000_000);
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            var asked = news.Stall(file, stalled == "the first article" ? 0 : file.Segments.Count - 1);
            await gateway.Client.PutAsync("/dav/nzbs/movies/unwanted.nzb", NzbWriter.ToBytes([file]));
            await asked;
            Assert.Equal(["unwanted.nzb"], await gateway.Client.ListAsync("/dav/nzbs/movies/"));
            Assert.Equal(HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/nzbs/movies/unwanted.nzb")).Status);
            Assert.Empty(await gateway.Client.ListAsync("/dav/nzbs/movies/"));
            news.Mend();
            news.First.DropConnections();

            // Once another job that needs the same articles is done, the worker and the articles are free again.
            await gateway.ImportAsync("wanted", file);
            await gateway.AssertNothingLeaksAsync();
        }

        // Stopping the server stops its workers, so nothing can be published any more.
        await using var later = await Gateway.StartAsync(news, folder);
        Assert.Equal(["wanted"], await later.Client.ListAsync("/dav/content/movies/"));
        Assert.Null(await later.FindJobAsync("unwanted"));
    }

    [Fact]
    public async Task The_content_tree_refuses_uploads_and_deletion_of_linked_files()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("kept.mkv", 100_000);
        var folder = await gateway.ImportAsync("kept", file);
        string[] targets = [
            folder + "/kept.mkv", folder + "/new.mkv", "/dav/content/movies/new.nzb", "/dav/content/new.nzb", "/dav/new.nzb"];
        foreach (var target in targets)
            Assert.Equal(HttpStatusCode.Forbidden, (await gateway.Client.AskAsync("PUT", target, NzbWriter.ToBytes([file]))).Status);

        // Whoever read the link may have put it into a library.
        Assert.Equal(
            HttpStatusCode.OK, (await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/movies/kept/kept.mkv.rclonelink")).Status);
        foreach (var target in new[] { folder + "/kept.mkv", folder + "/", "/dav/content/movies/", "/dav/content/", "/dav/nzbs/movies/",
            "/dav/nzbs/", "/dav/" })
            Assert.Equal(HttpStatusCode.Forbidden, (await gateway.Client.AskAsync("DELETE", target)).Status);
        await gateway.Client.AssertFileAsync(folder + "/kept.mkv", file);
        Assert.Equal(1, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
    }
}
