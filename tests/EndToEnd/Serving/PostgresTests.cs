using System.Net;
using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>A gateway whose catalog is in PostgreSQL. One server for all tests, which stop it: they run one after the other.</summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed partial class PostgresTests(ITestOutputHelper output)
{
    [PostgresFact]
    public async Task A_restart_keeps_the_tree_its_tags_and_its_bytes()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        var files = Enumerable.Range(1, 5).Select(number => news.Post($"part {number}.mkv", number * 700_000)).ToArray();
        List<Entry> before;
        await using (var gateway = await Gateway.StartAsync(news, folder, database: database))
        {
            await gateway.ImportAsync("season", files[..4]);
            await gateway.ImportAsync("single", files[4]);
            before = (await gateway.Client.FindAsync("/dav/content/movies/season/"))!;
        }

        Assert.False(File.Exists(Path.Combine(folder.Path, "nzbdav.sqlite")));
        await using (var gateway = await Gateway.StartAsync(news, folder, database: database))
        {
            Assert.Equal(before, await gateway.Client.FindAsync("/dav/content/movies/season/"));
            foreach (var file in files[..4])
                await gateway.Client.AssertFileAsync(DavClient.Path("content", "movies", "season", file.Name), file);
            await gateway.Client.AssertFileAsync(DavClient.Path("content", "movies", "single", files[4].Name), files[4]);
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task A_gateway_with_an_empty_folder_serves_what_another_imported()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();

        // Enough articles for a map that is a blob.
        var file = news.Post("film.mkv", 20_000_000, new PostOptions { ArticleSize = 8000 });
        byte[] nzb;
        await using (var first = await Gateway.StartAsync(news, database: database))
        {
            await first.ImportAsync("film", file);
            nzb = await SourceAsync(first);
            Assert.False(Directory.Exists(Path.Combine(first.ConfigFolder, "blobs")));
            Assert.Equal(2, Directory.GetFiles(Path.Combine(first.ConfigFolder, "cache", "blobs")).Length);
        }

        await using (var second = await Gateway.StartAsync(news, database: database))
        {
            await second.Client.AssertFileAsync("/dav/content/movies/film/film.mkv", file);
            Assert.Equal(nzb, await SourceAsync(second));
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task A_backup_restores_the_library_as_a_file()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var database = PostgresServer.Shared.NewDatabase();
        var file = news.Post("film.mkv", 3_000_000);
        await using (var gateway = await Gateway.StartAsync(news, database: database))
        {
            await gateway.ImportAsync("film", file);
            using var client = OperatorClient.Of(gateway);
            var (status, body) = await client.AskAsync("POST", "/api/v1/backups");
            Assert.Equal(HttpStatusCode.Created, status);
            Assert.Equal((1, 0), (body.GetProperty("blobs").GetInt32(), body.GetProperty("missingBlobs").GetInt32()));
            var name = body.GetProperty("name").GetString()!;
            (status, _) = await client.AskAsync("POST", $"/api/v1/backups/{name}/restore");
            Assert.Equal(HttpStatusCode.Conflict, status);
            CatalogRestore.Restore(Path.Combine(gateway.ConfigFolder, "backups", name), new CatalogOptions { ConfigFolder = folder.Path },
                TimeProvider.System, Deadline.Token);
        }

        await using (var gateway = await Gateway.StartAsync(news, folder))
            await gateway.Client.AssertFileAsync("/dav/content/movies/film/film.mkv", file);
        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task While_the_database_is_away_open_files_are_read_on_and_new_requests_are_told_why()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        await using (var gateway = await Gateway.StartAsync(news, database: database))
        {
            var file = news.Post("film.mkv", 40_000_000);
            var film = await gateway.ImportAsync("film", file) + "/film.mkv";
            using var response = await gateway.Client.SendAsync("GET", film);
            await using var body = await response.Content.ReadAsStreamAsync();
            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            var half = new byte[20_000_000];
            await body.ReadExactlyAsync(half);
            hash.AppendData(half);

            PostgresServer.Shared.Stop("fast");
            try
            {
                await body.ReadExactlyAsync(half);
                hash.AppendData(half);
                Assert.Equal(0, await body.ReadAsync(half));
                Assert.Equal(Convert.ToHexString(Sha256Of(file)), Convert.ToHexString(hash.GetHashAndReset()));

                var (status, text) = await gateway.Client.AskAsync(
                    "PUT", "/dav/nzbs/movies/late.nzb", NzbWriter.ToBytes([news.Post("late.mkv", 100_000)]));
                Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
                Assert.Contains("database server", text, StringComparison.Ordinal);
                (status, text) = await gateway.Client.AskAsync("GET", "/dav/content/movies/elsewhere/unknown.mkv");
                Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
                Assert.Contains("database server", text, StringComparison.Ordinal);
            }
            finally
            {
                PostgresServer.Shared.Start();
            }

            await gateway.Client.AssertFileAsync(film, file);
            await gateway.ImportAsync("later", news.Post("later.mkv", 300_000));
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task While_the_database_is_away_the_mount_reads_open_files_on_and_the_rest_is_an_error()
    {
        Assert.SkipUnless(MountHelperTests.CanMount, MountHelperTests.WhyNot);
        await using var news = new NewsServers();
        using var place = new Folder();
        var database = PostgresServer.Shared.NewDatabase();
        await using (var gateway = await Gateway.StartAsync(
            news, database: database, change: settings => settings with { Mount = new() { Path = place.Path, AllowsOthers = false } }))
        {
            var file = news.Post("film.mkv", 40_000_000);
            var film = place.Path + (await gateway.ImportAsync("film", file))["/dav".Length..] + "/film.mkv";
            await gateway.ImportAsync("other", news.Post("other.mkv", 300_000));
            var bytes = new byte[file.Length];
            using var open = File.OpenHandle(film);
            Read(0, 20_000_000);
            PostgresServer.Shared.Stop("fast");
            try
            {
                Read(20_000_000, bytes.Length);
                Assert.Equal(Sha256Of(file), SHA256.HashData(bytes));
                Assert.Throws<IOException>(() => Directory.GetFileSystemEntries(Path.Combine(place.Path, "content", "movies", "other")));
                Assert.Throws<IOException>(() => File.Delete(film));
            }
            finally
            {
                PostgresServer.Shared.Start();
            }

            await Deadline.UntilAsync(() => File.Exists(Path.Combine(place.Path, "content", "movies", "other", "other.mkv")), "it is back");
            Assert.Equal(Sha256Of(file), SHA256.HashData(await File.ReadAllBytesAsync(film)));

            void Read(int from, int to)
            {
                for (var at = from; at < to;)
                {
                    var count = RandomAccess.Read(open, bytes.AsSpan(at, Math.Min(1 << 20, to - at)), at);
                    Assert.InRange(count, 1, 1 << 20);
                    at += count;
                }
            }
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task A_restart_of_the_database_while_nobody_asks_is_not_noticed()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        await using (var gateway = await Gateway.StartAsync(news, database: database))
        {
            await gateway.ImportAsync("first", news.Post("first.mkv", 300_000));
            PostgresServer.Shared.Stop("fast");
            PostgresServer.Shared.Start();

            // Each by the first attempt: reads, and a write.
            Assert.Equal(["first"], await gateway.Client.ListAsync("/dav/content/movies/"));
            await gateway.ImportAsync("second", news.Post("second.mkv", 300_000));
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task A_job_whose_database_crashes_is_imported_once_it_is_back()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        await using (var gateway = await Gateway.StartAsync(news, database: database))
        {
            var file = news.Post("film.mkv", 3_000_000);
            var running = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            gateway.Jobs.Changed += change =>
            {
                if (change.State == JobState.Running)
                    running.TrySetResult();
            };
            await gateway.Client.PutAsync("/dav/nzbs/movies/film.nzb", NzbWriter.ToBytes([file]));
            await running.Task.WaitAsync(Deadline.Token);
            PostgresServer.Shared.Stop("immediate");
            PostgresServer.Shared.Start();
            await Deadline.UntilAsync(
                async () => await gateway.Client.FindAsync("/dav/content/movies/film/film.mkv", depth: 0) is not null, "the film is there");
            await gateway.Client.AssertFileAsync("/dav/content/movies/film/film.mkv", file);
        }

        PostgresServer.Shared.Drop(database);
    }

    private static async Task<byte[]> SourceAsync(Gateway gateway)
    {
        var job = (await gateway.FindJobAsync("film"))!;
        return (await gateway.Services.GetRequiredService<BlobStore>().ReadAsync(job.Nzb!.Value, Deadline.Token)).ToArray();
    }

    private static byte[] Sha256Of(PostedFile file)
    {
        var bytes = new byte[file.Length];
        file.Source.Fill(0, bytes);
        return SHA256.HashData(bytes);
    }
}
