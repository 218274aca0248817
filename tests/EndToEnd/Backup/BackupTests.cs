using System.IO.Compression;
using System.Net;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Operations;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Backup;

/// <summary>A backup restores a library: into an empty folder, on another machine, after damage.</summary>
public sealed class BackupTests
{
    private static readonly Dictionary<string, string> NoSettings = new(StringComparer.Ordinal) { ["NzbDav__Torrents__Enabled"] = "false" };

    [Fact]
    public async Task OPS_05_A_backup_made_during_imports_restores_everything()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var before = Enumerable.Range(0, 6).Select(number => news.Post($"before {number}.mkv", 900_000 + number)).ToArray();
        var during = Enumerable.Range(0, 30).Select(number => news.Post($"during {number}.mkv", 300_000 + number)).ToArray();
        var complete = Path.Combine(folder.Path, "downloaded.zip");
        byte[] key;
        await using (var gateway = await Gateway.StartAsync(news))
        {
            foreach (var file in before)
                await gateway.ImportAsync(file.Name, file);
            await gateway.Services.GetRequiredService<SettingStore>().SetAsync("test.kept", "välue", Deadline.Token);
            key = await File.ReadAllBytesAsync(Path.Combine(gateway.ConfigFolder, "keys", "view"));
            using var client = OperatorClient.Of(gateway);
            var imports = Task.WhenAll(during.Select(file => gateway.ImportAsync(file.Name, file)));
            var made = 0;
            string name;
            do
            {
                var (status, body) = await client.AskAsync("POST", "/api/v1/backups");
                Assert.Equal(HttpStatusCode.Created, status);
                name = body.GetProperty("name").GetString()!;
                Assert.Equal(0, body.GetProperty("missingBlobs").GetInt32());
                made++;
            }
            while (!imports.IsCompleted);
            await imports;
            Assert.True(made <= 7 || (await client.AskAsync("GET", "/api/v1/backups")).Body.GetProperty("backups").GetArrayLength() == 7);
            await File.WriteAllBytesAsync(complete, await client.DownloadAsync($"/api/v1/backups/{name}?complete=true"));
        }

        // The last backup began during imports, so it holds some of them; everything it lists must be complete.
        using var other = new Folder();
        var (exit, output, errors) = await ServerProcess.RunAsync(NoSettings, "restore", complete, "--config", other.Path);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        await using var restored = await Gateway.StartAsync(news, other);
        Assert.Equal(key, await File.ReadAllBytesAsync(Path.Combine(other.Path, "keys", "view")));
        Assert.Equal("välue", await restored.Services.GetRequiredService<SettingStore>().GetAsync("test.kept", Deadline.Token));

        // Jobs that were waiting or running then are imported now.
        foreach (var file in before.Concat(during))
        {
            if (await restored.FindJobAsync(file.Name) is null)
            {
                Assert.Contains(file, during);
                continue;
            }

            Assert.Equal(JobState.Completed, (await restored.WaitAsync(file.Name))!.State);
            await restored.Client.AssertFileAsync(DavClient.Path("content", "movies", file.Name, file.Name), file);
        }

        var found = await restored.Client.ListAsync("/dav/content/movies/");
        Assert.All(before, file => Assert.Contains(file.Name, found));
    }

    [Fact]
    public async Task OPS_05_A_damaged_database_is_replaced_from_a_backup_and_kept_aside()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var file = news.Post("film.mkv", 2_000_000);
        await using (var gateway = await Gateway.StartAsync(news, folder))
            await gateway.ImportAsync("film", file);
        var (made, path, _) = await ServerHere.RunAsync(NoSettings, "backup", "--config", folder.Path);
        Assert.Equal(0, made);
        var database = Path.Combine(folder.Path, "nzbdav.sqlite");
        await File.WriteAllTextAsync(database, "damaged");

        var (start, _, reasons) = await ServerHere.RunAsync(NoSettings, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        Assert.Equal(78, start);
        Assert.Contains(reasons, line => line.Contains(Path.Combine(folder.Path, "backups"), StringComparison.Ordinal));

        var (restored, output, errors) = await ServerHere.RunAsync(NoSettings, "restore", path[^1], "--config", folder.Path);
        Assert.True(restored == 0, string.Join('\n', [.. output, .. errors]));
        var former = Assert.Single(Directory.GetDirectories(folder.Path, "before-restore-*"));
        Assert.Equal("damaged", await File.ReadAllTextAsync(Path.Combine(former, "nzbdav.sqlite")));
        await using var later = await Gateway.StartAsync(news, folder);
        await later.Client.AssertFileAsync("/dav/content/movies/film/film.mkv", file);
        Assert.Equal(JobState.Completed, (await later.FindJobAsync("film"))!.State);
    }

    [Fact]
    public async Task Restore_is_refused_while_a_server_runs_and_for_a_file_that_is_not_a_backup()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using (var server = ServerHere.Serve(news, folder))
        {
            using var client = await server.ClientAsync();
            var (made, path, _) = await ServerProcess.RunAsync(NoSettings, "backup", "--config", folder.Path);
            Assert.Equal(0, made);
            var (refused, _, errors) = await ServerProcess.RunAsync(NoSettings, "restore", path[^1], "--config", folder.Path);
            Assert.Equal(1, refused);
            Assert.Contains("a server runs", errors[^1], StringComparison.Ordinal);
        }

        var (wrong, _, reason) = await ServerHere.RunAsync(
            NoSettings, "restore", folder.Write("x.zip", [1, 2, 3]), "--config", folder.Path);
        Assert.Equal(1, wrong);
        Assert.Contains("no backup", reason[^1], StringComparison.Ordinal);
        Assert.Empty(Directory.GetDirectories(folder.Path, "before-restore-*"));
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path, "restore-*"));
    }

    [Fact]
    public async Task Listing_and_downloading_backups_requires_the_key()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Api = new() { Key = "full-key-1", AddKey = "add-key-1", ReadKey = "read-key-1" } });
        using var client = new OperatorClient(gateway.Root, "full-key-1");
        var (_, body) = await client.AskAsync("POST", "/api/v1/backups");
        var name = body.GetProperty("name").GetString()!;
        Assert.Equal(
            name, (await client.AskAsync("GET", "/api/v1/backups")).Body.GetProperty("backups")[0].GetProperty("name").GetString());
        Assert.Equal(await File.ReadAllBytesAsync(Path.Combine(gateway.ConfigFolder, "backups", name)),
            await client.DownloadAsync($"/api/v1/backups/{name}"));
        foreach (var wrong in (string[])["nzbdav-no.zip", "..%2Fnzbdav.sqlite", "blobs"])
            Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("GET", $"/api/v1/backups/{wrong}")).Status);
        foreach (var key in (string?[])[null, "wrong-key", "add-key-1", "read-key-1"])
        {
            using var stranger = new OperatorClient(gateway.Root, key);
            foreach (var (method, path) in ((string, string)[])[("GET", "backups"), ("POST", "backups"), ("GET", $"backups/{name}"),
                ("GET", "log"), ("PUT", "log"), ("GET", "support")])
                Assert.Equal(
                    key?.StartsWith("wrong", StringComparison.Ordinal) != false ? HttpStatusCode.Unauthorized : HttpStatusCode.Forbidden,
                    (await stranger.AskAsync(method, $"/api/v1/{path}", method == "PUT" ? "{}" : null)).Status);
        }

        if (!OperatingSystem.IsWindows())
            Assert.Equal(
                UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(gateway.ConfigFolder, "backups", name)));
    }

    [Fact]
    public async Task Backups_are_made_on_schedule_and_old_ones_are_removed()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Operations = new OperationSettings { BackupEveryHours = 24, BackupKeep = 2 } });
        var time = new ManualTimeProvider();
        using var keeper = NewKeeper(gateway, time, out var backups, out var ended);
        await keeper.StartAsync(Deadline.Token);
        var made = new List<string>();
        foreach (var wait in (TimeSpan[])[TimeSpan.FromMinutes(15), TimeSpan.FromHours(24), TimeSpan.FromHours(24)])
        {
            await time.WhenArmedAsync(1, Deadline.Token);
            Assert.Equal(wait, time.NextDue);
            time.Advance(wait);
            made.Add((await ended.ReadAsync(Deadline.Token))!.Name);
        }

        Assert.Equal([made[2], made[1]], backups.Now.List().Select(backup => backup.Name));

        // A failed backup is retried sooner.
        await time.WhenArmedAsync(1, Deadline.Token);
        File.Move(Path.Combine(gateway.ConfigFolder, "nzbdav.sqlite"), Path.Combine(gateway.ConfigFolder, "elsewhere"));
        time.Advance(TimeSpan.FromHours(24));
        Assert.Null(await ended.ReadAsync(Deadline.Token));
        await time.WhenArmedAsync(1, Deadline.Token);
        Assert.Equal(TimeSpan.FromHours(1), time.NextDue);
        File.Move(Path.Combine(gateway.ConfigFolder, "elsewhere"), Path.Combine(gateway.ConfigFolder, "nzbdav.sqlite"));
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task Backups_may_be_further_apart_than_a_timer_lasts()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Operations = new OperationSettings { BackupEveryHours = 50 * 24 } });
        var time = new ManualTimeProvider();
        using var keeper = NewKeeper(gateway, time, out _, out var ended);
        await keeper.StartAsync(Deadline.Token);
        await time.WhenArmedAsync(1, Deadline.Token);
        time.Advance(TimeSpan.FromMinutes(15));
        Assert.NotNull(await ended.ReadAsync(Deadline.Token));
        for (var day = 0; day < 50; day++)
        {
            await time.WhenArmedAsync(1, Deadline.Token);
            Assert.Equal(TimeSpan.FromDays(1), time.NextDue);
            Assert.False(ended.TryRead(out _));
            time.Advance(TimeSpan.FromDays(1));
        }

        Assert.NotNull(await ended.ReadAsync(Deadline.Token));
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task An_internal_error_does_not_end_the_schedule()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var time = new ManualTimeProvider();
        using var keeper = NewKeeper(gateway, time, out _, out var ended, new FailingLifetime());
        await keeper.StartAsync(Deadline.Token);
        await time.WhenArmedAsync(1, Deadline.Token);
        time.Advance(TimeSpan.FromMinutes(15));
        Assert.Null(await ended.ReadAsync(Deadline.Token));
        await time.WhenArmedAsync(1, Deadline.Token);
        Assert.Equal(TimeSpan.FromHours(1), time.NextDue);
        time.Advance(TimeSpan.FromHours(1));
        Assert.NotNull(await ended.ReadAsync(Deadline.Token));
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task Beside_a_damaged_backup_others_are_made_and_removed_and_the_log_names_it()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Operations = new OperationSettings { BackupKeep = 2 } });
        using var client = OperatorClient.Of(gateway);
        await MakeAsync();
        var damaged = await MakeAsync();
        using (var zip = ZipFile.Open(Path.Combine(gateway.ConfigFolder, "backups", damaged), ZipArchiveMode.Update))
        {
            zip.GetEntry("blobs.txt")!.Delete();
            await using var list = new StreamWriter(zip.CreateEntry("blobs.txt").Open());
            await list.WriteAsync("no hash\n");
        }

        var newest = await MakeAsync();
        Assert.Equal([newest, damaged], (await client.AskAsync("GET", "/api/v1/backups")).Body.GetProperty("backups").EnumerateArray()
            .Select(backup => backup.GetProperty("name").GetString()));
        var (_, lines) = await client.AskAsync("GET", "/api/v1/log/lines?level=warning&search=damaged");
        Assert.Contains(damaged, Assert.Single(lines.GetProperty("lines").EnumerateArray()).GetProperty("message").GetString(),
            StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NoContent, (await client.AskAsync("DELETE", $"/api/v1/backups/{newest}")).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await client.AskAsync("DELETE", $"/api/v1/backups/{damaged}")).Status);

        async Task<string> MakeAsync()
        {
            var (status, body) = await client.AskAsync("POST", "/api/v1/backups");
            Assert.Equal(HttpStatusCode.Created, status);
            return body.GetProperty("name").GetString()!;
        }
    }

    /// <summary>A second keeper on a clock that the test moves, and what it reports of each attempt.</summary>
    private static BackupKeeper NewKeeper(Gateway gateway, ManualTimeProvider time, out Backups backups,
        out ChannelReader<BackupInfo?> ended, IHostApplicationLifetime? lifetime = null)
    {
        backups = new Backups(
            gateway.Services.GetRequiredService<CatalogOptions>(), gateway.Services.GetRequiredService<SettingsBook>(), time);
        var keeper = new BackupKeeper(
            backups, gateway.Services.GetRequiredService<CatalogDatabase>(), gateway.Services.GetRequiredService<SettingsBook>(), lifetime
                ?? gateway.Services.GetRequiredService<IHostApplicationLifetime>(), time, NullLogger<BackupKeeper>.Instance);
        var attempts = Channel.CreateUnbounded<BackupInfo?>();
        keeper.Ended += made => attempts.Writer.TryWrite(made);
        ended = attempts.Reader;
        return keeper;
    }

    /// <summary>Throws what nobody expects when it is first asked.</summary>
    private sealed class FailingLifetime : IHostApplicationLifetime
    {
        private bool _failed;

        public CancellationToken ApplicationStarted => CancellationToken.None;

        public CancellationToken ApplicationStopped => CancellationToken.None;

        public CancellationToken ApplicationStopping
        {
            get
            {
                if (_failed)
                    return CancellationToken.None;
                _failed = true;
                throw new InvalidOperationException("A bug.");
            }
        }

        public void StopApplication()
        {
        }
    }
}
