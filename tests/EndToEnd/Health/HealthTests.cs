using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Options;
using NzbDav.Catalog.Database;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Health;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Health;

/// <summary>What the health pages report, and when they report a fault.</summary>
public sealed class HealthTests
{
    [Fact]
    public async Task OPS_02_Health_needs_no_password_and_ready_follows_the_providers()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync("/health")).StatusCode);
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.OK, "a provider works");
        news.GoDown();
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.ServiceUnavailable, "no provider works");
        Assert.Contains("provider", (await AskAsync(gateway)).Reason, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync("/health")).StatusCode);
    }

    /// <summary>HEAD requests of <c>wget --spider</c> and many monitors.</summary>
    [Fact]
    public async Task OPS_02_HEAD_probes_get_the_same_status_without_a_body()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.OK, "a provider works");
        foreach (var path in (string[])["/health", "/health/ready", "/"])
            Assert.Equal((HttpStatusCode.OK, ""), await HeadAsync(path));
        news.GoDown();
        await Deadline.UntilAsync(
            async () => await HeadAsync("/health/ready") == (HttpStatusCode.ServiceUnavailable, ""), "no provider works");

        async Task<(HttpStatusCode, string)> HeadAsync(string path)
        {
            using var request = new HttpRequestMessage(HttpMethod.Head, path);
            using var response = await http.SendAsync(request);
            return (response.StatusCode, await response.Content.ReadAsStringAsync());
        }
    }

    /// <summary>Names of providers and their answers are visible to the owner only.</summary>
    [Fact]
    public async Task Without_credentials_ready_gives_no_reason()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", Username = "anna", Password = "right" });
        await using var gateway = await Gateway.StartAsync(
            news, environment: new Dictionary<string, string?>(news.Environment.ToDictionary(pair => pair.Key["NzbDav__".Length..]
                .Replace("__", ":", StringComparison.Ordinal), pair => (string?)pair.Value), StringComparer.Ordinal)
            {
                ["Api:Key"] = SettingsClient.Key,
                ["Api:ReadKey"] = "the-read-key",
                ["Api:AddKey"] = "the-add-key",
                ["Torrents:Enabled"] = "false",
            });
        news.GoDown();
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.ServiceUnavailable, "no provider works");
        Assert.NotEmpty((await AskAsync(gateway)).Reason);

        // Without the user's word this machine may be a proxy's.
        Assert.Equal("""{"status":"not ready"}""", (await gateway.Client.AskAsync("GET", "/health/ready")).Text);
        gateway.Services.GetRequiredService<LiveAccess>().Replace(new AccessOptions { NoProxy = true });
        Assert.Contains(
            "No Usenet provider works yet.", (await gateway.Client.AskAsync("GET", "/health/ready")).Text, StringComparison.Ordinal);
        foreach (var (key, sees) in new (string?, bool)[] { (null, false), ("a-wrong-key", false), ("the-add-key", false),
            ("the-read-key", true), (SettingsClient.Key, true) })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/health/ready");
            request.Headers.Add("X-Forwarded-For", "203.0.113.9");
            if (key is not null)
                request.Headers.Add("X-Api-Key", key);
            using var response = await http.SendAsync(request);
            Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
            var text = await response.Content.ReadAsStringAsync();
            if (sees)
                Assert.Contains("No Usenet provider works yet.", text, StringComparison.Ordinal);
            else
                Assert.Equal("""{"status":"not ready"}""", text);
        }
    }

    [Fact]
    public async Task OPS_02_Not_ready_while_the_catalog_cannot_be_written_and_ready_afterwards()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var database = gateway.Services.GetRequiredService<CatalogDatabase>();
        database.BeforeStatement = static _ => throw new CatalogException(CatalogFault.DiskFull, "The disk is full, the test says.");
        var (status, reason) = await AskAsync(gateway);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.Contains("The disk is full, the test says.", reason, StringComparison.Ordinal);
        database.BeforeStatement = null;
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.OK, "the catalog can be written again");
    }

    [Theory]
    [InlineData((32L << 20) - 1, "is full: 31 MiB are left.")]
    [InlineData(32L << 20, null)]
    [InlineData(-1, null)]
    public async Task OPS_02_A_nearly_full_disk_is_reported(long free, string? fault)
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var health = new CatalogHealth(gateway.Services.GetRequiredService<CatalogDatabase>(),
            gateway.Services.GetRequiredService<CatalogOptions>(), TimeProvider.System)
        {
            // A disk whose free space cannot be read is not a fault of the catalog.
            FreeSpace = folder =>
                folder != gateway.ConfigFolder ? long.MaxValue : free < 0 ? throw new IOException("not to be asked") : free,
        };
        var found = await health.FindFaultAsync(Deadline.Token);
        if (fault is null)
            Assert.Null(found);
        else
            Assert.EndsWith(fault, found, StringComparison.Ordinal);
    }

    [Fact]
    public async Task OPS_02_Frequent_probes_write_rarely()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.OK, "a provider works");
        var writes = 0;
        var database = gateway.Services.GetRequiredService<CatalogDatabase>();
        database.BeforeStatement = sql => Interlocked.Add(ref writes, sql.Contains("'probe'", StringComparison.Ordinal) ? 1 : 0);
        for (var i = 0; i < 100; i++)
            Assert.Equal(HttpStatusCode.OK, (await AskAsync(gateway)).Status);
        Assert.InRange(writes, 0, 10);
    }

    [Fact]
    public async Task OPS_02_The_health_check_of_a_container_needs_no_tools()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var nothing = new Dictionary<string, string>(StringComparer.Ordinal);

        // It waits for four seconds, which a busy machine may need.
        await Deadline.UntilAsync(
            async () => (await ServerProcess.RunAsync(nothing, "healthcheck", "--url", gateway.Root)).ExitCode == 0, "the server answers");
        news.GoDown();
        await Deadline.UntilAsync(async () => (await AskAsync(gateway)).Status == HttpStatusCode.ServiceUnavailable, "no provider works");
        Assert.Equal(1, (await ServerHere.RunAsync(nothing, "healthcheck", "--ready", "--url", gateway.Root)).ExitCode);
        Assert.Equal(1, (await ServerHere.RunAsync(nothing, "healthcheck", "--url", "http://127.0.0.1:9")).ExitCode);
    }

    private static async Task<(HttpStatusCode Status, string Reason)> AskAsync(Gateway gateway)
    {
        var (status, text) = await gateway.AskWithKeyAsync("/health/ready");
        using var body = JsonDocument.Parse(text);
        return (status, body.RootElement.TryGetProperty("reason", out var reason) ? reason.GetString() ?? "" : "");
    }
}
