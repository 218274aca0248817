using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Settings changed while the server runs, or moved to another server, that take effect at once.</summary>
public sealed class LiveSettingTests
{
    private const string Secret = "tr0ub4dor-and-3";

    [Fact]
    public async Task A_provider_set_at_run_time_works_at_once_and_after_a_restart_without_exposing_its_password()
    {
        using var folder = new Folder();
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Username = "me", Password = Secret });
        var file = news.Post("Film.mkv", 5_000_000);
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAndLogin))
        {
            var settings = new SettingsClient(gateway);
            await settings.ChangeAsync(SettingsClient.Account(news.First, 0, Secret));
            await gateway.ImportAsync("Film", file);
            await gateway.Client.AssertFileAsync("/dav/content/movies/Film/Film.mkv", file);

            var all = await settings.GetAsync();
            var password = all["Usenet:Providers:0:Password"];
            Assert.Equal("secret", password.GetProperty("kind").GetString());
            Assert.True(password.GetProperty("isSet").GetBoolean());
            Assert.Equal(JsonValueKind.Null, password.GetProperty("value").ValueKind);
            Assert.Equal("stored", all["Usenet:Providers:0:Host"].GetProperty("source").GetString());
            Assert.Equal("127.0.0.1", all["Usenet:Providers:0:Host"].GetProperty("value").GetString());
        }

        foreach (var stored in Directory.EnumerateFiles(folder.Path, "*", SearchOption.AllDirectories))
            Assert.Equal(-1, (await File.ReadAllBytesAsync(stored)).AsSpan().IndexOf(Encoding.UTF8.GetBytes(Secret)));

        news.First.ResetStats();
        await using var again = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAndLogin);
        await again.Client.AssertFileAsync("/dav/content/movies/Film/Film.mkv", file);
        Assert.NotEqual(0, news.First.Stats.Logins);
        Assert.NotEqual(0, news.First.Stats.ArticlesServed);
    }

    [Fact]
    public async Task A_key_tried_before_it_was_set_works_once_it_is_set()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAlone);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        const string Queue = "/api?mode=queue&output=json&apikey=a-key-of-tomorrow";
        Assert.Contains("API Key Incorrect", await http.GetStringAsync(Queue), StringComparison.Ordinal);
        await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, string> { ["Api:ReadKey"] = "a-key-of-tomorrow" });
        Assert.Contains("\"slots\"", await http.GetStringAsync(Queue), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_download_continues_while_its_provider_is_replaced()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" }, new MockProviderOptions { Name = "two" });

        // More than read-ahead fetches before the change.
        var file = news.Post("Film.mkv", 300_000_000);
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        var settings = new SettingsClient(gateway);
        await settings.ChangeAsync(SettingsClient.Account(news.Providers[0], 0, Secret));
        var job = await gateway.ImportAsync("Film", file);
        using var response = await gateway.Client.Http.GetAsync(
            new Uri(gateway.Root + job + "/Film.mkv"), HttpCompletionOption.ResponseHeadersRead);
        await using var body = await response.Content.ReadAsStreamAsync();
        var whole = new MemoryStream();
        var buffer = new byte[1 << 20];
        await body.ReadExactlyAsync(buffer);
        whole.Write(buffer);

        await settings.ChangeAsync(SettingsClient.Account(news.Providers[1], 0, Secret));
        await body.CopyToAsync(whole);
        Assert.Equal(DavClient.Digest(file, 0, file.Length), Convert.ToHexString(SHA256.HashData(whole.ToArray())));
        await Deadline.UntilAsync(
            () => Task.FromResult(news.Providers[0].Stats.ConnectionsOpen == 0), "the former provider has no connections");
        Assert.NotEqual(0, news.Providers[1].Stats.ArticlesServed);
    }

    [Fact]
    public async Task Credentials_keys_categories_and_folders_change_at_once()
    {
        await using var news = new NewsServers();
        using var watched = new Folder();
        await using var gateway = await Gateway.StartAsync(
            news, environment: new Dictionary<string, string?> { ["Torrents:ListenAddress"] = "127.0.0.1" });
        var made = await File.ReadAllTextAsync(Path.Combine(gateway.ConfigFolder, "keys", "api"));
        await new SettingsClient(gateway, made).ChangeAsync(new Dictionary<string, object>
        {
            ["Api:Key"] = SettingsClient.Key,
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
            ["WebDav:Scratch"] = true,
            ["Import:Categories"] = new[] { "anime" },
            ["Import:WatchFolder"] = watched.Path,
        });
        var (status, _) = await new SettingsClient(gateway, made).SendAsync("GET", SettingsClient.Path, body: null);
        Assert.Equal(HttpStatusCode.Unauthorized, status);
        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "scratch", "torrents"], await gateway.Client.ListAsync("/dav/"));
        await gateway.Client.UntilAsync("/dav/nzbs/anime");

        // A provider, and an .nzb for the watched folder.
        var settings = new SettingsClient(gateway);
        await settings.ChangeAsync(SettingsClient.Account(news.First, 3, Secret));
        var file = news.Post("Film.mkv", 2_000_000);
        var upload = Path.Combine(watched.Path, ".Film.nzb");
        await File.WriteAllBytesAsync(upload, NzbWriter.ToBytes([file]));
        File.Move(upload, Path.Combine(watched.Path, "Film.nzb"));
        await gateway.Client.UntilAsync("/dav/content/other/Film/Film.mkv");
        await gateway.Client.AssertFileAsync("/dav/content/other/Film/Film.mkv", file);

        await settings.ChangeAsync(new Dictionary<string, object?> { ["WebDav:Password"] = Secret, ["WebDav:Scratch"] = null });
        Assert.Equal(HttpStatusCode.Unauthorized, (await gateway.Client.AskAsync("PROPFIND", "/dav/")).Status);
        using var other = new DavClient(gateway.Root, Gateway.User, Secret);
        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await other.ListAsync("/dav/"));
    }

    [Fact]
    public async Task Settings_move_to_another_server_as_one_file_with_secrets_only_on_request()
    {
        await using var news = new NewsServers(new MockProviderOptions { Username = "me", Password = Secret });
        var file = news.Post("Film.mkv", 2_000_000);
        JsonElement without, with;
        await using (var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin))
        {
            var settings = new SettingsClient(gateway);
            await settings.ChangeAsync(SettingsClient.Account(news.First, 0, Secret));
            await settings.ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 7 });
            without = (await settings.SendAsync("GET", SettingsClient.Path + "/export", body: null)).Answer;
            with = (await settings.SendAsync("GET", SettingsClient.Path + "/export?secrets=true", body: null)).Answer;
            Assert.DoesNotContain(Secret, without.ToString(), StringComparison.Ordinal);
            Assert.DoesNotContain(Gateway.Password, without.ToString(), StringComparison.Ordinal);

            // Settings missing from the file are removed, except secrets that belong to settings in the file.
            await settings.ChangeAsync(new Dictionary<string, object>
            {
                ["Import:Workers"] = 5,
                ["Usenet:Providers:1:Host"] =
                "news.example.com",
                ["Usenet:Providers:1:Username"] = "x",
                ["Usenet:Providers:1:Password"] = "yyyy"
            });
            Assert.Equal(HttpStatusCode.OK, (await settings.SendAsync("PUT", SettingsClient.Path + "/import", without)).Status);
            var all = await settings.GetAsync();
            Assert.Equal("7", SettingsClient.Text(all["Import:Workers"], "value"));
            Assert.DoesNotContain("Usenet:Providers:1:Host", all.Keys);
            await gateway.ImportAsync("Film", file);
        }

        await using var other = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        var there = new SettingsClient(other);
        var (status, answer) = await there.SendAsync("PUT", SettingsClient.Path + "/import", without);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Contains(
            SettingsClient.Faults(answer), fault => fault.StartsWith("Usenet:Providers:0:Password: it is empty", StringComparison.Ordinal));
        Assert.Equal(HttpStatusCode.OK, (await there.SendAsync("PUT", SettingsClient.Path + "/import", with)).Status);
        await other.ImportAsync("Film", file);
        await other.Client.AssertFileAsync("/dav/content/movies/Film/Film.mkv", file);
        Assert.Equal(HttpStatusCode.UnprocessableEntity,
            (await there.SendAsync("PUT", SettingsClient.Path + "/import", new { version = 2, settings = new { } })).Status);
    }
}
