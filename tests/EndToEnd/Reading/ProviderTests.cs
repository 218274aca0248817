using System.Net;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Providers;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>Failing providers: what clients, the health page and the log say, and that the server recovers by itself.</summary>
public sealed class ProviderTests
{
    [Fact]
    public async Task Reads_are_503_while_no_provider_answers_and_work_when_one_comes_back()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a" }, new MockProviderOptions { Name = "news-b" });
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("away.mkv", 5_000_000);
        var path = await gateway.ImportAsync("away", file) + "/away.mkv";
        gateway.ForgetArticles();

        news.GoDown();
        using (var response = await gateway.Client.SendAsync("GET", path))
        {
            var said = await response.Content.ReadAsStringAsync();
            Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
            Assert.True(response.Headers.RetryAfter!.Delta > TimeSpan.Zero);

            // The reasons of the providers, not the time limit for a first byte.
            Assert.Contains("news-a: ", said, StringComparison.Ordinal);
            Assert.Contains("news-b: ", said, StringComparison.Ordinal);
        }

        var (status, report) = await ReadyAsync(gateway);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.Equal(["Failing", "Failing"], States(report));

        // Names, sizes and everything that needs no articles keep working.
        Assert.Equal(file.Length, (await gateway.Client.StatAsync(path)).Size);
        Assert.Equal(HttpStatusCode.OK, (await gateway.Client.AskAsync("HEAD", path)).Status);
        await gateway.AssertNothingLeaksAsync();

        news.ComeBack();
        await Deadline.UntilAsync(async () => (await ReadyAsync(gateway)).Status == HttpStatusCode.OK, "a provider is ready again");
        await gateway.Client.AssertFileAsync(path, file);
    }

    [Theory]
    [InlineData("wrong password", "LoginRefused", "user name, password")]
    [InlineData("unknown host", "UnknownHost", "news.invalid")]
    [InlineData("no connection left", "TooManyConnections", "fewer connections")]
    [InlineData("nobody listens", "Refused", "cannot be reached")]
    [InlineData("untrusted certificate", "Tls", "TLS")]
    public async Task An_unusable_provider_is_named_with_the_reason(string kind, string failure, string reason)
    {
        await using var news = new NewsServers(
            new MockProviderOptions
            {
                Name = "the bad one",
                Username = "anna",
                Password = "right",
                MaxConnections = kind == "no connection left" ? 0 : 100,
                CapRefusal = CapRefusal.AtLogin,
                Tls = kind == "untrusted certificate",
            });
        var closed = MockProvider.Start(news.Store);
        await closed.DisposeAsync();
        var file = news.Post("never.mkv", 1_000_000);
        await using var gateway = await Gateway.StartAsync(news, change: Change);

        JsonElement report = default;
        await Deadline.UntilAsync(
            async () =>
            {
                (var status, report) = await ReadyAsync(gateway);
                Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
                return States(report) is ["Failing"];
            },
            "the provider is reported as failing");
        var provider = report.GetProperty("providers")[0];
        Assert.Equal("the bad one", provider.GetProperty("name").GetString());
        Assert.Equal(failure, provider.GetProperty("failure").GetString());
        Assert.Contains(reason, provider.GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", report.ToString(), StringComparison.Ordinal);

        // An import waits and says so; nothing fails permanently.
        await gateway.Client.PutAsync("/dav/nzbs/movies/never.nzb", NzbWriter.ToBytes([file]));
        await Deadline.UntilAsync(() => Log(gateway)
            .Contains("never waits: No provider can be reached: the bad one: ", StringComparison.Ordinal), "the job was put back");
        Assert.Equal(["never.nzb"], await gateway.Client.ListAsync("/dav/nzbs/movies/"));
        Assert.Contains("the bad one cannot be used", Log(gateway), StringComparison.Ordinal);
        Assert.Contains(reason, Log(gateway), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", Log(gateway), StringComparison.Ordinal);

        NzbDavSettings Change(NzbDavSettings settings) => settings with
        {
            Providers =
            [
                settings.Providers[0] with
                {
                    Host = kind == "unknown host" ? "news.invalid" : "127.0.0.1",
                    Port = kind == "nobody listens" ? closed.Port : news.First.Port,
                    Password = kind == "wrong password" ? "secret" : "right",
                    UseTls = kind == "untrusted certificate",
                },
            ],
        };
    }

    [Fact]
    public async Task Torrents_alone_are_enough_to_be_ready()
    {
        await using var news = new NewsServers();
        await using (var torrents = await Gateway.StartAsync(news, change: settings => settings with { Providers = [] }))
            Assert.Equal(HttpStatusCode.OK, (await ReadyAsync(torrents)).Status);
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Providers = [], Torrents = settings.Torrents with { Enabled = false } });
        var (status, report) = await ReadyAsync(gateway);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.Equal("No Usenet provider is configured, and torrents are switched off.", report.GetProperty("reason").GetString());
    }

    [Fact]
    public async Task One_working_provider_is_enough()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", Username = "anna", Password = "right" },
            new MockProviderOptions { Name = "news-b" });
        await using var gateway = await Gateway.StartAsync(
            news, change: settings =>
                settings with { Providers = [settings.Providers[0] with { Password = "wrong" }, settings.Providers[1]] });
        var file = news.Post("enough.mkv", 5_000_000);
        await gateway.Client.AssertFileAsync(await gateway.ImportAsync("enough", file) + "/enough.mkv", file);
        await Deadline.UntilAsync(
            async () => await ReadyAsync(gateway) is (HttpStatusCode.OK, var report)
                && States(report) is ["Failing", "Ready"], "one is ready and one is known to fail");
    }

    [Fact]
    public async Task A_provider_that_allows_fewer_connections_is_used_with_those()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", MaxConnections = 2 });
        await using var gateway = await Gateway.StartAsync(news);
        var file = news.Post("few.mkv", 20_000_000);
        await gateway.Client.AssertFileAsync(await gateway.ImportAsync("few", file) + "/few.mkv", file);
        Assert.InRange(news.First.Stats.ConnectionsPeak, 1, 2);
        Assert.Contains(gateway.Usenet.Providers, provider => provider.Status is { State: ProviderState.Ready, MaxConnections: 2 });
    }

    private static async Task<(HttpStatusCode Status, JsonElement Report)> ReadyAsync(Gateway gateway)
    {
        var (status, text) = await gateway.AskWithKeyAsync("/health/ready");
        return (status, JsonSerializer.Deserialize<JsonElement>(text));
    }

    private static string[] States(JsonElement report) =>
        [.. report.GetProperty("providers").EnumerateArray().Select(provider => provider.GetProperty("state").GetString()!)];

    private static string Log(Gateway gateway)
    {
        var text = "";
        foreach (var path in Directory.GetFiles(Path.Combine(gateway.ConfigFolder, "logs")))
        {
            using var file = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
            text += file.ReadToEnd();
        }

        return text;
    }
}
