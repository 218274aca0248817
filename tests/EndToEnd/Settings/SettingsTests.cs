using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Which settings exist, which values are refused, and where values come from.</summary>
public sealed class SettingsTests
{
    private const string Secret = "tr0ub4dor-and-3";

    [Fact]
    public async Task Every_setting_is_listed_with_its_kind_and_bounds()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAlone);
        var all = await new SettingsClient(gateway).GetAsync();
        var workers = all["Import:Workers"];
        Assert.Equal(("number", "4", 1, 16, "default"), (SettingsClient.Text(workers, "kind"), SettingsClient.Text(workers, "default"),
            workers.GetProperty("least").GetInt32(), workers.GetProperty("most").GetInt32(), SettingsClient.Text(workers, "source")));
        Assert.Equal(
            ("flag", "false"), (SettingsClient.Text(all["WebDav:Scratch"], "kind"), SettingsClient.Text(all["WebDav:Scratch"], "default")));
        Assert.Equal(("list", "movies,tv"),
            (SettingsClient.Text(all["Import:VideoCategories"], "kind"), SettingsClient.Text(all["Import:VideoCategories"], "default")));
        foreach (var (path, otherwise) in new[]
        {
            ("Log:Level", "information"), ("Log:Categories", "Microsoft=warning"), ("Access:LanRights", "read"),
                ("Access:LanNetworks", "none"), ("Access:Oidc:Scopes", "openid,profile,email"),
            ("Access:Oidc:GroupsClaim", "groups"), ("Otlp:Protocol", "http/protobuf"),
        })
        {
            Assert.Equal(otherwise, SettingsClient.Text(all[path], "default"));
        }

        Assert.Equal(
            ("secret", "environment"), (SettingsClient.Text(all["Api:Key"], "kind"), SettingsClient.Text(all["Api:Key"], "source")));
        var (_, answer) = await new SettingsClient(gateway).SendAsync("GET", SettingsClient.Path, body: null);
        Assert.Contains(
            answer.GetProperty("provider").EnumerateArray(), entry => SettingsClient.Text(entry, "path") == "Usenet:Providers:#:Host");

        // The documentation names every setting.
        var documented = await File.ReadAllTextAsync(Documentation());
        Assert.DoesNotContain(all.Keys, path => !documented.Contains(path[(path.LastIndexOf(':') + 1)..], StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_change_with_errors_is_refused_as_a_whole_with_every_error_named()
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
        Assert.Contains(
            "Torrents:CategoryPolicies: 'movies=sometimes' is not a policy such as tv=keep ratio:2 minutes:10080 both remove.", faults);
        Assert.Contains("Torrents:UploadKiBps: it is called NzbDav__Torrents__UploadLimit now, with the same value.", faults);
        Assert.Contains(
            "Torrents:AlternativeTimes: 'mon-fri 08:00-18:00,monday 8-9' are not times such as mon-fri 08:00-18:00, sat 10:00-24:00.",
            faults);
        Assert.Contains("Import:Workers: 17 is outside 1 … 16.", faults);
        Assert.Contains("Import:MaxNzbMiB: 'much' is not a whole number.", faults);
        Assert.Contains("Import:Wrokers: there is no such setting.", faults);
        Assert.Contains(
            faults, fault => fault.StartsWith("Usenet:Providers:0:Host: is 'https://news.example.com'", StringComparison.Ordinal));
        var all = await settings.GetAsync();
        Assert.Equal("default", SettingsClient.Text(all["WebDav:Scratch"], "source"));
        Assert.DoesNotContain("Usenet:Providers:0:Host", all.Keys);
        foreach (var export in new object[] { new { }, new { version = "1", settings = new { } }, new { version = 2, settings = new { } },
            new { version = 1, settings = "x" }, new { version = 1.5 } })
        {
            var (refused, why) = await settings.SendAsync("PUT", SettingsClient.Path + "/import", export);
            Assert.Equal(HttpStatusCode.UnprocessableEntity, refused);
            Assert.Contains("not an export of settings", Assert.Single(SettingsClient.Faults(why)), StringComparison.Ordinal);
        }

        var (status, answer) = await settings.SendAsync(
            "PATCH", SettingsClient.Path, new Dictionary<string, object> { ["Import:Workers"] = new { } });
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Contains("is not a text", SettingsClient.Faults(answer)[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_environment_overrides_stored_settings_and_cannot_be_changed()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAlone))
            await new SettingsClient(gateway)
                .ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 5, ["WebDav:MountPath"] = "/mnt/stored" });

        var environment = new Dictionary<string, string?>(SettingsClient.KeyAlone)
        { ["Import:Workers"] = "2", ["Usenet:Providers:0:Host"] = "news.example.com" };
        await using var locked = await Gateway.StartAsync(news, folder, environment: environment);
        var settings = new SettingsClient(locked);
        var all = await settings.GetAsync();
        Assert.Equal(("2", "environment"),
            (SettingsClient.Text(all["Import:Workers"], "value"), SettingsClient.Text(all["Import:Workers"], "source")));
        Assert.Equal(("/mnt/stored", "stored"),
            (SettingsClient.Text(all["WebDav:MountPath"], "value"), SettingsClient.Text(all["WebDav:MountPath"], "source")));

        // An account of the environment cannot be changed in part.
        foreach (var path in new[] { "Import:Workers", "import:workers", "Usenet:Providers:0:Port" })
        {
            var fault = Assert.Single(await settings.RefusedAsync(new Dictionary<string, object> { [path] = 3 }));
            Assert.Contains("it is set by the environment", fault, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Invalid_stored_settings_are_skipped_and_reported()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAlone))
        {
            await new SettingsClient(gateway).ChangeAsync(
                new Dictionary<string, object> { ["Import:Workers"] = 7, ["WebDav:Username"] = "me", ["WebDav:Password"] = Secret });

            // Stored values as a later version may have left them.
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
        var ignored = answer.GetProperty("ignored").EnumerateArray().Select(fault => SettingsClient.Text(fault, "path"))
            .Order(StringComparer.Ordinal);

        // A database server holds the keys too, and gives them back to the folder.
        string[] unreadable = TestEngine.IsServer ? [] : ["WebDav", "WebDav:Password"];
        Assert.Equal(["Import:Wings", "Memory:BudgetMiB", .. unreadable], ignored);

        // Invalid settings elsewhere do not prevent correcting them.
        await settings.ChangeAsync(new Dictionary<string, object?>
        { ["WebDav:Username"] = "me", ["WebDav:Password"] = "another one", ["Import:Wings"] = null, ["Memory:BudgetMiB"] = null });
        (_, answer) = await settings.SendAsync("GET", SettingsClient.Path, body: null);
        Assert.Empty(answer.GetProperty("ignored").EnumerateArray());
        using var client = new DavClient(again.Root, "me", "another one");
        Assert.NotEmpty(await client.ListAsync("/dav/"));
    }

    [Fact]
    public async Task Secrets_can_come_from_files()
    {
        using var folder = new Folder();
        var secret = Path.Combine(folder.Path, "password");
        await File.WriteAllTextAsync(secret, Gateway.Password + "\n");
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>(SettingsClient.KeyAlone)
        { ["WebDav:Username"] = Gateway.User, ["WebDav:Password_FILE"] = secret });
        Assert.NotEmpty(await gateway.Client.ListAsync("/dav/"));
        Assert.Equal("environment", SettingsClient.Text((await new SettingsClient(gateway).GetAsync())["WebDav:Password"], "source"));

        var wrong = Gateway.Sources(new Dictionary<string, string?>
        {
            ["WebDav:Password_FILE"] = secret + ".gone",
            ["Api:Key"] = "12345678",
            ["Api:Key_FILE"] = secret
        }).Read(new Dictionary<string, string>());
        Assert.Contains(wrong.Faults,
            fault => fault.Path == "WebDav:Password_FILE" && fault.Message.Contains("cannot be read", StringComparison.Ordinal));
        Assert.Contains(wrong.Faults, fault => fault.Path == "Api:Key" && fault.Message.Contains("twice", StringComparison.Ordinal));
    }

    [Fact]
    public void Private_hosts_are_names_addresses_or_networks_and_nothing_else_is_accepted()
    {
        foreach (var path in (string[])["Api:PrivateHosts", "Torrents:PrivateHosts"])
        {
            var read = Read(path, "nzbhydra, 192.168.1.5/24, fd00::/8, *");
            Assert.DoesNotContain(read.Faults, fault => fault.Path == path);
            Assert.Equal(
                ["nzbhydra", "192.168.1.0/24", "fd00::/8", "*"],
                path == "Api:PrivateHosts" ? read.Settings.Api.PrivateHosts : read.Settings.Torrents.PrivateHosts);
            foreach (var wrong in (string[])["192.168.1.0/33", "nas.lan/24", "http://nas.lan"])
            {
                var fault = Assert.Single(Read(path, "nzbhydra," + wrong).Faults, fault => fault.Path == path);
                Assert.Contains($"'{wrong}' is not a name, address or network", fault.Message, StringComparison.Ordinal);
            }
        }

        static SettingsReading Read(string path, string value) =>
            Gateway.Sources(new Dictionary<string, string?> { [path] = value }).Read(new Dictionary<string, string>());
    }

    private static string Documentation()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        return Path.Combine(folder.FullName, "docs", "configuration.md");
    }
}
