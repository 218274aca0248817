using System.Net;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using NzbDav.Arr.Client;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Arrs;
using NzbDav.Import.Options;

namespace NzbDav.EndToEnd.Tests.Arrs;

/// <summary>What the configured *arrs are asked about torrents, in a category that is not the one of their posts.</summary>
public sealed class TorrentArrTests
{
    private const string Category = "tv-sonarr";
    private const string Film = "/dav/content/tv-sonarr/Show/Show.mkv";

    [Fact]
    public async Task A_removed_torrent_that_its_arr_never_imported_is_deleted()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        using var library = new Folder();
        await using var gateway = await StartAsync(news, library, sonarr);
        await using var swarm = Swarm();
        using var arr = Arr(gateway);
        await AddAsync(arr, swarm);
        sonarr.History.Add(Grab(swarm.Torrent.HashText));

        // Sonarr has read the link, so the torrent is not deleted before Sonarr was asked.
        await TargetAsync(gateway);
        await arr.PostAsync("torrents/delete", ("hashes", swarm.Torrent.HashText), ("deleteFiles", "true"));
        var api = new SettingsClient(gateway);
        await Deadline.UntilAsync(
            async () =>
            {
                var (status, answer) = await api.SendAsync("POST", "/api/v1/library/sweep", new { accept = false });
                Assert.True(status == HttpStatusCode.OK, answer.ToString());
                return await gateway.Client.FindAsync(Film) is null;
            },
            "the files are deleted");
    }

    [Fact]
    public async Task A_completed_torrent_is_told_to_each_arr_as_its_category_is_not_that_of_their_posts()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var prowlarr = await FakeArr.StartAsync(ArrApplication.Prowlarr);
        using var library = new Folder();
        await using var gateway = await StartAsync(news, library, sonarr, prowlarr);
        await using var swarm = Swarm();
        using var arr = Arr(gateway);
        await AddAsync(arr, swarm);
        await Deadline.UntilAsync(() => Task.FromResult(sonarr.Commands.Count > 0), "Sonarr is notified");
        Assert.Equal("RefreshMonitoredDownloads", (string?)Assert.Single(sonarr.Commands)["name"]);
        Assert.Empty(prowlarr.Commands);
    }

    [Fact]
    public async Task A_repair_of_a_torrents_file_blocklists_its_grab()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        using var library = new Folder();
        await using var gateway = await StartAsync(news, library, sonarr);
        await using var swarm = Swarm();
        using var arr = Arr(gateway);
        await AddAsync(arr, swarm);
        File.CreateSymbolicLink(Path.Combine(library.Path, "e1.mkv"), await TargetAsync(gateway));
        sonarr.Owners.Add(FakeArr.Parse("""{"id":5,"title":"Show"}"""));
        sonarr.Files.Add(FakeArr.Parse("""{"id":31,"seriesId":5,"path":"/tv/e1.mkv"}"""));
        sonarr.Episodes.Add(FakeArr.Parse("""{"id":101,"seriesId":5,"seasonNumber":1,"episodeNumber":1,"episodeFileId":31}"""));
        sonarr.History.Add(Grab(swarm.Torrent.HashText));

        var (status, answer) = await new SettingsClient(gateway)
            .SendAsync("POST", "/api/v1/repairs", new { path = "/content/tv-sonarr/Show/Show.mkv" });
        Assert.True(status == HttpStatusCode.OK && answer.GetProperty("status").GetString() == "searching", answer.ToString());
        Assert.Equal(["DELETE episodefile/31"], sonarr.Lines("DELETE"));
        Assert.Contains("POST history/failed/9", sonarr.Lines("POST"));
    }

    [Fact]
    public async Task A_dead_magnet_is_given_up_like_a_dead_torrent_and_every_arr_is_asked_whatever_its_category()
    {
        await using var news = new NewsServers();
        await using var radarr = await FakeArr.StartAsync(ArrApplication.Radarr);
        await using var sonarr = await FakeArr.StartAsync();
        using var library = new Folder();
        await using var gateway = await StartAsync(news, library, radarr, sonarr);
        var hash = new string('a', 40);
        sonarr.Queue.Add(FakeArr.Parse($$"""{"id":7,"seriesId":5,"episodeId":9,"protocol":"torrent","downloadId":"{{hash.ToUpperInvariant()}}"}"""));
        var stalled = gateway.Services.GetServices<IHostedService>().OfType<StalledTorrents>().Single();
        using var arr = Arr(gateway);
        var import = gateway.Services.GetRequiredService<Live<ImportOptions>>();
        import.Value = import.Value with { MetadataTimeout = TimeSpan.FromMilliseconds(1) };
        await arr.AddLinkAsync($"magnet:?xt=urn:btih:{hash}&dn=Show");
        await Deadline.UntilAsync(async () => await arr.ItemsAsync() is [{ State: "error", Status: "Warning" }], "no peer describes it");
        await stalled.RunAsync(Deadline.Token);
        await stalled.RunAsync(Deadline.Token);
        Assert.Equal(["DELETE queue/7?removeFromClient=true&blocklist=true&skipRedownload=false"], sonarr.Lines("DELETE"));
        Assert.Empty(radarr.Lines("DELETE"));
    }

    private static TorrentSwarm Swarm() => new(TorrentSwarm.Film(1 << 20, "Show.mkv"), seeders: 1);

    private static QbitArr Arr(Gateway gateway) => new(gateway.Root, "sonarr", SettingsClient.Key, Category);

    private static async Task AddAsync(QbitArr arr, TorrentSwarm swarm)
    {
        await arr.AddFileAsync("Show.torrent", swarm.File);
        await arr.CompletedAsync(swarm.Torrent.HashText);
    }

    private static async Task<string> TargetAsync(Gateway gateway)
    {
        var (status, target) = await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/tv-sonarr/Show/Show.mkv.rclonelink");
        Assert.True(status == HttpStatusCode.OK, target);
        return target;
    }

    /// <summary>The applications store an info-hash in upper case, and find it in no other.</summary>
    private static JsonObject Grab(string hash) => new()
    {
        ["id"] = 9,
        ["seriesId"] = 5,
        ["episodeId"] = 101,
        ["downloadId"] = hash.ToUpperInvariant(),
        ["eventType"] = "grabbed",
        ["date"] = "2030-01-01T00:00:00Z",
    };

    private static Task<Gateway> StartAsync(NewsServers news, Folder library, params FakeArr[] arrs)
    {
        var environment = new Dictionary<string, string?>
        {
            ["Api:Key"] = SettingsClient.Key,
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
            ["Torrents:ListenAddress"] = "127.0.0.1",
            ["Torrents:PrivateHosts"] = "127.0.0.1",
            ["Torrents:Dht"] = "false",
            ["Torrents:LocalDiscovery"] = "false",
        };
        foreach (var (number, arr) in arrs.Index())
        {
            environment[$"Arrs:{number}:Application"] = arr.Application.ToString();
            environment[$"Arrs:{number}:Url"] = arr.Root;
            environment[$"Arrs:{number}:ApiKey"] = FakeArr.Key;
            environment[$"Arrs:{number}:LibraryPath"] = "/tv";
            environment[$"Arrs:{number}:LibraryPathHere"] = library.Path;
        }

        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        return Gateway.StartAsync(news, environment: environment);
    }
}
