using System.Net;
using System.Net.Http.Headers;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <content>Torrents moved by their clients.</content>
public sealed partial class KeptTorrentTests
{
    [Theory]
    [InlineData("setLocation", "hashes", "location", true)]
    [InlineData("setLocation", "hashes", "location", false)]
    [InlineData("setSavePath", "id", "path", true)]
    public async Task Changing_the_category_moves_a_torrent_and_keeps_its_links_and_bytes(
        string call, string which, string where, bool isKept)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Show("Show"));
        var kept = Path.Combine(folder.Path, "kept");
        var hash = swarm.Torrent.HashText;
        string savePath, target;
        await using (var gateway = await StartAsync(news, folder, kept))
        {
            if (!isKept)
                Change(gateway, seeding => seeding with { KeepCategories = [] });
            using var sonarr = Arr(gateway.Client, gateway.Root);
            await sonarr.AddFileAsync("Show.torrent", swarm.File);
            if (isKept)
                await SeedsAsync(sonarr, swarm.Torrent);
            else
                await sonarr.CompletedAsync(hash);
            await AssertServedAsync(gateway.Client, swarm);
            savePath = (await FindAsync(sonarr, hash))!.Value.GetProperty("save_path").GetString()!;
            Assert.EndsWith("/tv", savePath, StringComparison.Ordinal);
            (_, target) = await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/tv/Show/Show.mkv.rclonelink");

            async Task<HttpStatusCode> MoveAsync(string path)
            {
                using var request = new HttpRequestMessage(HttpMethod.Post, gateway.Root + "/api/v2/torrents/" + call)
                { Content = new FormUrlEncodedContent([new(which, hash), new(where, path)]) };
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Key);
                using var http = new HttpClient();
                using var response = await http.SendAsync(request);
                return response.StatusCode;
            }

            // An existing category stays as it is.
            await sonarr.PostAsync("torrents/createCategory", ("category", "films"), ("savePath", "/data/films/"));
            await gateway.Services.GetRequiredService<TreeStore>().EnsureCollectionAsync(["content", "films", "Show"], Deadline.Token);
            Assert.Equal(HttpStatusCode.Conflict, await MoveAsync("/data/films"));
            await AssertServedAsync(gateway.Client, swarm);
            Assert.Equal(HttpStatusCode.Conflict, await MoveAsync(savePath[..^"/tv".Length] + "/nowhere"));

            Assert.Equal(HttpStatusCode.OK, await MoveAsync(savePath[..^"/tv".Length] + "/movies/"));
            var item = (await FindAsync(sonarr, hash))!.Value;
            savePath = savePath[..^"/tv".Length] + "/movies";
            Assert.Equal((savePath, savePath + "/Show", "tv"), (item.GetProperty("save_path").GetString(),
                item.GetProperty("content_path").GetString(), item.GetProperty("category").GetString()));
            Assert.Equal(HttpStatusCode.NotFound, (await gateway.Client.AskAsync("GET", "/dav/content/tv/Show/Show.mkv")).Status);
            await swarm.AssertFileAsync(gateway.Client, "/dav/content/movies/Show/Show.mkv", "Show.mkv");
            if (isKept)
            {
                Leecher.AssertIsAt(swarm.Torrent, Path.Combine(kept, "Show"));
                await Leecher.AssertSeedsAsync(swarm.Torrent, Port(gateway));

                // A torrent cannot be moved outside the mount.
                Assert.Equal(HttpStatusCode.Conflict, await MoveAsync("/elsewhere"));
            }
        }

        await using var again = await StartAsync(news, folder, kept);
        using var arr = Arr(again.Client, again.Root);
        Assert.Equal(savePath, (await FindAsync(arr, hash))!.Value.GetProperty("save_path").GetString());
        await swarm.AssertFileAsync(again.Client, "/dav/content/movies/Show/Subs/en.srt", "Subs/en.srt");
        await swarm.AssertFileAsync(again.Client, "/dav" + target[target.IndexOf("/.ids/", StringComparison.Ordinal)..], "Show.mkv");
    }
}
