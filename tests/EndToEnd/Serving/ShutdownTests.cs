using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Warming;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>SIGTERM ends the process in time, with exit code 0, and leaves nothing half done.</summary>
public sealed class ShutdownTests
{
    /// <summary>How long container runtimes wait before they kill.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task OPS_07_The_server_stops_when_idle()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        server.Terminate();
        Assert.Equal(0, await server.ExitAsync(Patience));
        Assert.Empty(server.Errors);
    }

    [Fact]
    public async Task OPS_07_The_server_stops_despite_open_streams_which_end_in_an_error()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        var file = news.Post("long.mkv", 60_000_000);
        await client.PutAsync("/dav/nzbs/movies/long.nzb", NzbWriter.ToBytes([file]));
        await client.UntilAsync("/dav/content/movies/long/long.mkv");

        // One response that nobody reads, and one whose article never arrives.
        using var paused = await client.SendAsync("GET", "/dav/content/movies/long/long.mkv");
        var asked = news.Stall(file, 60);
        using var stalled = await client.SendAsync(
            "GET", "/dav/content/movies/long/long.mkv", body: null, headers => headers.Range = new(file.Segments[58].Offset, null));
        await asked;
        server.Terminate();
        Assert.Equal(0, await server.ExitAsync(Patience));
        Assert.Empty(server.Errors);
        foreach (var response in new[] { paused, stalled })
        {
            await using var body = await response.Content.ReadAsStreamAsync();
            await Assert.ThrowsAnyAsync<IOException>(() => body.CopyToAsync(Stream.Null));
        }
    }

    [Fact]
    public async Task OPS_07_The_server_stops_during_an_import_which_the_next_start_finishes()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var file = news.Post("half.mkv", 3_000_000);
        await using (var server = ServerProcess.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            var asked = news.Stall(file, 0);
            await client.PutAsync("/dav/nzbs/movies/half.nzb", NzbWriter.ToBytes([file]));
            await asked;
            server.Terminate();
            Assert.Equal(0, await server.ExitAsync(Patience));
        }

        news.Mend();
        await using var next = ServerHere.Serve(news, folder);
        using var later = await next.ClientAsync();
        await later.UntilAsync("/dav/content/movies/half/half.mkv");
        await later.AssertFileAsync("/dav/content/movies/half/half.mkv", file);
    }

    [Fact]
    public async Task OPS_07_The_server_stops_while_no_provider_answers()
    {
        await using var news = new NewsServers();
        news.GoDown();
        using var folder = new Folder();
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/movies/waits.nzb", NzbWriter.ToBytes([news.Post("waits.mkv", 1_000)]));
        server.Terminate();
        Assert.Equal(0, await server.ExitAsync(Patience));
    }

    [Fact]
    public async Task A_stopped_server_leaves_nothing_in_memory()
    {
        var (client, pool) = await RunAsync();
        await Deadline.UntilAsync(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return !client.IsAlive && !pool.IsAlive;
            },
            $"a stopped server is collected (its Usenet client is alive: {client.IsAlive}, its buffers: {pool.IsAlive})");
    }

    // By itself, so that no local of the test keeps the server.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<(WeakReference Client, WeakReference Pool)> RunAsync()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("short.mkv", 2_000_000);
        var job = await gateway.ImportAsync("short", file);
        await gateway.Client.AssertFileAsync(job + "/short.mkv", file);
        await gateway.Services.GetRequiredService<WarmUp>().Ended.WaitAsync(Deadline.Token);
        return (new WeakReference(gateway.Usenet), new WeakReference(gateway.Pool));
    }
}
