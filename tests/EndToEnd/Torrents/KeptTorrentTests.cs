using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Settings;
using NzbDav.MockSwarm.Contents;
using NzbDav.Seeding;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <summary>Torrents of a kept category: added over the qBittorrent interface, complete on disk, served from there, and seeded.</summary>
public sealed partial class KeptTorrentTests
{
    private const string Key = "0123456789abcdef";
    private const int FilmSize = 3_000_001;

    /// <summary>One for all servers, as some start where another stopped.</summary>
    private static readonly FasterClock Clock = new(5);

    [Fact]
    public async Task A_kept_torrent_is_served_and_seeded_from_disk_after_a_restart_and_after_a_kill()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var torrent = Show("Show");
        var kept = Path.Combine(folder.Path, "kept");
        var port = LoopbackPort.Free();
        var environment = Environment(news, kept, port);
        long sent, seeded;
        await using (var swarm = new TorrentSwarm(torrent))
        {
            await using var server = ServerHere.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
            using var client = await server.ClientAsync();
            using var sonarr = Arr(client);
            await sonarr.AddFileAsync("Show.torrent", swarm.File);
            await SeedsAsync(sonarr, torrent);
            Leecher.AssertIsAt(torrent, Path.Combine(kept, "Show"));
            await AssertServedAsync(client, swarm);
            sent = swarm.Sent;
            foreach (var seeder in swarm.Swarm.Seeders)
                await seeder.DisposeAsync();

            // No other peer has the torrent any more.
            await AssertServedAsync(client, swarm);
            await Leecher.AssertSeedsAsync(torrent, port);
            await UploadedAsync(sonarr, torrent, torrent.Content.Length);
            seeded = Totals(await SeedsAsync(sonarr, torrent)).SeedingTime;
            await server.StopAsync();
        }

        await using var gone = new TorrentSwarm(torrent, seeders: 0);
        (long Uploaded, long Downloaded, long SeedingTime) stored;
        await using (var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0"))
        {
            using var client = await server.ClientAsync();
            using var sonarr = Arr(client);
            var item = await SeedsAsync(sonarr, torrent);
            stored = Totals(item);
            Assert.Equal((torrent.Content.Length, sent), (stored.Uploaded, stored.Downloaded));
            Assert.Equal((double)stored.Uploaded / stored.Downloaded, item.GetProperty("ratio").GetDouble(), 3);
            await AssertServedAsync(client, gone);
            await Leecher.AssertSeedsAsync(torrent, port);
            await UploadedAsync(sonarr, torrent, 2 * torrent.Content.Length);
            await server.KillAsync();
        }

        // A kill loses at most the traffic counted in the last half minute, and no stored total.
        await using (var server = ServerHere.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0"))
        {
            using var client = await server.ClientAsync();
            using var sonarr = Arr(client);
            var after = Totals(await SeedsAsync(sonarr, torrent));
            Assert.Equal(stored.Downloaded, after.Downloaded);
            Assert.InRange(after.Uploaded, stored.Uploaded, 2 * torrent.Content.Length);
            Assert.True(after.SeedingTime >= seeded, $"{after.SeedingTime} s after {seeded} s");
            await AssertServedAsync(client, gone);
            await Leecher.AssertSeedsAsync(torrent, port);
        }

        Leecher.AssertIsAt(torrent, Path.Combine(kept, "Show"));
    }

    [Theory]
    [InlineData(EncryptionPolicy.Prefer)]
    [InlineData(EncryptionPolicy.Require)]
    public async Task Two_servers_seed_a_kept_torrent_to_each_other(EncryptionPolicy encryption)
    {
        await using var news = new NewsServers();
        var torrents = new[] { Show("X"), Show("Y") };
        var folders = new[] { new Folder(), new Folder() };
        try
        {
            for (var side = 0; side < 2; side++)
            {
                await using var swarm = new TorrentSwarm(torrents[side], seeders: 1);
                await using var server = await StartAsync(news, folders[side], KeptIn(side));
                using var arr = Arr(server.Client, server.Root);
                await arr.AddFileAsync("first.torrent", swarm.File);
                await SeedsAsync(arr, torrents[side]);
            }

            // No seeder or tracker is left.
            await using var a = await StartAsync(news, folders[0], KeptIn(0), encryption);
            await using var b = await StartAsync(news, folders[1], KeptIn(1), encryption);
            var servers = new[] { a, b };
            for (var side = 0; side < 2; side++)
            {
                using var arr = Arr(servers[side].Client, servers[side].Root);
                var other = torrents[1 - side];
                await arr.AddLinkAsync(other.Magnet([$"127.0.0.1:{Port(servers[1 - side])}"], []));
                var item = await SeedsAsync(arr, other);
                Assert.Equal(other.Content.Length, Totals(item).Downloaded);
                Leecher.AssertIsAt(other, Path.Combine(KeptIn(side), other.Name));
            }

            for (var side = 0; side < 2; side++)
            {
                using var arr = Arr(servers[side].Client, servers[side].Root);
                await UploadedAsync(arr, torrents[side], torrents[side].Content.Length);
            }
        }
        finally
        {
            foreach (var folder in folders)
                folder.Dispose();
        }

        string KeptIn(int side) => Path.Combine(folders[side].Path, "kept");
    }

    [Theory]
    [InlineData(LimitAction.Stop)]
    [InlineData(LimitAction.Remove)]
    [InlineData(LimitAction.RemoveData)]
    public async Task At_its_share_limit_a_torrent_stops_or_is_removed_and_other_files_stay(LimitAction action)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Show("Show"));
        await using var other = new TorrentSwarm(Show("Other"));
        var kept = Path.Combine(folder.Path, "kept");
        await using var gateway = await StartAsync(news, folder, kept);
        Change(gateway, seeding => seeding with { Limits = seeding.Limits with { AtLimit = action } });
        using var sonarr = Arr(gateway.Client, gateway.Root);
        await sonarr.AddFileAsync("Other.torrent", other.File);

        // Far less than one: blocks received twice, as on a busy machine, count as downloaded, and the leecher downloads each once.
        await sonarr.AddFileAsync("Show.torrent", swarm.File, ("ratioLimit", "0.25"));
        await SeedsAsync(sonarr, swarm.Torrent);
        await SeedsAsync(sonarr, other.Torrent);

        // A foreign file in the torrent's folder.
        await File.WriteAllTextAsync(Path.Combine(kept, "Show", "notes.txt"), "mine");
        await Leecher.AssertSeedsAsync(swarm.Torrent, Port(gateway));
        var hash = swarm.Torrent.HashText;
        await Deadline.UntilAsync(
            async () => (await FindAsync(sonarr, hash)) is not { } item
                ? action != LimitAction.Stop : item.GetProperty("state").GetString() == "stoppedUP", "it was seeded enough");
        var shown = "/dav/content/tv/Show/Show.mkv";
        if (action == LimitAction.RemoveData)
        {
            await Deadline.UntilAsync(
                () => Directory.GetFiles(Path.Combine(kept, "Show"), "*", SearchOption.AllDirectories).Length == 1, "its files are gone");
            Assert.Equal("mine", await File.ReadAllTextAsync(Path.Combine(kept, "Show", "notes.txt")));
            Assert.Equal(HttpStatusCode.NotFound, (await gateway.Client.AskAsync("GET", shown)).Status);
        }
        else
        {
            Leecher.AssertIsAt(swarm.Torrent, Path.Combine(kept, "Show"), "notes.txt");
            foreach (var seeder in swarm.Swarm.Seeders)
                await seeder.DisposeAsync();
            await swarm.AssertFileAsync(gateway.Client, shown, "Show.mkv");
        }

        Leecher.AssertIsAt(other.Torrent, Path.Combine(kept, "Other"));
        Assert.Equal(1, (await FindAsync(sonarr, other.Torrent.HashText))!.Value.GetProperty("progress").GetDouble());
        await Leecher.AssertSeedsAsync(other.Torrent, Port(gateway));
    }

    [Fact]
    public async Task A_full_disk_stops_a_kept_torrent_with_the_reason_and_a_start_resumes_it()
    {
        using var disk = SmallDisk.TryMount(2 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Show("Show"));
        await using var gateway = await StartAsync(news, folder, disk.Path);
        using var sonarr = Arr(gateway.Client, gateway.Root);
        var hash = swarm.Torrent.HashText;

        // It begins, and other programs take the room.
        Change(gateway, static options => options with { KeepFree = -(1L << 30) });
        await sonarr.AddFileAsync("Show.torrent", swarm.File);
        await StateAsync(sonarr, hash, "error");
        var shelf = gateway.Services.GetRequiredService<TorrentShelf>();
        Assert.Contains("No space left on device", (await shelf.FindAsync(hash, Deadline.Token))!.Reason, StringComparison.Ordinal);
        for (var read = 0; read < 2; read++)
            await AssertServedAsync(gateway.Client, swarm);

        disk.Resize(16 << 20);
        await sonarr.PostAsync("torrents/start", ("hashes", hash));
        await SeedsAsync(sonarr, swarm.Torrent);
        Leecher.AssertIsAt(swarm.Torrent, Path.Combine(disk.Path, "Show"));
        foreach (var seeder in swarm.Swarm.Seeders)
            await seeder.DisposeAsync();
        await AssertServedAsync(gateway.Client, swarm);
    }

    /// <summary>A file at the top and one in a folder, sharing a piece.</summary>
    private static MockTorrent Show(string name) =>
        new(name, SwarmContent.Make((ulong)name[0], 64 << 10, [new SwarmFile("Show.mkv", FilmSize), new SwarmFile("Subs/en.srt", 70_000)]));

    private static Dictionary<string, string> Environment(NewsServers news, string kept, int port) =>
        new(ServerProcess.Environment(news), StringComparer.Ordinal)
        {
            ["NzbDav__Api__Key"] = Key,
            ["NzbDav__Api__ClientKey"] = Key,
            ["NzbDav__Torrents__LocalDiscovery"] = "false",
            ["NzbDav__Torrents__KeepCategories"] = "tv",
            ["NzbDav__Torrents__KeepFolder"] = kept,
            ["NzbDav__Torrents__Port"] = port.ToString(System.Globalization.CultureInfo.InvariantCulture),
        };

    private static Task<Gateway> StartAsync(
        NewsServers news, Folder folder, string kept, EncryptionPolicy encryption = EncryptionPolicy.Prefer, TimeProvider? time = null) =>
            Gateway.StartAsync(
        news,
        folder,
        settings => settings with
        {
            Api = new ApiSettings { Key = Key, ClientKey = Key, PrivateHosts = ["127.0.0.1"] },
            Torrents = settings.Torrents
                with
            { KeepFolder = kept, Encryption = encryption, Seeding = settings.Torrents.Seeding with { KeepCategories = ["tv"] } },
        },
        time: time ?? Clock);

    private static void Change(Gateway gateway, Func<SeedingOptions, SeedingOptions> change)
    {
        var seeding = gateway.Services.GetRequiredService<Live<SeedingOptions>>();
        seeding.Value = change(seeding.Value);
    }

    private static int Port(Gateway gateway) => gateway.Services.GetRequiredService<TorrentSessions>().Engine.Port;

    private static QbitArr Arr(DavClient client, string? root = null) =>
        new(root ?? client.Http.BaseAddress!.GetLeftPart(UriPartial.Authority), "sonarr", Key, "tv");

    private static async Task AssertServedAsync(DavClient client, TorrentSwarm swarm)
    {
        await swarm.AssertFileAsync(client, $"/dav/content/tv/{swarm.Torrent.Name}/Show.mkv", "Show.mkv");
        await swarm.AssertFileAsync(client, $"/dav/content/tv/{swarm.Torrent.Name}/Subs/en.srt", "Subs/en.srt");
    }

    private static async Task<JsonElement?> FindAsync(QbitArr arr, string hash) =>
        (await arr.JsonAsync("torrents/info?hashes=" + hash)).EnumerateArray().Cast<JsonElement?>().FirstOrDefault();

    private static Task<JsonElement> StateAsync(QbitArr arr, string hash, params string[] states) =>
        UntilAsync(arr, hash, found => states.Contains(found.GetProperty("state").GetString(), StringComparer.Ordinal),
            $"it is {string.Join(" or ", states)}");

    /// <summary>
    /// Waits until the torrent is complete on disk and seeds. The state "uploading" comes earlier, as soon as it can be played.
    /// </summary>
    private static async Task<JsonElement> SeedsAsync(QbitArr arr, MockTorrent torrent)
    {
        var item = await UntilAsync(
            arr,
            torrent.HashText,
            found => found.GetProperty("state").GetString() is "uploading" or "stalledUP"
                && found.GetProperty("completed").GetInt64() == torrent.Content.Length,
            "all of it is kept");
        Assert.Equal((1.0, 0L), (item.GetProperty("progress").GetDouble(), item.GetProperty("amount_left").GetInt64()));
        return item;
    }

    private static async Task<JsonElement> UntilAsync(QbitArr arr, string hash, Func<JsonElement, bool> condition, string what)
    {
        JsonElement? item = null;
        await Deadline.UntilAsync(async () => (item = await FindAsync(arr, hash)) is { } found && condition(found), what);
        return item!.Value;
    }

    /// <summary>A block that was sent before its cancel came may be asked for again, and counts again.</summary>
    private static async Task UploadedAsync(QbitArr arr, MockTorrent torrent, long bytes)
    {
        var uploaded = 0L;
        await Deadline.UntilAsync(
            async () => (uploaded = Totals((await FindAsync(arr, torrent.HashText))!.Value).Uploaded) >= bytes,
            $"{bytes} bytes are counted as uploaded");
        Assert.InRange(uploaded, bytes, 2 * bytes);
    }

    private static (long Uploaded, long Downloaded, long SeedingTime) Totals(JsonElement item) =>
        (item.GetProperty("uploaded").GetInt64(), item.GetProperty("downloaded").GetInt64(), item.GetProperty("seeding_time").GetInt64());
}
