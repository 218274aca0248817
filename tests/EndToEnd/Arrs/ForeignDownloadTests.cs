using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Client;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Arrs;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Arrs;

/// <summary>An *arr that also has downloads of a SABnzbd and of another NzbDav, whose ids begin like this gateway's.</summary>
public sealed class ForeignDownloadTests
{
    [Fact]
    public async Task ARR_02_Only_downloads_that_the_catalog_knows_are_tidied()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr);
        var (own, moved) = (await FailedJobAsync(gateway.Jobs), await FailedJobAsync(gateway.Jobs));
        const string Migrated = "SABnzbd_nzo_9d8c7b6a";
        await gateway.Services.GetRequiredService<AliasStore>()
            .AdoptAsync(new MovedTitle("nzbdav", "1", []) { DownloadId = Migrated, IsListed = true }, moved, [], Deadline.Token);
        string[] ids = [
            "SABnzbd_nzo_a1b2c3d4", NzoId.Of(own), NzoId.Of(gateway.Jobs.NewId()), Migrated, "0123456789ABCDEF0123456789ABCDEF01234567"];
        foreach (var (index, id) in ids.Index())
            sonarr.Queue.Add(Stuck(index + 1, id));
        sonarr.Disk.Add("/mnt/nzbdav/completed-symlinks/tv/Show/sample.mkv");
        await TidyAsync(gateway);

        Assert.Equal(["DELETE queue/2?removeFromClient=true&blocklist=true&skipRedownload=false",
            "DELETE queue/4?removeFromClient=true&blocklist=true&skipRedownload=false"], sonarr.Lines("DELETE"));
    }

    /// <summary>The next release would be stuck in the same way, one after the other.</summary>
    [Fact]
    public async Task ARR_02_Nothing_is_blocklisted_while_the_application_does_not_see_the_mount_and_the_user_is_told()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr);
        sonarr.Queue.Add(Stuck(1, NzoId.Of(await FailedJobAsync(gateway.Jobs))));
        var trouble = await TidyAsync(gateway);
        Assert.Empty(sonarr.Lines("DELETE"));
        Assert.Contains("does not see /mnt/nzbdav/completed-symlinks/tv/Show, so it imports nothing", trouble, StringComparison.Ordinal);
        var api = new SettingsClient(gateway);
        var warnings = (await api.SendAsync("GET", $"/api?mode=warnings&output=json&apikey={SettingsClient.Key}", body: null)).Answer;
        Assert.Contains(trouble!, Assert.Single(warnings.GetProperty("warnings").EnumerateArray()).GetProperty("text").GetString(),
            StringComparison.Ordinal);
        var test = (await api.SendAsync("POST", "/api/v1/arrs/0/test", body: null)).Answer;
        Assert.Contains(
            "does not see /mnt/nzbdav/completed-symlinks, so", test.GetProperty("warning").GetString(), StringComparison.Ordinal);
    }

    /// <summary>Ten minutes pass.</summary>
    /// <returns>The trouble that is shown at the end.</returns>
    private static async Task<string?> TidyAsync(Gateway gateway)
    {
        var services = gateway.Services;
        var time = new ManualTimeProvider();
        using var arrs = new ArrInstances(
            services.GetRequiredService<CatalogDatabase>(), services.GetRequiredService<SettingsBook>(), gateway.Jobs,
            services.GetRequiredService<ICompletion>(), time, services.GetRequiredService<ILogger<ArrInstances>>());
        for (var minute = 0; minute <= 10; minute++)
        {
            await arrs.TidyAsync(Deadline.Token);
            time.Advance(TimeSpan.FromMinutes(1));
        }

        return Assert.Single(arrs.All).Trouble;
    }

    /// <summary>Its state does not matter: the *arr's queue says what is stuck.</summary>
    private static async Task<long> FailedJobAsync(JobStore jobs) => (await jobs.EnqueueAsync(
        new NewJob { Name = "Show", Category = "tv", Source = JobSource.Dav, FailureCode = "test", FailureMessage = "It failed." },
        nzb: null, Deadline.Token)).Id;

    private static JsonObject Stuck(int id, string downloadId) => new()
    {
        ["id"] = id,
        ["seriesId"] = 9,
        ["episodeId"] = 100 + id,
        ["downloadId"] = downloadId,
        ["protocol"] = "usenet",
        ["outputPath"] = "/mnt/nzbdav/completed-symlinks/tv/Show",
        ["trackedDownloadState"] = "importPending",
        ["trackedDownloadStatus"] = "warning",
        ["statusMessages"] = new JsonArray(new JsonObject { ["title"] = "a.mkv", ["messages"] = new JsonArray("Sample") }),
    };

    private static Task<Gateway> StartAsync(NewsServers news, FakeArr arr)
    {
        var environment = new Dictionary<string, string?>
        {
            ["Api:Key"] = SettingsClient.Key,
            ["Torrents:ListenAddress"] = "127.0.0.1",
            ["Arrs:0:Application"] = nameof(ArrApplication.Sonarr),
            ["Arrs:0:Url"] = arr.Root,
            ["Arrs:0:ApiKey"] = FakeArr.Key,
        };
        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        return Gateway.StartAsync(news, environment: environment);
    }
}
