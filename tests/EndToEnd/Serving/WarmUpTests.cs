using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Warming;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>The warm-up reads that the server does after a start.</summary>
public sealed class WarmUpTests
{
    [Fact]
    public async Task The_warm_up_ends_and_fetches_no_article()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var file = news.Post("Film #1 100%.mkv", 5_000_000);
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            await gateway.ImportAsync("Film", file);
            await Warm(gateway).WaitAsync(Deadline.Token);
        }

        news.First.ResetStats();
        await using var again = await Gateway.StartAsync(news, folder);
        await Warm(again).WaitAsync(Deadline.Token);
        Assert.Equal(0, news.First.Stats.ArticlesAsked);
        await again.Client.AssertFileAsync(DavClient.Path("content", "movies", "Film", "Film #1 100%.mkv"), file);
    }

    [Fact]
    public async Task The_warm_up_ends_when_the_server_stops()
    {
        await using var news = new NewsServers();
        Task warm;
        await using (var gateway = await Gateway.StartAsync(news))
            warm = Warm(gateway);
        await warm.WaitAsync(Deadline.Token);
    }

    [Fact]
    public async Task Without_a_WebDAV_account_the_warm_up_logs_no_sign_in_attempt()
    {
        using var folder = new Folder();
        var environment = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["NzbDav__Log__Level"] = "debug",
            ["NzbDav__Torrents__ListenAddress"] = "127.0.0.1",
            ["NzbDav__Torrents__Port"] = "0",
        };
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        await server.LineAsync("Warmed up in");
        Assert.DoesNotContain(server.Output, line => line.Contains("wrong WebDAV credentials", StringComparison.Ordinal));
    }

    private static Task Warm(Gateway gateway) => gateway.Services.GetRequiredService<WarmUp>().Ended;
}
