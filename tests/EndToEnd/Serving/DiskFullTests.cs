using System.Net;
using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Settings;
using NzbDav.Host.Warming;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>A full disk is reported as such, leaves nothing half written, and needs no restart once there is space again.</summary>
public sealed class DiskFullTests
{
    [Theory]
    [InlineData(200, 8 << 10)]
    [InlineData(20_000, 1 << 20)]
    public async Task A_drop_gets_507_while_files_cannot_grow_and_works_afterwards(int articles, int limit)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        var file = news.Post("grown.mkv", articles * 100L, new PostOptions { ArticleSize = 100 });
        var nzb = NzbWriter.ToBytes([file]);
        Assert.InRange(nzb.Length, limit + 1, int.MaxValue);

        // The upload is written first and does not fit.
        server.LimitFiles((ulong)limit);
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var (status, text) = await client.AskAsync("PUT", "/dav/nzbs/movies/grown.nzb", nzb);
            Assert.True(status == HttpStatusCode.InsufficientStorage, $"{status}: {text}");
            Assert.Empty(await client.ListAsync("/dav/nzbs/movies/"));
            Assert.Empty(folder.Leftovers);
        }

        server.LimitFiles(null);
        await client.PutAsync("/dav/nzbs/movies/grown.nzb", nzb);
        await client.UntilAsync("/dav/content/movies/grown/grown.mkv");
        await client.AssertRangeAsync("/dav/content/movies/grown/grown.mkv", file, 0, 5_000);
    }

#if !POSTGRES
    /// <summary>
    /// What was imported plays, what would have to be written is refused with the reason, and nothing needs a restart once there is room.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task A_start_on_a_full_disk_works(int starts)
    {
        using var disk = SmallDisk.TryMount(128 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var news = new NewsServers();
        using var folder = new Folder(disk.Path);
        var file = news.Post("film.mkv", 3_000_000);
        string path;
        await using (var gateway = await Gateway.StartAsync(news, folder, Pinning))
            path = await gateway.ImportAsync("film", file) + "/film.mkv";
        var filler = disk.Fill();
        Assert.Equal(0, disk.Free);
        for (var start = 1; start <= starts; start++)
        {
            await using var gateway = await Gateway.StartAsync(news, folder, Pinning);

            // It writes a file of its own and gives the room back.
            await gateway.Services.GetRequiredService<WarmUp>().Ended.WaitAsync(Deadline.Token);
            await gateway.Client.AssertRangeAsync(path, file, 1_000_000, 2_000_000);
            Assert.Equal(["film.mkv.rclonelink"], await gateway.Client.ListAsync("/dav/completed-symlinks/movies/film/"));
            disk.Fill();
            Assert.Equal(0, disk.Free);
            await gateway.Client.AssertFileAsync(path, file);
            var more = NzbWriter.ToBytes([news.Post("more.mkv", 3_000_000)]);
            var (status, text) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/more.nzb", more);
            Assert.True(status == HttpStatusCode.InsufficientStorage, $"{status}: {text}");
            if (start < starts)
                continue;
            File.Delete(filler);
            Assert.Equal("/dav/content/movies/later", await gateway.ImportAsync("later", news.Post("later.mkv", 1_000_000)));
        }

        // As all users have it; the other tests count articles.
        static NzbDavSettings Pinning(NzbDavSettings settings) => settings with { StartsMiB = 64 };
    }

    [Fact]
    public async Task On_a_full_disk_the_mount_plays()
    {
        Assert.SkipUnless(MountHelperTests.CanMount, MountHelperTests.WhyNot);
        using var disk = SmallDisk.TryMount(128 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var news = new NewsServers();
        using var folder = new Folder(disk.Path);
        using var place = new Folder();
        var file = news.Post("film.mkv", 30_000_000);
        await using var gateway = await Gateway.StartAsync(
            news, folder, settings => settings with { StartsMiB = 64, Mount = new() { Path = place.Path, AllowsOthers = false } });
        var film = place.Path + (await gateway.ImportAsync("film", file))["/dav".Length..] + "/film.mkv";
        await gateway.Services.GetRequiredService<WarmUp>().Ended.WaitAsync(Deadline.Token);
        var filler = disk.Fill();
        Assert.Equal(0, disk.Free);
        var source = new byte[file.Length];
        file.Source.Fill(0, source);
        Assert.Equal(SHA256.HashData(source), SHA256.HashData(await File.ReadAllBytesAsync(film)));
        Assert.Equal(["film.mkv"], Directory.GetFileSystemEntries(
            Path.Combine(place.Path, "completed-symlinks", "movies", "film")).Select(Path.GetFileName));

        // Links that were read are written down once there is room, and what may go can be deleted.
        File.Delete(filler);
        await gateway.ImportAsync("later", news.Post("later.mkv", 1_000_000));
        File.Delete(Path.Combine(place.Path, "content", "movies", "later", "later.mkv"));
        Assert.Empty(Directory.GetFileSystemEntries(Path.Combine(place.Path, "content", "movies", "later")));
    }

    [Fact]
    public async Task A_drop_is_refused_while_the_database_cannot_grow_and_works_afterwards()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var server = ServerProcess.Serve(news, folder);
        using var client = await server.ClientAsync();
        var file = news.Post("small.mkv", 1_000);
        var nzb = NzbWriter.ToBytes([file]);
        Assert.InRange(nzb.Length, 1, 4 << 10);

        // The upload and its blob fit; the database's log is already larger.
        server.LimitFiles(8 << 10);
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var (status, text) = await client.AskAsync("PUT", "/dav/nzbs/movies/small.nzb", nzb);
            Assert.True(status is HttpStatusCode.InsufficientStorage or HttpStatusCode.ServiceUnavailable, $"{status}: {text}");
            Assert.Empty(await client.ListAsync("/dav/nzbs/movies/"));
            Assert.Empty(folder.Leftovers);
        }

        server.LimitFiles(null);
        await client.PutAsync("/dav/nzbs/movies/small.nzb", nzb);
        await client.UntilAsync("/dav/content/movies/small/small.mkv");
        await client.AssertFileAsync("/dav/content/movies/small/small.mkv", file);
    }
#endif

    [Fact]
    public async Task A_drop_gets_507_while_its_blob_cannot_be_written()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var blobs = gateway.Services.GetRequiredService<BlobStore>();
        var file = news.Post("blob.mkv", 1_000_000);
        blobs.WrapFile = _ => throw new IOException("No space left on device", 28);
        var (status, _) = await gateway.Client.AskAsync("PUT", "/dav/nzbs/movies/blob.nzb", NzbWriter.ToBytes([file]));
        Assert.Equal(HttpStatusCode.InsufficientStorage, status);
        Assert.Equal(0, (await gateway.Jobs.List.CountAsync(new JobFilter(), Deadline.Token)).Total);
        Assert.Empty(Directory.EnumerateFiles(gateway.ConfigFolder, "*.tmp", SearchOption.AllDirectories));
        blobs.WrapFile = null;
        await gateway.Client.AssertFileAsync(await gateway.ImportAsync("blob", file) + "/blob.mkv", file);
    }

    [Fact]
    public async Task An_import_waits_until_a_full_disk_has_room_and_the_server_stays_up()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var database = gateway.Services.GetRequiredService<CatalogDatabase>();
        var file = news.Post("waits.mkv", 3_000_000);
        var asked = news.Stall(file, 0);
        await gateway.Client.PutAsync("/dav/nzbs/movies/waits.nzb", NzbWriter.ToBytes([file]));
        await asked;

        // The worker can neither publish the job nor put it back.
        var tries = 0;
        var triedOften = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        database.BeforeStatement = _ =>
        {
            if (Interlocked.Increment(ref tries) == 3)
                triedOften.TrySetResult();
            throw new CatalogException(CatalogFault.DiskFull, "The disk is full.");
        };
        news.Mend();
        news.First.DropConnections();
        await triedOften.Task.WaitAsync(Deadline.Long);
        Assert.Equal(HttpStatusCode.InsufficientStorage, (await gateway.Client.AskAsync(
            "PUT", "/dav/nzbs/movies/more.nzb", NzbWriter.ToBytes([news.Post("more.mkv", 1_000_000)]))).Status);
        Assert.Equal(HttpStatusCode.OK, (await gateway.Client.AskAsync("GET", "/health")).Status);

        database.BeforeStatement = null;
        Assert.Equal(JobState.Completed, (await gateway.WaitAsync("waits"))!.State);
        await gateway.Client.AssertFileAsync("/dav/content/movies/waits/waits.mkv", file);
    }
}
