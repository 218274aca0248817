using System.Net;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Torrents;

/// <content>A backup is restored that is older than a kept torrent.</content>
public sealed partial class KeptTorrentTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_data_of_a_kept_torrent_stays_until_the_state_before_a_restore_is_deleted(bool goesBack)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        await using var swarm = new TorrentSwarm(Show("Show"));
        await using var later = new TorrentSwarm(Show("Later"));
        var kept = Path.Combine(folder.Path, "kept");
        await using (var gateway = await StartAsync(news, folder, kept, time: TimeProvider.System))
        {
            using var client = new OperatorClient(gateway.Root, Key);
            var name = (await client.AskAsync("POST", "/api/v1/backups")).Body.GetProperty("name").GetString();
            using var sonarr = Arr(gateway.Client, gateway.Root);
            await sonarr.AddFileAsync("Show.torrent", swarm.File);
            await SeedsAsync(sonarr, swarm.Torrent);
            Assert.Equal(HttpStatusCode.Accepted, (await client.AskAsync("POST", $"/api/v1/backups/{name}/restore")).Status);
        }

        string former;
        await using (var gateway = await StartAsync(news, folder, kept, time: TimeProvider.System))
        {
            former = Assert.Single(Directory.GetDirectories(folder.Path, "before-restore-*"));
            await Deadline.UntilAsync(() => File.Exists(Path.Combine(former, "kept-torrents")), "the first look after the restore is over");
            using var sonarr = Arr(gateway.Client, gateway.Root);
            Assert.Null(await FindAsync(sonarr, swarm.Torrent.HashText));

            // A torrent that is added after the restore is removed as usual.
            await sonarr.AddFileAsync("Later.torrent", later.File);
            await SeedsAsync(sonarr, later.Torrent);
            await sonarr.PostAsync("torrents/delete", ("hashes", later.Torrent.HashText), ("deleteFiles", "true"));
            await Deadline.UntilAsync(() => !Directory.Exists(Path.Combine(kept, "Later")), "the files of the later torrent are gone");
            Leecher.AssertIsAt(swarm.Torrent, Path.Combine(kept, "Show"));
            using var client = new OperatorClient(gateway.Root, Key);
            var (_, lines) = await client.AskAsync("GET", "/api/v1/log/lines?level=warning&search=kept+torrents");
            Assert.Contains(former, Assert.Single(lines.GetProperty("lines").EnumerateArray()).GetProperty("message").GetString(),
                StringComparison.Ordinal);
        }

        if (!goesBack)
        {
            Directory.Delete(former, recursive: true);
            await using (await StartAsync(news, folder, kept, time: TimeProvider.System))
                await Deadline.UntilAsync(() => !Directory.Exists(Path.Combine(kept, "Show")), "the files of the torrent are gone");
            return;
        }

        GoBack(former, folder.Path);
        foreach (var seeder in swarm.Swarm.Seeders)
            await seeder.DisposeAsync();
        await using var again = await StartAsync(news, folder, kept, time: TimeProvider.System);
        await AssertServedAsync(again.Client, swarm);
    }

    [Fact]
    public async Task The_first_look_after_a_restore_notes_that_nothing_was_there()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var former = Directory.CreateDirectory(Path.Combine(folder.Path, "before-restore-20300101T000000Z")).FullName;
        await File.WriteAllTextAsync(Path.Combine(former, "nzbdav.sqlite"), "");
        await using var gateway = await StartAsync(news, folder, Path.Combine(folder.Path, "kept"));
        var list = Path.Combine(former, "kept-torrents");
        await Deadline.UntilAsync(() => File.Exists(list), "the look is over");
        Assert.Empty(await File.ReadAllTextAsync(list));
    }

    /// <summary>What a person does to undo a restore.</summary>
    private static void GoBack(string former, string folder)
    {
        foreach (var database in Directory.GetFiles(folder, "nzbdav.sqlite*"))
            File.Delete(database);
        foreach (var from in Directory.GetFileSystemEntries(former))
        {
            var to = Path.Combine(folder, Path.GetFileName(from));
            if (Directory.Exists(to))
                Directory.Delete(to, recursive: true);
            Directory.Move(from, to);
        }
    }
}
