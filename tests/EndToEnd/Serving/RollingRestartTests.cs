using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>Two gateways of one catalog behind nginx, with the settings of docker/scale/nginx.conf. Its third gateway is away.</summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed class RollingRestartTests
{
    private readonly int[] _ports = [LoopbackPort.Free(), LoopbackPort.Free(), LoopbackPort.Free()];
    private readonly ServerProcess?[] _gateways = new ServerProcess?[2];

    [PostgresFact]
    public async Task Gateways_are_restarted_in_turn_and_no_request_is_refused()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        var folders = new[] { new Folder(), new Folder() };
        await using var proxy = await ReverseProxy.StartScaleAsync(_ports);
        if (proxy is null)
            return;
        try
        {
            for (var i = 0; i < _gateways.Length; i++)
                await StartAsync(i, news, folders[i], database);
            using var client = new DavClient(proxy.Root, Gateway.User, Gateway.Password);
            var film = news.Post("film.mkv", 20_000_000);
            await client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes([film]));
            await client.UntilAsync(PathOf(film));

            var restart = RestartAllAsync(news, folders, database);
            var added = new List<PostedFile>();
            while (!restart.IsCompleted)
            {
                var file = news.Post($"file{added.Count}.mkv", 100_000);
                await client.PutAsync($"/dav/nzbs/movies/{Path.GetFileNameWithoutExtension(file.Name)}.nzb", NzbWriter.ToBytes([file]));
                added.Add(file);
                await client.ListAsync("/dav/content/movies");
                await client.AssertRangesAsync(PathOf(film), film, 5, seed: added.Count, longest: 200_000);
            }

            await restart;
            Assert.NotEmpty(added);
            foreach (var file in added)
            {
                await client.UntilAsync(PathOf(file));
                await client.AssertFileAsync(PathOf(file), file);
            }

            var jobs = PostgresServer.Shared.Sql("SELECT state, COUNT(*), COUNT(DISTINCT name) FROM jobs GROUP BY state", database).Trim();
            Assert.Equal($"completed|{1 + added.Count}|{1 + added.Count}", jobs);
        }
        finally
        {
            foreach (var gateway in _gateways)
            {
                if (gateway is not null)
                    await gateway.DisposeAsync();
            }

            foreach (var folder in folders)
                folder.Dispose();
            PostgresServer.Shared.Drop(database);
        }
    }

    private static string PathOf(PostedFile file) => $"/dav/content/movies/{Path.GetFileNameWithoutExtension(file.Name)}/{file.Name}";

    private async Task StartAsync(int number, NewsServers news, Folder folder, string database)
    {
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Catalog__Connection"] = database;
        environment["NzbDav__Torrents__Enabled"] = "false";
        _gateways[number] = ServerProcess.Start(environment, "--config", folder.Path, "--urls", $"http://127.0.0.1:{_ports[number]}");
        using var client = await _gateways[number]!.ClientAsync();
    }

    /// <summary>The next gateway is stopped once the proxy uses the one before again, which it passes over for five seconds after a refusal.</summary>
    private async Task RestartAllAsync(NewsServers news, Folder[] folders, string database)
    {
        for (var i = 0; i < _gateways.Length; i++)
        {
            _gateways[i]!.Terminate();
            Assert.Equal(0, await _gateways[i]!.ExitAsync());
            await _gateways[i]!.DisposeAsync();
            await StartAsync(i, news, folders[i], database);
            using var client = await _gateways[i]!.ClientAsync();
            await Deadline.UntilAsync(
                async () => (await client.AskAsync("GET", "/metrics")).Text.Contains("http_request_method=\"PUT\"", StringComparison.Ordinal), "the proxy uses the gateway again");
        }
    }
}
