using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>Providers and the server's status in the native API.</summary>
public sealed class NativeProviderTests
{
    [Fact]
    public async Task Providers_report_their_figures_and_an_outage_is_noticed_without_readers()
    {
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "news-a" }, new MockProviderOptions { Name = "news-b", MaxConnections = 2 });
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var file = news.Post("film.mkv", 5_000_000);
        await gateway.Client.AssertFileAsync(await gateway.ImportAsync("film", file) + "/film.mkv", file);
        var providers = await ListAsync(client);
        Assert.Equal(["news-a", "news-b"], providers.Select(static provider => provider.GetProperty("name").GetString()));
        Assert.All(providers.Index(), static provider => Assert.Equal(provider.Index, provider.Item.GetProperty("number").GetInt32()));
        Assert.Equal(("connected", 5_000_000L, (long)file.Segments.Count),
            (State(providers[0]), providers[0].GetProperty("bytes").GetInt64(), providers[0].GetProperty("found").GetInt64()));
        Assert.True(providers[0].GetProperty("roundTripSeconds").GetDouble() > 0);
        await Deadline.UntilAsync(
            async () => (await ListAsync(client))[1].GetProperty("connections") is var connections
                && connections.GetProperty("granted") is { ValueKind: JsonValueKind.Number } granted
                && granted.GetInt32() == 2 && connections.GetProperty("open").GetInt32() == 2
                    && connections.GetProperty("configured").GetInt32() == 8,
            "the connection limit of the second was learned");

        news.First.RefuseConnections = true;
        news.First.DropConnections();
        JsonElement dead = default;
        await Deadline.UntilAsync(async () => State(dead = (await ListAsync(client))[0]) == "down"
            && dead.GetProperty("retryAt").ValueKind == JsonValueKind.String, "the outage is noticed");
        Assert.Contains($"127.0.0.1:{news.First.Port}", dead.GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.True(dead.GetProperty("since").GetDateTimeOffset() <= dead.GetProperty("retryAt").GetDateTimeOffset());
        news.ComeBack();
        await Deadline.UntilAsync(async () => State((await ListAsync(client))[0]) == "connected", "it is back");
        Assert.Equal(JsonValueKind.Null, (await ListAsync(client))[0].GetProperty("reason").ValueKind);
    }

    [Fact]
    public async Task Quota_usage_survives_a_restart_and_a_provider_is_not_used_once_its_quota_is_spent()
    {
        using var folder = new Folder();
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a" }, new MockProviderOptions { Name = "block" });
        var file = news.Post("film.mkv", 5_000_000);
        NzbDavSettings Quota(NzbDavSettings settings) => settings with
        {
            Providers =
            [
                settings.Providers[0] with { QuotaGigabytes = 1, QuotaPeriod = QuotaPeriod.Month },
                settings.Providers[1] with { QuotaGigabytes = 2, Priority = 0 },
            ],
        };
        string path;
        long used;
        await using (var gateway = await Gateway.StartAsync(news, folder, Quota))
        {
            path = await gateway.ImportAsync("film", file) + "/film.mkv";
            await gateway.Client.AssertFileAsync(path, file);
            using var client = OperatorClient.Of(gateway);
            var providers = await ListAsync(client);
            used = providers[0].GetProperty("quota").GetProperty("used").GetInt64();
            Assert.InRange(used, file.Length, 2 * file.Length);
            Assert.Equal((1_000_000_000L, 2_000_000_000L), (providers[0].GetProperty("quota").GetProperty("bytes").GetInt64(),
                providers[1].GetProperty("quota").GetProperty("bytes").GetInt64()));
            Assert.Equal(
                (false, true), (providers[0].GetProperty("isBlock").GetBoolean(), providers[1].GetProperty("isBlock").GetBoolean()));
            Assert.True(providers[0].GetProperty("quota").GetProperty("resetsAt").GetDateTimeOffset() > TimeProvider.System.GetUtcNow());
            Assert.Equal((JsonValueKind.Null, 0),
                (providers[1].GetProperty("quota").GetProperty("resetsAt").ValueKind, news.Providers[1].Stats.ArticlesAsked));
        }

        await using var restarted = await Gateway.StartAsync(news, folder, Quota);
        using var later = OperatorClient.Of(restarted);
        Assert.True((await ListAsync(later))[0].GetProperty("quota").GetProperty("used").GetInt64() >= used,
            "the usage from before the restart was lost");

        // Uses up all but a little of the quota.
        restarted.Services.GetRequiredService<UsageBook>()
            .Restore(new AccountUsage($"127.0.0.1:{news.First.Port}:", TimeProvider.System.GetUtcNow(), 1_000_000_000 - (2 * used)));
        restarted.ForgetArticles();
        for (var read = 0; read < 3; read++)
        {
            await restarted.Client.AssertFileAsync(path, file);
            restarted.ForgetArticles();
        }

        var spent = (await ListAsync(later))[0];
        Assert.Equal("usedUp", State(spent));
        Assert.StartsWith(
            "Its quota of 1 GB is used up; it begins anew on ", spent.GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.True(news.Providers[1].Stats.ArticlesAsked > 0, "the block account was not asked");
        var asked = news.First.Stats.ArticlesAsked;
        await restarted.Client.AssertFileAsync(path, file);
        Assert.Equal(asked, news.First.Stats.ArticlesAsked);
    }

    [Fact]
    public async Task An_open_page_is_told_that_an_idle_provider_went_down()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a" });
        await using var gateway = await Gateway.StartAsync(news);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root), Timeout = Deadline.Long };
        http.DefaultRequestHeaders.Add("X-Api-Key", await File.ReadAllTextAsync(Path.Combine(gateway.ConfigFolder, "keys", "api")));
        using var events = new StreamReader(
            await http.GetStreamAsync(new Uri("/api/v1/events?topics=providers,status,torrents", UriKind.Relative)));
        await HearAsync(data => data.GetProperty("providers")[0] is var provider && State(provider) == "connected");
        news.GoDown();
        await HearAsync(data => data.GetProperty("providers")[0] is var provider && State(provider) == "down");

        async Task HearAsync(Func<JsonElement, bool> isMeant)
        {
            var name = "";
            var limit = Deadline.Token;
            while (await events.ReadLineAsync(limit) is { } line)
            {
                if (line.StartsWith("event: ", StringComparison.Ordinal))
                    name = line[7..];
                else if (line.StartsWith("data: ", StringComparison.Ordinal) && name == "providers"
                    && isMeant(JsonSerializer.Deserialize<JsonElement>(line[6..])))
                    return;
            }

            Assert.Fail("The stream of events ended.");
        }
    }

    [Fact]
    public async Task A_provider_is_tested_with_unsaved_values_and_measured_with_articles_of_the_library()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", Username = "anna", Password = "secr3t-8" });
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var file = news.Post("film.mkv", 8_000_000);
        await gateway.ImportAsync("film", file);
        await Deadline.UntilAsync(() => gateway.Usenet.Providers[0].Status.OpenConnections == 8, "the warm connections are open");

        // The saved password, while the server itself has eight connections open.
        var (status, verdict) = await client.AskAsync(
            "POST", "/api/v1/providers/test", Test(news.First.Port, "null", 0, maxConnections: 12));
        Assert.True(status == HttpStatusCode.OK, verdict.ToString());
        Assert.True(verdict.GetProperty("ok").GetBoolean(), verdict.ToString());
        Assert.Equal(12, verdict.GetProperty("connections").GetInt32());
        Assert.True(verdict.GetProperty("rate").GetDouble() > 0, verdict.ToString());
        Assert.Contains("the 8 that this server has open included", verdict.ToString(), StringComparison.Ordinal);
        Assert.Equal(
            ["resolve", "connect", "tls", "greeting", "login", "connections", "roundTrip", "speed"], verdict.GetProperty("steps")
                .EnumerateArray().Select(static step => step.GetProperty("name").GetString()));
        Assert.DoesNotContain("secr3t-8", verdict.ToString(), StringComparison.Ordinal);

        (status, verdict) = await client.AskAsync("POST", "/api/v1/providers/test", Test(news.First.Port, "\"wrong\"", 0));
        Assert.Equal((HttpStatusCode.OK, false), (status, verdict.GetProperty("ok").GetBoolean()));
        var failed = verdict.GetProperty("steps").EnumerateArray().Last();
        Assert.Equal(("login", false), (failed.GetProperty("name").GetString(), failed.GetProperty("ok").GetBoolean()));
        Assert.Contains("481", failed.GetProperty("message").GetString(), StringComparison.Ordinal);

        // The server keeps working.
        await gateway.Client.AssertFileAsync("/dav/content/movies/film/film.mkv", file);
    }

    [Fact]
    public async Task A_saved_password_is_sent_only_to_the_saved_host_and_wrong_values_are_named()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", Username = "anna", Password = "secr3t-8" });
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var (status, body) = await client.AskAsync("POST", "/api/v1/providers/test", Test(news.First.Port, "null", 0, host: "localhost"));
        Assert.Equal((HttpStatusCode.UnprocessableEntity, "password"),
            (status, Assert.Single(body.GetProperty("faults").EnumerateArray()).GetProperty("path").GetString()));

        (status, body) = await client.AskAsync(
            "POST", "/api/v1/providers/test", Test(0, "\"x\"", 9, host: "http://x/", maxConnections: 501));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Equal(["number", "host", "port", "maxConnections"],
            body.GetProperty("faults").EnumerateArray().Select(static fault => fault.GetProperty("path").GetString()));
        Assert.Equal(HttpStatusCode.BadRequest, (await client.AskAsync("POST", "/api/v1/providers/test", "[]")).Status);
    }

    [Fact]
    public async Task Status_and_series_cover_the_whole_server()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        var file = news.Post("film.mkv", 5_000_000);
        await gateway.Client.AssertFileAsync(await gateway.ImportAsync("film", file) + "/film.mkv", file);
        JsonElement provider = default;
        await Deadline.UntilAsync(
            async () =>
            {
                var (_, series) = await client.AskAsync("GET", "/api/v1/series?span=hour");
                Assert.Equal(1, series.GetProperty("stepSeconds").GetInt32());
                provider = series.GetProperty("lines")[0];

                // A second that was not measured is null.
                return provider.GetProperty("values").EnumerateArray()
                    .Any(static value => value.ValueKind == JsonValueKind.Number && value.GetDouble() > 0);
            },
            "the series has the received bytes");
        Assert.Equal(("provider.0", "one", "bytesPerSecond"), (provider.GetProperty("name").GetString(),
            provider.GetProperty("label").GetString(), provider.GetProperty("unit").GetString()));
        var (_, status) = await client.AskAsync("GET", "/api/v1/status");
        Assert.Equal((true, false, 1), (status.GetProperty("ready").GetBoolean(), status.GetProperty("demo").GetBoolean(),
            status.GetProperty("jobs").GetProperty("completed").GetInt32()));
        var memory = status.GetProperty("memory");
        Assert.InRange(memory.GetProperty("cache").GetInt64(), 5_000_000, memory.GetProperty("used").GetInt64());
        Assert.True(memory.GetProperty("process").GetInt64() > memory.GetProperty("used").GetInt64());
        var disk = status.GetProperty("disk");
        Assert.Equal(gateway.ConfigFolder, disk.GetProperty("path").GetString());
        Assert.InRange(disk.GetProperty("free").GetInt64(), 1, disk.GetProperty("total").GetInt64());
        gateway.ForgetArticles();
        Assert.Equal(0, (await client.AskAsync("GET", "/api/v1/status")).Body.GetProperty("memory").GetProperty("cache").GetInt64());
        Assert.Equal(HttpStatusCode.BadRequest, (await client.AskAsync("GET", "/api/v1/series?span=week")).Status);
    }

    private static string Test(int port, string password, int? number, string host = "127.0.0.1", int maxConnections = 4) =>
        FormattableString.Invariant(
            $$"""{"number":{{number}},"host":"{{host}}","port":{{port}},"useTls":false,"verifyCertificate":true,"username":"anna","password":{{password}},"maxConnections":{{maxConnections}}}""");

    private static async Task<JsonElement[]> ListAsync(OperatorClient client)
    {
        var (status, body) = await client.AskAsync("GET", "/api/v1/providers");
        Assert.Equal(HttpStatusCode.OK, status);
        return [.. body.GetProperty("providers").EnumerateArray()];
    }

    private static string? State(JsonElement provider) => provider.GetProperty("state").GetString();
}
