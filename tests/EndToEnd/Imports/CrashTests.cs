#if !POSTGRES
using System.Collections.Concurrent;
#endif
using System.Net.Sockets;
using System.Text;
#if !POSTGRES
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Database;
#endif
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
#if !POSTGRES
using NzbDav.Import.Progress;
#endif
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Imports;

/// <summary>
/// After a kill -9 at any point a job is there as a whole or not at all, and the next start finishes it without being asked.
/// </summary>
public sealed class CrashTests
{
    [Theory]
    [InlineData(0, 0, false)]
    [InlineData(0, 4, false)]
    [InlineData(1, 0, false)]
    [InlineData(2, 4, true)]
    public async Task Killed_during_a_fetch_the_job_is_imported_whole_at_the_next_start(int fileIndex, int segmentIndex, bool really)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var files = Post(news, 3, 3_000_000);
        var asked = news.Stall(files[fileIndex], segmentIndex);
        Folder? fork = null;
        if (really || TestEngine.IsServer)
        {
            await using var server = ServerProcess.Serve(news, folder);
            using var client = await server.ClientAsync();
            await client.PutAsync("/dav/nzbs/movies/killed.nzb", NzbWriter.ToBytes(files));
            await asked;
            await server.KillAsync();
        }
        else
        {
            await using var gateway = await Gateway.StartAsync(news, folder);
            await gateway.Client.PutAsync("/dav/nzbs/movies/killed.nzb", NzbWriter.ToBytes(files));
            await asked;
            fork = await gateway.ForkAsync(folder);
        }

        using var left = fork;
        await using var next = await Gateway.StartAsync(news, left ?? folder);

        // The article is still held back: nothing of the job may be visible, and the job must not be lost.
        Assert.Empty(await next.Client.ListAsync("/dav/content/movies/"));
        Assert.Equal(["killed.nzb"], await next.Client.ListAsync("/dav/nzbs/movies/"));
        news.Mend();
        news.First.DropConnections();
        await AssertWholeAsync(next.Client, "killed", files);
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

        await using var next = await Gateway.StartAsync(news, folder);
        await AssertWholeAsync(next.Client, "answered", [file]);
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
                $"PUT /dav/nzbs/movies/half.nzb HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization}\r\nContent-Length: " +
                $"2000000\r\n\r\n<?xml version=\"1.0\"?><nzb>{new string(' ', 1_000_000)}"));
            await Deadline.UntilAsync(() => folder.Leftovers.Any(), "the upload is being written");
            await server.KillAsync();
        }

        Assert.NotEmpty(folder.Leftovers);
        await using var next = await Gateway.StartAsync(news, folder);
        Assert.Empty(folder.Leftovers);
        Assert.Empty(await next.Client.ListAsync("/dav/nzbs/movies/"));
    }

#if !POSTGRES
    /// <summary>One import, and what a kill would leave at each step of it and before each statement of its publication.</summary>
    [Fact]
    public async Task Killed_at_any_step_or_statement_the_job_is_absent_or_whole_and_then_whole()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var files = Post(news, 4, 900_000);
        var states = new List<(Folder Folder, string[] Steps)>();
        try
        {
            await using (var gateway = await Gateway.StartAsync(news, folder))
            {
                var steps = new ConcurrentQueue<string>();
                var (publishing, isOver) = (false, false);
                gateway.Services.GetRequiredService<ImportEvents>().Progressed += progress => steps.Enqueue(progress.Progress.Step);
                gateway.Jobs.Changed += change => isOver |= change.State == JobState.Completed;

                // Called by the writer of the catalog: nothing else writes meanwhile.
                gateway.Services.GetRequiredService<CatalogDatabase>().BeforeStatement = sql =>
                {
                    publishing |= sql.Contains("state = 'completed'", StringComparison.Ordinal);
                    var reached = new HashSet<string>(StringComparer.Ordinal);
                    while (steps.TryDequeue(out var step))
                        reached.Add(step);
                    reached.ExceptWith(states.SelectMany(state => state.Steps));
                    if (!isOver && (publishing || reached.Count > 0))
                        states.Add((folder.Fork(), [.. reached]));
                };
                await gateway.ImportAsync("cut", [.. files]);
                gateway.Services.GetRequiredService<CatalogDatabase>().BeforeStatement = null;
                states.Add((await gateway.ForkAsync(folder), ["published"]));
            }

            Assert.Superset(new HashSet<string>(["probe", "name", "layout", "validate", "publish"], StringComparer.Ordinal),
                states.SelectMany(state => state.Steps).ToHashSet(StringComparer.Ordinal));
            Assert.InRange(states.Count, 12, 90);
            var published = false;
            foreach (var (state, steps) in states)
            {
                await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(state.Path), TimeProvider.System, Deadline.Token))
                {
                    Assert.Empty(await catalog.Database.CheckIntegrityAsync(Deadline.Token));
                    var isThere = await catalog.Tree.ResolveAsync(["content", "movies", "cut"], Deadline.Token) is not null;
                    Assert.True(isThere || !published);
                    published = isThere;
                }

                if (steps.Length == 0 && !ReferenceEquals(state, states[^2].Folder))
                    continue;
                await using var next = await Gateway.StartAsync(news, state);
                await AssertWholeAsync(next.Client, "cut", files);
                Assert.Equal(["cut"], await next.Client.ListAsync("/dav/content/movies/"));
            }

            Assert.True(published);
        }
        finally
        {
            foreach (var (state, _) in states)
                state.Dispose();
        }
    }
#endif

    /// <summary>A real kill, at a step or before a statement of the publication.</summary>
    [Theory]
    [InlineData("8")]
#if POSTGRES
    [InlineData("probe")]
    [InlineData("1")]
#endif
    public async Task Killed_by_the_system_the_job_is_absent_and_then_whole(string where)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var files = Post(news, 3, 900_000);
        await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token))
        {
            var intake = new NzbIntake(catalog.Jobs, new ImportOptions(), catalog.Options);
            Assert.NotNull((await intake.AddAsync(
                "cut.nzb", "movies", new MemoryStream(NzbWriter.ToBytes(files)), JobSource.Cli, Deadline.Token)).Job);
        }

        await using (var mortal = ServerProcess.StartMortal(ServerProcess.Environment(news), folder.Path, where))
        {
            Assert.Equal(128 + 9, await mortal.ExitAsync());
            Assert.Contains(char.IsAsciiDigit(where[0]) ? "in the middle" : $"at {where}", mortal.Output);
        }

        await using (var catalog = await CatalogSet.OpenAsync(TestEngine.Options(folder.Path), TimeProvider.System, Deadline.Token))
        {
            Assert.Empty(await catalog.Database.CheckIntegrityAsync(Deadline.Token));
            Assert.Null(await catalog.Tree.ResolveAsync(["content", "movies", "cut"], Deadline.Token));
        }

        await using var next = await Gateway.StartAsync(news, folder);
        await AssertWholeAsync(next.Client, "cut", files);
        Assert.Equal(["cut"], await next.Client.ListAsync("/dav/content/movies/"));
    }

    private static IReadOnlyList<PostedFile> Post(NewsServers news, int count, int length) =>
        news.Store.AddPost([.. Enumerable.Range(1, count)
            .Select(number => ($"part{number}.mkv", (IArticleSource)new SeededSource(4, $"{number}", length)))]);

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
