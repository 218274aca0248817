using System.Globalization;
using System.Net.Sockets;
using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary>After a kill -9 at any point a job is there as a whole or not at all, and the next start finishes it without being asked.</summary>
public sealed class CrashTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 4)]
    [InlineData(1, 0)]
    [InlineData(2, 4)]
    public async Task Killed_during_a_fetch_the_job_is_imported_whole_at_the_next_start(int fileIndex, int segmentIndex)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var files = news.Store.AddPost([.. Enumerable.Range(1, 3).Select(number => ($"part{number}.mkv", (IArticleSource)new SeededSource(4, $"{number}", 3_000_000)))]);
        var asked = news.Stall(files[fileIndex], segmentIndex);
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/killed.nzb", NzbWriter.ToBytes(files));
            await asked;
            await server.KillAsync();
        }

        await using var next = ServerProcess.Serve(news, folder);
        using var later = await next.ClientAsync();

        // The article is still held back: nothing of the job may be visible, and the job must not be lost.
        Assert.Empty(await later.ListAsync("/dav/content/movies/"));
        Assert.Equal(["killed.nzb"], await later.ListAsync("/dav/nzbs/movies/"));
        news.Mend();
        news.First.DropConnections();
        await AssertWholeAsync(later, "killed", files);
    }

    [Fact]
    public async Task Killed_right_after_the_drop_is_answered_the_job_survives()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var file = news.Post("answered.mkv", 3_000_000);
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/answered.nzb", NzbWriter.ToBytes([file]));
            await server.KillAsync();
        }

        await using var next = ServerProcess.Serve(news, folder);
        using var later = await next.ClientAsync();
        await AssertWholeAsync(later, "answered", [file]);
    }

    [Fact]
    public async Task Killed_during_an_upload_nothing_of_it_is_left()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(client.Http.BaseAddress!.Host, client.Http.BaseAddress.Port);
            var authorization = client.Http.DefaultRequestHeaders.Authorization;
            await socket.SendAsync(Encoding.ASCII.GetBytes(
                $"PUT /dav/nzbs/movies/half.nzb HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization}\r\nContent-Length: 2000000\r\n\r\n<?xml version=\"1.0\"?><nzb>{new string(' ', 1_000_000)}"));
            await Deadline.UntilAsync(() => folder.Leftovers.Any(), "the upload is being written");
            await server.KillAsync();
        }

        Assert.NotEmpty(folder.Leftovers);
        await using var next = ServerProcess.Serve(news, folder);
        using var later = await next.ClientAsync();
        Assert.Empty(folder.Leftovers);
        Assert.Empty(await later.ListAsync("/dav/nzbs/movies/"));
    }

    [Fact]
    public async Task Killed_during_publication_the_job_is_absent_and_then_whole()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var files = news.Store.AddPost([.. Enumerable.Range(1, 4).Select(number => ($"part{number}.mkv", (IArticleSource)new SeededSource(4, $"{number}", 900_000)))]);
        await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token))
        {
            var intake = new NzbIntake(catalog.Jobs, new ImportOptions(), catalog.Options);
            Assert.NotNull((await intake.AddAsync("cut.nzb", "movies", new MemoryStream(NzbWriter.ToBytes(files)), JobSource.Cli, Deadline.Token)).Job);
        }

        // Every third statement; the tests of Catalog stop at each one.
        var deaths = 0;
        for (var published = false; !published; deaths++)
        {
            Assert.InRange(deaths, 0, 30);
            bool reported;
            await using (var mortal = ServerProcess.StartMortal(ServerProcess.Environment(news), folder.Path, (deaths * 3).ToString(CultureInfo.InvariantCulture)))
            {
                Assert.Equal(128 + 9, await mortal.ExitAsync());
                reported = mortal.Output.Contains("published");
                Assert.True(reported || mortal.Output.Contains("in the middle"));
            }

            await using var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token);
            Assert.Empty(await catalog.Database.CheckIntegrityAsync(Deadline.Token));
            var item = await catalog.Tree.ResolveAsync(["content", "movies", "cut"], Deadline.Token);

            // A statement of something else may come between the commit and the report.
            published = item is not null;
            Assert.True(published || !reported);
        }

        Assert.InRange(deaths, 4, 30);
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await AssertWholeAsync(client, "cut", files);
        Assert.Equal(["cut"], await client.ListAsync("/dav/content/movies/"));
    }

    [Theory]
    [InlineData("parse")]
    [InlineData("probe")]
    [InlineData("name")]
    [InlineData("layout")]
    [InlineData("validate")]
    [InlineData("publish")]
    public async Task Killed_at_any_step_the_job_is_absent_and_then_whole(string step)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var files = news.Store.AddPost([.. Enumerable.Range(1, 3).Select(number => ($"part{number}.mkv", (IArticleSource)new SeededSource(4, $"{number}", 900_000)))]);
        await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token))
        {
            var intake = new NzbIntake(catalog.Jobs, new ImportOptions(), catalog.Options);
            Assert.NotNull((await intake.AddAsync("cut.nzb", "movies", new MemoryStream(NzbWriter.ToBytes(files)), JobSource.Cli, Deadline.Token)).Job);
        }

        await using (var mortal = ServerProcess.StartMortal(ServerProcess.Environment(news), folder.Path, step))
        {
            Assert.Equal(128 + 9, await mortal.ExitAsync());
            Assert.Contains($"at {step}", mortal.Output);
        }

        await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token))
        {
            Assert.Empty(await catalog.Database.CheckIntegrityAsync(Deadline.Token));
            Assert.Null(await catalog.Tree.ResolveAsync(["content", "movies", "cut"], Deadline.Token));
        }

        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await AssertWholeAsync(client, "cut", files);
        Assert.Equal(["cut"], await client.ListAsync("/dav/content/movies/"));
    }

    private static async Task AssertWholeAsync(DavClient client, string job, IReadOnlyList<PostedFile> files)
    {
        var path = DavClient.Path("content", "movies", job);
        await client.UntilAsync(path);

        // All files appear at once.
        Assert.Equal(files.Select(file => file.Name).Order(StringComparer.Ordinal), await client.ListAsync(path + "/"));
        foreach (var file in files)
            await client.AssertFileAsync($"{path}/{file.Name}", file);
        Assert.Empty(await client.ListAsync("/dav/nzbs/movies/"));
    }
}
