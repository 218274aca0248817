using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Import;
using NzbDav.MockUsenet;

namespace NzbDav.EndToEnd.Tests;

/// <summary>Settings that are made, changed, kept, exported and imported while the server runs.</summary>
public sealed class SettingsTests
{
    private const string Secret = "tr0ub4dor-and-3";

    [Fact]
    public async Task A_provider_set_at_run_time_serves_at_once_and_after_a_restart_and_its_password_is_not_to_be_read()
    {
        using var folder = new Folder();
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", Username = "me", Password = Secret });
        var file = news.Post("Film.mkv", 5_000_000);
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAndLogin))
        {
            var settings = new SettingsClient(gateway);
            await settings.ChangeAsync(Account(news.First, 0));
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
    public async Task A_key_that_was_tried_before_it_was_set_opens_from_then_on()
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
    public async Task A_download_goes_on_while_its_provider_is_changed_for_another()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" }, new MockProviderOptions { Name = "two" });

        // More than read-ahead fetches before the change.
        var file = news.Post("Film.mkv", 300_000_000);
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        var settings = new SettingsClient(gateway);
        await settings.ChangeAsync(Account(news.Providers[0], 0));
        var job = await gateway.ImportAsync("Film", file);
        using var response = await gateway.Client.Http.GetAsync(new Uri(gateway.Root + job + "/Film.mkv"), HttpCompletionOption.ResponseHeadersRead);
        await using var body = await response.Content.ReadAsStreamAsync();
        var whole = new MemoryStream();
        var buffer = new byte[1 << 20];
        await body.ReadExactlyAsync(buffer);
        whole.Write(buffer);

        await settings.ChangeAsync(Account(news.Providers[1], 0));
        await body.CopyToAsync(whole);
        Assert.Equal(DavClient.Digest(file, 0, file.Length), Convert.ToHexString(SHA256.HashData(whole.ToArray())));
        await Deadline.UntilAsync(() => Task.FromResult(news.Providers[0].Stats.ConnectionsOpen == 0), "the former provider is left");
        Assert.NotEqual(0, news.Providers[1].Stats.ArticlesServed);
    }

    [Fact]
    public async Task Every_setting_is_listed_with_what_it_may_be()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAlone);
        var all = await new SettingsClient(gateway).GetAsync();
        var workers = all["Import:Workers"];
        Assert.Equal(("number", "4", 1, 16, "default"), (SettingsClient.Text(workers, "kind"), SettingsClient.Text(workers, "default"), workers.GetProperty("least").GetInt32(), workers.GetProperty("most").GetInt32(), SettingsClient.Text(workers, "source")));
        Assert.Equal(("flag", "false"), (SettingsClient.Text(all["WebDav:Scratch"], "kind"), SettingsClient.Text(all["WebDav:Scratch"], "default")));
        Assert.Equal(("list", "movies,tv"), (SettingsClient.Text(all["Import:VideoCategories"], "kind"), SettingsClient.Text(all["Import:VideoCategories"], "default")));
        foreach (var (path, otherwise) in new[]
        {
            ("Log:Level", "information"), ("Log:Categories", "Microsoft=warning"), ("Access:LanRights", "full"), ("Access:LanNetworks", "none"), ("Access:Oidc:Scopes", "openid,profile,email"),
            ("Access:Oidc:GroupsClaim", "groups"), ("Otlp:Protocol", "http/protobuf"),
        })
        {
            Assert.Equal(otherwise, SettingsClient.Text(all[path], "default"));
        }

        Assert.Equal(("secret", "environment"), (SettingsClient.Text(all["Api:Key"], "kind"), SettingsClient.Text(all["Api:Key"], "source")));
        var (_, answer) = await new SettingsClient(gateway).SendAsync("GET", SettingsClient.Path, body: null);
        Assert.Contains(answer.GetProperty("provider").EnumerateArray(), entry => SettingsClient.Text(entry, "path") == "Usenet:Providers:#:Host");

        // Each is told of in the documentation, by name.
        var documented = await File.ReadAllTextAsync(Documentation());
        Assert.DoesNotContain(all.Keys, path => !documented.Contains(path[(path.LastIndexOf(':') + 1)..], StringComparison.Ordinal));
    }

    [Fact]
    public async Task What_is_wrong_is_refused_whole_with_every_fault()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAlone);
        var settings = new SettingsClient(gateway);
        var faults = await settings.RefusedAsync(new Dictionary<string, object?>
        {
            ["Import:Workers"] = 17,
            ["Import:MaxNzbMiB"] = "much",
            ["WebDav:Scratch"] = true,
            ["Import:Wrokers"] = 2,
            ["Torrents:UploadKiBps"] = 100,
            ["Torrents:AlternativeTimes"] = "mon-fri 08:00-18:00,monday 8-9",
            ["Torrents:CategoryPolicies"] = "tv=keep ratio:2, movies=sometimes",
            ["Usenet:Providers:0:Host"] = "https://news.example.com",
        });
        Assert.Equal(7, faults.Length);
        Assert.Contains("Torrents:CategoryPolicies: 'movies=sometimes' is no policy such as tv=keep ratio:2 minutes:10080 both remove.", faults);
        Assert.Contains("Torrents:UploadKiBps: it is called NzbDav__Torrents__UploadLimit now, with the same value.", faults);
        Assert.Contains("Torrents:AlternativeTimes: 'mon-fri 08:00-18:00,monday 8-9' are no times such as mon-fri 08:00-18:00, sat 10:00-24:00.", faults);
        Assert.Contains("Import:Workers: 17 is outside 1 … 16.", faults);
        Assert.Contains("Import:MaxNzbMiB: 'much' is no whole number.", faults);
        Assert.Contains("Import:Wrokers: there is no such setting.", faults);
        Assert.Contains(faults, fault => fault.StartsWith("Usenet:Providers:0:Host: is 'https://news.example.com'", StringComparison.Ordinal));
        var all = await settings.GetAsync();
        Assert.Equal("default", SettingsClient.Text(all["WebDav:Scratch"], "source"));
        Assert.DoesNotContain("Usenet:Providers:0:Host", all.Keys);
        foreach (var export in new object[] { new { }, new { version = "1", settings = new { } }, new { version = 2, settings = new { } }, new { version = 1, settings = "x" }, new { version = 1.5 } })
        {
            var (refused, why) = await settings.SendAsync("PUT", SettingsClient.Path + "/import", export);
            Assert.Equal(HttpStatusCode.UnprocessableEntity, refused);
            Assert.Contains("no export of settings", Assert.Single(SettingsClient.Faults(why)), StringComparison.Ordinal);
        }

        var (status, answer) = await settings.SendAsync("PATCH", SettingsClient.Path, new Dictionary<string, object> { ["Import:Workers"] = new { } });
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Contains("neither", SettingsClient.Faults(answer)[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_environment_wins_and_cannot_be_changed()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAlone))
            await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 5, ["WebDav:MountPath"] = "/mnt/stored" });

        var environment = new Dictionary<string, string?>(SettingsClient.KeyAlone) { ["Import:Workers"] = "2", ["Usenet:Providers:0:Host"] = "news.example.com" };
        await using var locked = await Gateway.StartAsync(news, folder, environment: environment);
        var settings = new SettingsClient(locked);
        var all = await settings.GetAsync();
        Assert.Equal(("2", "environment"), (SettingsClient.Text(all["Import:Workers"], "value"), SettingsClient.Text(all["Import:Workers"], "source")));
        Assert.Equal(("/mnt/stored", "stored"), (SettingsClient.Text(all["WebDav:MountPath"], "value"), SettingsClient.Text(all["WebDav:MountPath"], "source")));

        // An account belongs to the environment as a whole.
        foreach (var path in new[] { "Import:Workers", "import:workers", "Usenet:Providers:0:Port" })
        {
            var fault = Assert.Single(await settings.RefusedAsync(new Dictionary<string, object> { [path] = 3 }));
            Assert.Contains("the environment decides about it", fault, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Credentials_keys_categories_and_folders_change_at_once()
    {
        await using var news = new NewsServers();
        using var watched = new Folder();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?> { ["Torrents:ListenAddress"] = "127.0.0.1" });
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
        await settings.ChangeAsync(Account(news.First, 3));
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
    public async Task Settings_move_to_another_server_as_one_file_with_secrets_only_if_asked()
    {
        await using var news = new NewsServers(new MockProviderOptions { Username = "me", Password = Secret });
        var file = news.Post("Film.mkv", 2_000_000);
        JsonElement without, with;
        await using (var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin))
        {
            var settings = new SettingsClient(gateway);
            await settings.ChangeAsync(Account(news.First, 0));
            await settings.ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 7 });
            without = (await settings.SendAsync("GET", SettingsClient.Path + "/export", body: null)).Answer;
            with = (await settings.SendAsync("GET", SettingsClient.Path + "/export?secrets=true", body: null)).Answer;
            Assert.DoesNotContain(Secret, without.ToString(), StringComparison.Ordinal);
            Assert.DoesNotContain(Gateway.Password, without.ToString(), StringComparison.Ordinal);

            // What the file does not hold goes, but for the secrets of what it does hold.
            await settings.ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 5, ["Usenet:Providers:1:Host"] = "news.example.com", ["Usenet:Providers:1:Username"] = "x", ["Usenet:Providers:1:Password"] = "yyyy" });
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
        Assert.Contains(SettingsClient.Faults(answer), fault => fault.StartsWith("Usenet:Providers:0:Password: it is empty", StringComparison.Ordinal));
        Assert.Equal(HttpStatusCode.OK, (await there.SendAsync("PUT", SettingsClient.Path + "/import", with)).Status);
        await other.ImportAsync("Film", file);
        await other.Client.AssertFileAsync("/dav/content/movies/Film/Film.mkv", file);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await there.SendAsync("PUT", SettingsClient.Path + "/import", new { version = 2, settings = new { } })).Status);
    }

    [Fact]
    public async Task Stored_settings_that_are_wrong_or_unreadable_are_left_out_and_told()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAlone))
        {
            await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 7, ["WebDav:Username"] = "me", ["WebDav:Password"] = Secret });

            // As a later version may have left them.
            var store = gateway.Services.GetRequiredService<SettingStore>();
            await store.SetAsync("option.Import:Wings", "=2", Deadline.Token);
            await store.SetAsync("option.Memory:BudgetMiB", "=1", Deadline.Token);
        }

        foreach (var key in Directory.EnumerateFiles(Path.Combine(folder.Path, "keys"), "key-*.xml"))
            File.Delete(key);
        await using var again = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAlone);
        var settings = new SettingsClient(again);
        Assert.Equal("7", SettingsClient.Text((await settings.GetAsync())["Import:Workers"], "value"));
        var (_, answer) = await settings.SendAsync("GET", SettingsClient.Path, body: null);
        var ignored = answer.GetProperty("ignored").EnumerateArray().Select(fault => SettingsClient.Text(fault, "path")).Order(StringComparer.Ordinal);
        Assert.Equal(["Import:Wings", "Memory:BudgetMiB", "WebDav", "WebDav:Password"], ignored);

        // What is wrong elsewhere does not keep anybody from setting it right.
        await settings.ChangeAsync(new Dictionary<string, object?> { ["WebDav:Username"] = "me", ["WebDav:Password"] = "another one", ["Import:Wings"] = null, ["Memory:BudgetMiB"] = null });
        (_, answer) = await settings.SendAsync("GET", SettingsClient.Path, body: null);
        Assert.Empty(answer.GetProperty("ignored").EnumerateArray());
        using var client = new DavClient(again.Root, "me", "another one");
        Assert.NotEmpty(await client.ListAsync("/dav/"));
    }

    [Fact]
    public async Task Secrets_come_from_files_too()
    {
        using var folder = new Folder();
        var secret = Path.Combine(folder.Path, "password");
        await File.WriteAllTextAsync(secret, Gateway.Password + "\n");
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>(SettingsClient.KeyAlone) { ["WebDav:Username"] = Gateway.User, ["WebDav:Password_FILE"] = secret });
        Assert.NotEmpty(await gateway.Client.ListAsync("/dav/"));
        Assert.Equal("environment", SettingsClient.Text((await new SettingsClient(gateway).GetAsync())["WebDav:Password"], "source"));

        var wrong = Gateway.Sources(new Dictionary<string, string?> { ["WebDav:Password_FILE"] = secret + ".gone", ["Api:Key"] = "12345678", ["Api:Key_FILE"] = secret }).Read(new Dictionary<string, string>());
        Assert.Contains(wrong.Faults, fault => fault.Path == "WebDav:Password_FILE" && fault.Message.Contains("cannot be read", StringComparison.Ordinal));
        Assert.Contains(wrong.Faults, fault => fault.Path == "Api:Key" && fault.Message.Contains("twice", StringComparison.Ordinal));
    }

    private static Dictionary<string, object> Account(MockProvider provider, int number) => new(StringComparer.Ordinal)
    {
        [$"Usenet:Providers:{number}:Host"] = "127.0.0.1",
        [$"Usenet:Providers:{number}:Port"] = provider.Port,
        [$"Usenet:Providers:{number}:UseTls"] = false,
        [$"Usenet:Providers:{number}:Username"] = "me",
        [$"Usenet:Providers:{number}:Password"] = Secret,
        [$"Usenet:Providers:{number}:MaxConnections"] = 4,
    };

    private static string Documentation()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        return Path.Combine(folder.FullName, "docs", "configuration.md");
    }
}
