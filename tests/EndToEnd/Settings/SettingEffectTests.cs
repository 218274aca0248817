using System.IO.Compression;
using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Import.Options;
using NzbDav.Torrents.Sessions;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>
/// Effects of changed settings on torrents, backups and commands beside the server; and the report when a change cannot be applied.
/// </summary>
public sealed class SettingEffectTests
{
    [Fact]
    public async Task Torrent_limits_take_effect_at_once_and_settings_that_need_a_restart_say_so()
    {
        const string Film = "/dav/content/movies/film/film.mkv";
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(TorrentSwarm.Film(40_000_000));
        var environment = new Dictionary<string, string?>(SettingsClient.KeyAndLogin) { ["Torrents:PrivateHosts"] = "127.0.0.1" };
        var port = LoopbackPort.Free();
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: environment))
        {
            var settings = new SettingsClient(gateway);
            var engine = gateway.Services.GetRequiredService<TorrentSessions>().Engine;

            // Budget for everything that waits to be written: a slow disk would otherwise cause data to be dropped.
            await settings.ChangeAsync(new Dictionary<string, object> { ["Torrents:BudgetMiB"] = 512 });
            await gateway.Client.PutAsync("/dav/torrents/movies/film.torrent", swarm.File);
            await gateway.WaitAsync("film");
            await swarm.AssertFileAsync(gateway.Client, Film);
            await Deadline.UntilAsync(() => engine.CachedBytes == 40_000_000, "all of it is cached");

            // Changes the settings in the middle of a download.
            using var response = await gateway.Client.Http.GetAsync(new Uri(gateway.Root + Film), HttpCompletionOption.ResponseHeadersRead);
            await using var body = await response.Content.ReadAsStreamAsync();
            using var whole = new MemoryStream();
            var first = new byte[1 << 20];
            await body.ReadExactlyAsync(first);
            whole.Write(first);
            await settings.ChangeAsync(
                new Dictionary<string, object>
                {
                    ["Torrents:CacheMiB"] = 8,
                    ["Torrents:WatchedReserveGiB"] = 0,
                    ["Torrents:BudgetMiB"] = 16,
                    ["Torrents:MaxPeers"] = 1,
                    ["Torrents:UploadLimit"] = 100,
                    ["Torrents:UploadSlots"] = 2,
                    ["Torrents:IdleMinutes"] = 7
                });
            await body.CopyToAsync(whole);
            var expected = new byte[40_000_000];
            swarm.Torrent.Content.Fill(0, expected);
            Assert.Equal(Convert.ToHexString(SHA256.HashData(expected)), Convert.ToHexString(SHA256.HashData(whole.ToArray())));
            await Deadline.UntilAsync(() => engine.CachedBytes <= 8 << 20, "the cache on disk shrinks to its limit");
            Assert.Equal(16 << 20, engine.Pool.Budget.Limit);
            Assert.Equal(TimeSpan.FromMinutes(7), gateway.Services.GetRequiredService<TorrentSessions>().UnusedLifetime);
            await Deadline.UntilAsync(() => engine.Torrents.All(torrent => torrent.GetStatus().Peers <= 1), "one connection is left");

            // Settings of the mount, and those that the engine was created with.
            var all = await settings.GetAsync();
            var atStart = all.Values.Where(entry => entry.GetProperty("needsRestart").GetBoolean());
            Assert.Equal(
                [
                    "Mount:AllowOther", "Mount:Group", "Mount:Path", "Mount:Socket", "Mount:User",
                    "Torrents:Enabled", "Torrents:KeepFolder", "Torrents:ListenAddress",
                ],
                atStart.Select(entry => SettingsClient.Text(entry, "path")).Order(StringComparer.Ordinal));
            Assert.DoesNotContain(all.Values, IsPending);
            var kept = Path.Combine(folder.Path, "kept");
            await settings.ChangeAsync(
                new Dictionary<string, object> { ["Torrents:KeepFolder"] = kept, ["Torrents:Port"] = port, ["Torrents:Enabled"] = true });
            all = await settings.GetAsync();
            Assert.Equal("Torrents:KeepFolder", SettingsClient.Text(Assert.Single(all.Values, IsPending), "path"));

            // Another port takes effect at once.
            Assert.Equal(port, engine.Port);

            // Torrents are switched off at the next start, not before.
            await settings.ChangeAsync(new Dictionary<string, object> { ["Torrents:Enabled"] = false });
            await swarm.AssertRangeAsync(gateway.Client, Film, 20_000_000, 20_100_000);
            Assert.True(gateway.Services.GetRequiredService<Live<ImportOptions>>().Value.Torrents);
            await settings.ChangeAsync(new Dictionary<string, object?> { ["Torrents:Enabled"] = null });
            Assert.Equal("Torrents:KeepFolder", SettingsClient.Text(Assert.Single((await settings.GetAsync()).Values, IsPending), "path"));
        }

        await using var again = await Gateway.StartAsync(news, folder, environment: environment);
        Assert.Equal(port, again.Services.GetRequiredService<TorrentSessions>().Engine.Port);
        Assert.DoesNotContain((await new SettingsClient(again).GetAsync()).Values, IsPending);

        static bool IsPending(JsonElement entry) => entry.GetProperty("isPending").GetBoolean();
    }

    [Fact]
    public async Task Backups_go_to_a_folder_set_at_run_time()
    {
        using var elsewhere = new Folder();
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAlone);
        await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, object> { ["Backup:Folder"] = elsewhere.Path });
        using var client = new OperatorClient(gateway.Root, SettingsClient.Key);
        var (status, body) = await client.AskAsync("POST", "/api/v1/backups");
        Assert.Equal(HttpStatusCode.Created, status);
        Assert.True(File.Exists(Path.Combine(elsewhere.Path, body.GetProperty("name").GetString()!)));
        Assert.Equal(elsewhere.Path, (await client.AskAsync("GET", "/api/v1/backups")).Body.GetProperty("folder").GetString());
    }

    [Fact]
    public async Task Commands_beside_the_server_use_the_stored_settings()
    {
        const string Secret = "arch1ve-pass-77";
        using var elsewhere = new Folder();
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, folder, environment: SettingsClient.KeyAlone);
        await new SettingsClient(gateway).ChangeAsync(
            new Dictionary<string, object> { ["Backup:Folder"] = elsewhere.Path, ["Backup:Keep"] = 2, ["Import:Passwords:0"] = Secret });
        var environment = new Dictionary<string, string>(StringComparer.Ordinal);
        var made = new List<string>();
        for (var i = 0; i < 3; i++)
        {
            var (exit, output, errors) = await ServerHere.RunAsync(environment, "backup", "--config", folder.Path);
            Assert.True(exit == 0, string.Join('\n', errors));
            made.Add(output[^1]);
        }

        Assert.Equal(
            made[1..].Order(StringComparer.Ordinal), Directory.GetFiles(elsewhere.Path, "nzbdav-*.zip").Order(StringComparer.Ordinal));
        Assert.False(Directory.Exists(Path.Combine(folder.Path, "backups")));

        // A log from a time when this value was not a secret yet.
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "logs", "nzbdav-20200101.log"), $"somebody wrote {Secret} here\n");
        var bundle = Path.Combine(elsewhere.Path, "bundle.zip");
        var (ended, _, complaints) = await ServerHere.RunAsync(
            environment, "support", "--names", "--config", folder.Path, "--output", bundle);
        Assert.True(ended == 0, string.Join('\n', complaints));
        await using var zip = await ZipFile.OpenReadAsync(bundle);
        using var reader = new StreamReader(await zip.Entries.Single(entry => entry.Name == "nzbdav-20200101.log").OpenAsync());
        var text = await reader.ReadToEndAsync();
        Assert.Contains("somebody wrote", text, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stored_setting_that_cannot_be_applied_is_reported()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        await File.WriteAllTextAsync(Path.Combine(gateway.ConfigFolder, "scratch"), "in the way");
        await using (var connection = new SqliteConnection($"Data Source={Path.Combine(gateway.ConfigFolder, "nzbdav.sqlite")}"))
        {
            await connection.OpenAsync();
            await using var command = connection.CreateCommand();
            command.CommandText =
                "CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.name = 'anime' BEGIN SELECT RAISE(FAIL, 'not that one'); END";
            await command.ExecuteNonQueryAsync();
        }

        var settings = new SettingsClient(gateway);
        var (status, answer) = await settings.SendAsync("PATCH", SettingsClient.Path,
            new Dictionary<string, object> { ["WebDav:Scratch"] = true, ["Import:Categories"] = "anime", ["Import:Workers"] = 5 });
        Assert.Equal(HttpStatusCode.OK, status);
        var unapplied = answer.GetProperty("unapplied").EnumerateArray().ToDictionary(
            fault => SettingsClient.Text(fault, "path")!, fault => SettingsClient.Text(fault, "message")!, StringComparer.Ordinal);
        Assert.Equal(["Import:Categories", "WebDav:Scratch"], unapplied.Keys.Order(StringComparer.Ordinal));
        Assert.Contains("not that one", unapplied["Import:Categories"], StringComparison.Ordinal);
        Assert.Equal("5", SettingsClient.Text((await settings.GetAsync())["Import:Workers"], "value"));
        var log = string.Concat(Directory.GetFiles(Path.Combine(gateway.ConfigFolder, "logs")).Select(Read));
        Assert.Contains("The setting Import:Categories could not be applied", log, StringComparison.Ordinal);
        Assert.Contains("The setting WebDav:Scratch could not be applied", log, StringComparison.Ordinal);

        // The next change tries again.
        File.Delete(Path.Combine(gateway.ConfigFolder, "scratch"));
        await settings.ChangeAsync(new Dictionary<string, object> { ["Import:Workers"] = 7, ["Import:Categories"] = "tv" });
        Assert.Contains("scratch", await gateway.Client.ListAsync("/dav/"));
        Assert.Empty((await settings.SendAsync("GET", SettingsClient.Path, body: null)).Answer.GetProperty("unapplied").EnumerateArray());

        static string Read(string file)
        {
            using var reader = new StreamReader(new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
            return reader.ReadToEnd();
        }
    }
}
