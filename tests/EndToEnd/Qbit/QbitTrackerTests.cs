using System.Net;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Metadata;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>Trackers that clients add, edit and remove over the qBittorrent interface.</summary>
public sealed class QbitTrackerTests
{
    private const string ClientKey = "fedcba9876543210";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task QBT_12_Added_edited_and_removed_trackers_survive_a_restart(bool isPrivate)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(1_000_000, isPrivate: isPrivate));
        await using var second = new MockTracker(swarm.Torrent, [.. swarm.Swarm.Endpoints]);
        var (hash, first) = (swarm.Torrent.HashText, swarm.Swarm.Tracker.Url);
        await using (var gateway = await StartAsync(news, folder))
        {
            using var client = new QbitArr(gateway.Root, "flood", ClientKey, "movies");
            await client.AddFileAsync("film", swarm.File);
            await client.CompletedAsync(hash);
            Assert.Equal([first], await UrlsAsync(client, hash));

            // A duplicate and an invalid address change nothing; an empty line starts another tier.
            await client.PostAsync("torrents/addTrackers", ("hash", hash), ("urls", $"{first}\nrubbish\n\n{second.Url}"));
            Assert.Equal([first, second.Url], await UrlsAsync(client, hash));
            Assert.Equal([0, 1], (await TrackersAsync(client, hash)).Select(tracker => tracker.GetProperty("tier").GetInt32()));
            Assert.Equal(HttpStatusCode.Conflict,
                await StatusAsync(gateway, "torrents/editTracker", ("hash", hash), ("origUrl", first), ("newUrl", second.Url)));
            Assert.Equal(HttpStatusCode.Conflict, await StatusAsync(gateway, "torrents/editTracker", ("hash", hash),
                ("origUrl", "http://127.0.0.1:1/none"), ("newUrl", "http://127.0.0.1:1/other")));
            Assert.Equal(HttpStatusCode.BadRequest,
                await StatusAsync(gateway, "torrents/editTracker", ("hash", hash), ("origUrl", first), ("newUrl", "nonsense")));
            Assert.Equal(HttpStatusCode.NotFound,
                await StatusAsync(gateway, "torrents/addTrackers", ("hash", new string('a', 40)), ("urls", first)));

            // A key in the address is not returned, yet the returned address identifies the tracker.
            await client.PostAsync(
                "torrents/editTracker", ("hash", hash), ("origUrl", first), ("newUrl", "http://127.0.0.1:9/secret/announce"));
            Assert.Equal(["http://127.0.0.1:9/…", second.Url], await UrlsAsync(client, hash));
            await client.PostAsync("torrents/removeTrackers", ("hash", "*"), ("urls", Uri.EscapeDataString("http://127.0.0.1:9/…")));
            Assert.Equal([second.Url], await UrlsAsync(client, hash));
            await Deadline.UntilAsync(
                async () =>
                {
                    await client.PostAsync("torrents/reannounce", ("hashes", hash));
                    return (await TrackersAsync(client, hash))[0].GetProperty("status").GetInt32() == 2;
                },
                "the tracker that was added answers");
        }

        await using var again = await StartAsync(news, folder);
        using var later = new QbitArr(again.Root, "flood", ClientKey, "movies");
        Assert.Equal([second.Url], await UrlsAsync(later, hash));
        using var export = new HttpRequestMessage(HttpMethod.Get, again.Root + "/api/v2/torrents/export?hash=" + hash);
        export.Headers.Add("Authorization", "Bearer " + ClientKey);
        using var http = new HttpClient();
        using var exported = await http.SendAsync(export);
        var metainfo = Metainfo.Read(await exported.Content.ReadAsByteArrayAsync()).Value!;
        Assert.Equal((hash, second.Url), (metainfo.Info.Hash.ToString(), Assert.Single(Assert.Single(metainfo.Trackers)).OriginalString));
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder) => Gateway.StartAsync(news, folder, settings => settings with
    {
        Api = new ApiSettings { Key = "0123456789abcdef", ClientKey = ClientKey },
        Torrents = settings.Torrents with { Seeding = settings.Torrents.Seeding with { WaitForCopy = false } },
    });

    /// <summary>Entries that are real trackers.</summary>
    private static async Task<JsonElement[]> TrackersAsync(QbitArr client, string hash) =>
        [.. (await client.JsonAsync("torrents/trackers?hash=" + hash)).EnumerateArray()
            .Where(tracker => tracker.GetProperty("tier").GetInt32() >= 0)];

    private static async Task<string[]> UrlsAsync(QbitArr client, string hash) =>
        [.. (await TrackersAsync(client, hash)).Select(tracker => tracker.GetProperty("url").GetString()!)];

    private static async Task<HttpStatusCode> StatusAsync(Gateway gateway, string call, params (string Name, string Value)[] form)
    {
        using var http = new HttpClient();
        http.DefaultRequestHeaders.Add("Authorization", "Bearer " + ClientKey);
        using var body = new FormUrlEncodedContent(form.Select(field => KeyValuePair.Create(field.Name, field.Value)));
        using var response = await http.PostAsync($"{gateway.Root}/api/v2/{call}", body);
        return response.StatusCode;
    }
}
