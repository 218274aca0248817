using System.Text.Json.Nodes;
using NzbDav.Arr.Client;
using NzbDav.Arr.Setup;

namespace NzbDav.Arr.Tests;

/// <summary>Registering as a client for posts, and as one for torrents.</summary>
public sealed class SetupTests
{
    private static readonly GatewayAddress Address = new()
    {
        Host = "nzbdav",
        Port = 8080,
        ApiKey = "good-key",
        UrlBase = "/dav",
        Category = "tv",
        RemotePath = "/mnt/a",
        LocalPath = "/mnt/b"
    };

    [Theory]
    [InlineData(ArrApplication.Sonarr, "tvCategory")]
    [InlineData(ArrApplication.Radarr, "movieCategory")]
    [InlineData(ArrApplication.Lidarr, "musicCategory")]
    [InlineData(ArrApplication.Prowlarr, "category")]
    public async Task ARR_01_The_gateway_registers_itself_once(ArrApplication application, string category)
    {
        await using var fake = await FakeArr.StartAsync(application);
        using var client = fake.Client();
        var setup = new ArrSetup(client);

        Assert.True((await setup.RegisterAsync(Address)).Value!.Created);
        var again = (await setup.RegisterAsync(Address with { Name = "Other", Category = "tv2" })).Value!;

        Assert.False(again.Created);
        var saved = Assert.Single(fake.Clients);
        var fields = saved["fields"]!.AsArray().ToDictionary(field => (string)field!["name"]!, field => field!["value"]?.ToJsonString());
        Assert.Equal(("\"nzbdav\"", "8080", "false", "\"/dav\"", "\"tv2\"", "-100"),
            (fields["host"], fields["port"], fields["useSsl"], fields["urlBase"], fields[category], fields["recentPriority"]));
        Assert.Equal(("Other", true, "Sabnzbd", "usenet"),
            ((string)saved["name"]!, (bool)saved["enable"]!, (string)saved["implementation"]!, (string)saved["protocol"]!));
        Assert.Equal(["PUT downloadclient/1"], fake.Lines("PUT"));
        Assert.Equal(application == ArrApplication.Prowlarr ? 0 : 1, fake.Mappings.Count);
    }

    [Fact]
    public async Task ARR_01_For_torrents_the_gateway_is_a_qBittorrent_beside_the_client_for_posts()
    {
        await using var fake = await FakeArr.StartAsync();
        using var client = fake.Client();
        var setup = new ArrSetup(client);

        Assert.True((await setup.RegisterAsync(Address)).Value!.Created);
        var torrents = Address with { Name = "NzbDav torrents", IsForTorrents = true };
        Assert.True((await setup.RegisterAsync(torrents)).Value!.Created);
        Assert.False((await setup.RegisterAsync(torrents)).Value!.Created);

        Assert.Equal(
            ["Sabnzbd", "QBittorrent"], fake.Clients.OrderBy(saved => (int)saved["id"]!).Select(saved => (string)saved["implementation"]!));
        var own = fake.Clients.Single(saved => (string)saved["implementation"]! == "QBittorrent");
        var fields = own["fields"]!.AsArray().ToDictionary(field => (string)field!["name"]!, field => field!["value"]?.ToJsonString());
        Assert.Equal(("\"nzbdav\"", "\"good-key\"", "\"tv\"", "\"/dav\""),
            (fields["username"], fields["password"], fields["tvCategory"], fields["urlBase"]));
        Assert.Equal("NzbDav torrents", (string)own["name"]!);
    }

    [Theory]
    [InlineData("/nz/completed-symlinks/tv/Show/a.mkv", null, null, true)]
    [InlineData("/data/completed-symlinks/tv/Show/a.mkv", "/nz/", "/data", true)]
    [InlineData("/data/completed-symlinks/tv/Show/a.mkv", "/nz/completed-symlinks", "/data/completed-symlinks/", true)]
    [InlineData("/data/other", "/nz", "/data", false)]
    [InlineData("/nz/completed-symlinks/tv/Show/a.mkv", "/nz", "/data", false)]
    [InlineData("/nz/other", null, null, false)]
    public async Task ARR_01_Whether_it_sees_the_completed_downloads_is_told(string seen, string? remote, string? local, bool ok)
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Disk.Add(seen);
        if (remote is not null)
            fake.Mappings.Add(new JsonObject { ["id"] = 1, ["host"] = "nzbdav", ["remotePath"] = remote, ["localPath"] = local });
        using var client = fake.Client();
        var problem = await new ArrSetup(client).CheckFolderAsync("/nz/completed-symlinks");
        if (ok)
            Assert.Null(problem);
        else
            Assert.Contains($"does not see {local ?? "/nz"}/completed-symlinks, so", problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ARR_01_A_failed_test_is_reported_and_nothing_is_saved()
    {
        await using var fake = await FakeArr.StartAsync();
        using var client = fake.Client();

        var error = (await new ArrSetup(client).RegisterAsync(Address with { ApiKey = "bad-key" })).Error!;

        Assert.Equal((ArrErrorKind.Rejected, "APIKey"), (error.Kind, Assert.Single(error.Validations).PropertyName));
        Assert.Contains("API Key Incorrect", error.Message, StringComparison.Ordinal);
        Assert.Empty(fake.Clients);
    }

    [Fact]
    public async Task ARR_01_Settings_that_prevent_repair_cause_warnings()
    {
        await using var fake = await FakeArr.StartAsync();
        (fake.CompletedHandling, fake.AutoRedownloadFailed) = (false, false);
        using var client = fake.Client();

        Assert.Equal(2, (await new ArrSetup(client).RegisterAsync(Address)).Value!.Warnings.Count);
    }
}
