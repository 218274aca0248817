using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>Two gateways of one catalog behind nginx, with the settings of docker/scale/nginx.conf. Its third gateway is away.</summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed class RollingRestartTests
{
    private const int Gateways = 2;

    [PostgresFact]
    public async Task Gateways_are_restarted_in_turn_and_no_request_is_refused()
    {
        await using var news = new NewsServers();
        await using var gateways = new GatewayGroup(news, Gateways);
        await using var proxy = await ReverseProxy.StartScaleAsync([.. gateways.Ports, LoopbackPort.Free()]);
        for (var i = 0; i < Gateways; i++)
            await gateways.StartAsync(i);
        using var client = new DavClient(proxy.Root, Gateway.User, Gateway.Password);
        var film = news.Post("film.mkv", 20_000_000);
        await client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes([film]));
        await client.UntilAsync(PathOf(film));

        var restart = RestartAllAsync(gateways);
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

        gateways.AssertEachJobOnce(1 + added.Count);
    }

    private static string PathOf(PostedFile file) => $"/dav/content/movies/{Path.GetFileNameWithoutExtension(file.Name)}/{file.Name}";

    /// <summary>
    /// The next gateway is stopped once the proxy uses the one before again, which it passes over for a moment after a refusal.
    /// </summary>
    private static async Task RestartAllAsync(GatewayGroup gateways)
    {
        for (var i = 0; i < Gateways; i++)
        {
            await gateways.StopAsync(i);
            await gateways.StartAsync(i);
            using var client = await gateways[i].ClientAsync();
            client.Http.DefaultRequestHeaders.Add("X-Api-Key", GatewayGroup.Key);
            await Deadline.UntilAsync(
                async () => (await client.AskAsync("GET", "/metrics")).Text.Contains(
                    "http_request_method=\"PUT\"", StringComparison.Ordinal), "the proxy uses the gateway again");
        }
    }
}
