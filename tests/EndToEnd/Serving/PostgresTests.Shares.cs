using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <content>Two gateways share the eight connections of an account. The provider counts them.</content>
public sealed partial class PostgresTests
{
    private const int Most = 8;

    [PostgresFact]
    public async Task Two_gateways_stream_with_the_connections_of_one_account_and_one_takes_over_what_a_killed_one_had()
    {
        using var first = new Folder();
        using var second = new Folder();
        await using var news = new NewsServers(new MockProviderOptions { Name = "one", ConnectionRate = 2_000_000 });
        var database = PostgresServer.Shared.NewDatabase();
        var files = Enumerable.Range(1, 4).Select(number => news.Post($"film {number}.mkv", 8_000_000)).ToArray();
        await using (var one = ServerProcess.Start(Environment(news, database), "--config", first.Path, "--urls", "http://127.0.0.1:0"))
        {
            using var client = await one.ClientAsync();

            // Before the second one starts, which has not the first one's blobs.
            await ImportAsync(client, files);
            await using var two = ServerProcess.Start(Environment(news, database), "--config", second.Path, "--urls", "http://127.0.0.1:0");
            using var other = await two.ClientAsync();
            using var api = Api(other, second);
            var reading = files.Select((file, index) => (index % 2 == 0 ? client : other).AssertFileAsync(PathOf(file), file)).ToArray();
            await Task.WhenAll(reading);
            Assert.InRange(news.First.Stats.ConnectionsPeak, 1, Most);

            // Killed while it reads.
            var asked = news.Stall(files[1], 3);
            var broken = client.AskAsync("GET", PathOf(files[1]));
            await asked;
            await one.KillAsync();
            await Assert.ThrowsAnyAsync<Exception>(() => broken);
            news.Mend();
            await Deadline.UntilAsync(async () => await ShareAsync(api) == Most, "the other one has all connections");
            await other.AssertFileAsync(PathOf(files[0]), files[0]);
            Assert.InRange(news.First.Stats.ConnectionsPeak, 1, Most);
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task A_killed_gateway_takes_over_at_its_next_start_what_it_left()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        string[] arguments = ["--config", folder.Path, "--urls", "http://127.0.0.1:0"];
        for (var start = 0; start < 2; start++)
        {
            await using var server = ServerProcess.Start(Environment(news, database), arguments);
            using var client = await server.ClientAsync();
            using var api = Api(client, folder);
            await Deadline.UntilAsync(async () => await ShareAsync(api) == Most, "it has all connections");

            // One that only waited for the end of the lease would have left the other row.
            Assert.Equal("1", PostgresServer.Shared.Sql("SELECT COUNT(*) FROM connection_shares", database).Trim());
            await server.KillAsync();
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task Connections_move_to_the_gateway_whose_readers_wait_and_are_released_at_its_stop()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        var files = Enumerable.Range(1, 2 * Most).Select(number => news.Post($"film {number}.mkv", 700_000)).ToArray();
        await using (var one = await Gateway.StartAsync(news, database: database))
        {
            await Deadline.UntilAsync(() => ShareOf(one) == Most, "a gateway that is alone has everything");
            await ImportAsync(one.Client, files);
            await using (var two = await Gateway.StartAsync(news, database: database))
            {
                // Warm up both: what is opened is found, and is read later.
                foreach (var file in files)
                    await two.Client.StatAsync(PathOf(file));
                one.ForgetArticles();
                var asked = news.Stall(static _ => true);
                var reading = files[..Most].Select(file => two.Client.AssertFileAsync(PathOf(file), file)).ToArray();
                await asked;
                var began = Stopwatch.GetTimestamp();
                await Deadline.UntilAsync(() => (ShareOf(one), ShareOf(two)) == (1, Most - 1), "all but one moved to the second");
                output.WriteLine(string.Create(
                    CultureInfo.InvariantCulture, $"idle connections moved in {Stopwatch.GetElapsedTime(began).TotalSeconds:0.00} s"));
                began = Stopwatch.GetTimestamp();
                reading = [.. reading, .. files[Most..].Select(file => one.Client.AssertFileAsync(PathOf(file), file))];
                await Deadline.UntilAsync(() => (ShareOf(one), ShareOf(two)) == (Most / 2, Most / 2), "both have half");
                output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"connections that were all stalled moved in {Stopwatch.GetElapsedTime(began).TotalSeconds:0.00} s"));
                news.Mend();
                news.First.DropConnections();
                await Task.WhenAll(reading);
            }

            await Deadline.UntilAsync(() => ShareOf(one) == Most, "what the second had is free");
            Assert.InRange(news.First.Stats.ConnectionsPeak, 1, Most);
        }

        PostgresServer.Shared.Drop(database);
    }

    [PostgresFact]
    public async Task Without_the_database_all_connections_are_closed_until_it_is_back()
    {
        await using var news = new NewsServers();
        var database = PostgresServer.Shared.NewDatabase();
        var file = news.Post("film.mkv", 5_000_000);
        await using (var one = await Gateway.StartAsync(news, database: database))
        {
            await ImportAsync(one.Client, file);
            await using var two = await Gateway.StartAsync(news, database: database);
            await Deadline.UntilAsync(
                () => ShareOf(one) + ShareOf(two) == Most && news.First.Stats.ConnectionsOpen == Most, "all connections are open");
            PostgresServer.Shared.Stop("fast");
            try
            {
                await Deadline.UntilAsync(() => news.First.Stats.ConnectionsOpen == 0, "all connections are closed");
                Assert.Equal((0, 0), (ShareOf(one), ShareOf(two)));
            }
            finally
            {
                PostgresServer.Shared.Start();
            }

            await Deadline.UntilAsync(
                () => ShareOf(one) + ShareOf(two) == Most && news.First.Stats.ConnectionsOpen == Most, "all connections are open again");
            one.ForgetArticles();
            await one.Client.AssertFileAsync(PathOf(file), file);
            await two.Client.AssertFileAsync(PathOf(file), file);
            Assert.Equal(Most, news.First.Stats.ConnectionsPeak);
        }

        PostgresServer.Shared.Drop(database);
    }

    private static string PathOf(PostedFile file) =>
        DavClient.Path("content", "movies", Path.GetFileNameWithoutExtension(file.Name), file.Name);

    private static int? ShareOf(Gateway gateway) => gateway.Usenet.Providers[0].Status.Share;

    private static async Task<int> ShareAsync(OperatorClient api) =>
        (await api.OkAsync("/api/v1/providers")).GetProperty("providers")[0].GetProperty("connections")
            .GetProperty("share") is { ValueKind: JsonValueKind.Number } share ? share.GetInt32() : -1;

    private static OperatorClient Api(DavClient client, Folder folder) =>
        new(client.Http.BaseAddress!.ToString(), File.ReadAllText(Path.Combine(folder.Path, "keys", "api")).Trim());

    private static Dictionary<string, string> Environment(NewsServers news, string database) =>
        new(ServerProcess.Environment(news), StringComparer.Ordinal)
        { ["NzbDav__Catalog__Connection"] = database, ["NzbDav__Gateway__LeaseSeconds"] = "10" };

    private static async Task ImportAsync(DavClient client, params PostedFile[] files)
    {
        foreach (var file in files)
            await client.PutAsync(
                DavClient.Path("nzbs", "movies", Path.GetFileNameWithoutExtension(file.Name) + ".nzb"), NzbWriter.ToBytes([file]));
        foreach (var file in files)
            await client.UntilAsync(PathOf(file));
    }
}
