using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using Microsoft.Data.Sqlite;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// Eight streams beside a backup of a large library. Prints its figures; asserts only what does not depend on the machine's speed.
/// <c>NZBDAV_MEASURE_UNDISTURBED</c> sets the number of titles in the library; the default only shows that the measurement works.
/// </summary>
public sealed class BackupMeasurementTests(ITestOutputHelper output)
{
    private const int Few = 20;
    private const int Streams = 8;
    private const int Rounds = 5;
    private const string Key = "0123456789abcdef";

    /// <summary>Bytes of the layout of a small film as stored.</summary>
    private const int BlobBytes = 12_000;

    /// <summary>Line speed in bytes a second: 320 Mbit/s, of which each stream gets an eighth.</summary>
    private const long Line = 40_000_000;

    private static readonly int Titles = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_UNDISTURBED"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;
    private static readonly bool IsWhole = Titles > Few;
    private static readonly TimeSpan Least = TimeSpan.FromSeconds(IsWhole ? 10 : 0.2);

    private long _read;

    [Theory(Explicit = true)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Eight_streams_beside_a_backup(bool complete)
    {
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(20), TotalRate = Line });
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        string[] arguments = ["--config", folder.Path, "--urls", "http://127.0.0.1:0"];
        var films = Enumerable.Range(0, Streams).Select(i => news.Store.AddFile(
            $"film{i}.mkv", new SeededSource((ulong)(70 + i), $"film{i}.mkv", IsWhole ? 8_000_000_000 : 20_000_000))).ToArray();
        await using (var server = ServerProcess.Start(environment, arguments))
        {
            using var client = await server.ClientAsync();
            foreach (var film in films)
            {
                await client.PutAsync($"/dav/nzbs/movies/{Path.GetFileNameWithoutExtension(film.Name)}.nzb", NzbWriter.ToBytes([film]));
                await client.UntilAsync($"/dav/content/movies/{Path.GetFileNameWithoutExtension(film.Name)}/{film.Name}");
            }

            server.Terminate();
            await server.ExitAsync();
        }

        Fill(folder.Path);
        await using var running = ServerProcess.Start(environment, arguments);
        using var player = await running.ClientAsync();
        player.Http.Timeout = Timeout.InfiniteTimeSpan;
        using var over = new CancellationTokenSource();
        var streams = films.Select(film => PlayAsync(player, film, over.Token)).ToArray();
        await Deadline.UntilAsync(() => Volatile.Read(ref _read) > 0, "the streams begin");
        var (alone, beside) = (new List<double>(), new List<double>());
        for (var round = 0; round < Rounds; round++)
        {
            alone.Add(await RateAsync(() => Task.CompletedTask));
            beside.Add(await RateAsync(() => BackUpAsync(player, folder, complete)));
        }

        await over.CancelAsync();
        await Task.WhenAll(streams);
        var way = complete ? "nzbdav backup --complete" : "a backup in the server";
        output.WriteLine(
            string.Create(
            CultureInfo.InvariantCulture,
            $"{way}, {Titles} titles; MB/s of {Streams} streams, alone {Shown(alone)}, beside it {Shown(beside)}; medians " +
            $"{Median(beside) / Median(alone):P1}"));
    }

    private static string Shown(List<double> values) =>
        string.Join(' ', values.Select(static value => value.ToString("F1", CultureInfo.InvariantCulture)));

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    /// <summary>MB/s of all streams while <paramref name="work"/> runs repeatedly, for a minimum time.</summary>
    private async Task<double> RateAsync(Func<Task> work)
    {
        var (before, watch) = (Volatile.Read(ref _read), Stopwatch.StartNew());
        do
        {
            await work();
            if (watch.Elapsed < Least)
                await Task.Delay(TimeSpan.FromMilliseconds(50), Deadline.Token);
        }
        while (watch.Elapsed < Least);
        return (Volatile.Read(ref _read) - before) / watch.Elapsed.TotalSeconds / 1e6;
    }

    private static async Task BackUpAsync(DavClient client, Folder folder, bool complete)
    {
        if (complete)
        {
            using var target = new Folder();
            await using var command = ServerProcess.Start(new Dictionary<string, string>(StringComparer.Ordinal)
            {
                [
                "NzbDav__Backup__Keep"] = "1"
            }, "backup", "--config", folder.Path, "--complete", Path.Combine(target.Path, "all.tar.zst"));
            Assert.True(await command.ExitAsync(TimeSpan.FromMinutes(10)) == 0, string.Join('\n', command.Errors));
            Assert.InRange(new FileInfo(Path.Combine(target.Path, "all.tar.zst")).Length, (long)Titles * BlobBytes, long.MaxValue);
            return;
        }

        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/v1/backups") { Headers = { { "X-Api-Key", Key } } };
        using var response = await client.Http.SendAsync(request);
        Assert.Equal(HttpStatusCode.Created, response.StatusCode);
    }

    /// <summary>Reads as fast as possible, compares each byte with the source, and starts again at the end.</summary>
    private async Task PlayAsync(DavClient client, PostedFile film, CancellationToken over)
    {
        var (buffer, expected) = (new byte[256 << 10], new byte[256 << 10]);
        try
        {
            while (true)
            {
                using var response = await client.Http.GetAsync(
                    new Uri($"/dav/content/movies/{Path.GetFileNameWithoutExtension(film.Name)}/{film.Name}", UriKind.Relative),
                    HttpCompletionOption.ResponseHeadersRead, over);
                await using var body = await response.EnsureSuccessStatusCode().Content.ReadAsStreamAsync(over);
                long at = 0;
                while (await body.ReadAsync(buffer, over) is > 0 and var count)
                {
                    film.Source.Fill(at, expected.AsSpan(0, count));
                    Assert.True(expected.AsSpan(0, count).SequenceEqual(buffer.AsSpan(0, count)));
                    at += count;
                    Interlocked.Add(ref _read, count);
                }
            }
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // Stopped by the test.
        }
    }

    /// <summary>
    /// Adds titles like the imported one, each with a blob of its own. Its bytes are incompressible, like those of real blobs.
    /// </summary>
    private static void Fill(string config)
    {
        using var database = new SqliteConnection($"Data Source={Path.Combine(config, "nzbdav.sqlite")};Pooling=False");
        database.Open();
        using var transaction = database.BeginTransaction();
        using var names = database.CreateCommand();
        names.CommandText = "SELECT name FROM pragma_table_info('items')";
        var columns = new List<string>();
        using (var rows = names.ExecuteReader())
        {
            while (rows.Read())
                columns.Add(rows.GetString(0));
        }

        string Values(params (string Column, string Value)[] changes) =>
            string.Join(", ", columns.Select(column => Array.Find(changes, change => change.Column == column).Value ?? $"model.{column}"));
        using var insert = database.CreateCommand();
        insert.CommandText = $"""
            INSERT INTO items ({string.Join(", ", columns)}) SELECT {Values(("id", "1000000000 + @i"), ("name", "'Title ' || @i"), ("folded", "'title ' || @i"))} FROM items AS model WHERE name = 'film0';
            INSERT INTO items ({string.Join(", ", columns)}) SELECT {Values(("id", "2000000000 + @i"), ("parent_id", "1000000000 + @i"), ("extent_map", "@hash"))} FROM items AS model WHERE name = 'film0.mkv' AND parent_id = (SELECT id FROM items WHERE name = 'film0')
            """;
        var number = insert.Parameters.Add("@i", SqliteType.Integer);
        var hash = insert.Parameters.Add("@hash", SqliteType.Text);
        var random = new Random(7);
        var bytes = new byte[BlobBytes];
        for (var i = 0; i < Titles; i++)
        {
            random.NextBytes(bytes);
            var name = Convert.ToHexStringLower(SHA256.HashData(bytes));
            var shard = Directory.CreateDirectory(Path.Combine(config, "blobs", name[..2], name[2..4])).FullName;
            File.WriteAllBytes(Path.Combine(shard, name), bytes);
            (number.Value, hash.Value) = (i, name);
            Assert.Equal(2, insert.ExecuteNonQuery());
        }

        transaction.Commit();
    }
}
