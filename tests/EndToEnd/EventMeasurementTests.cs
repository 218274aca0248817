using System.Diagnostics;
using System.Globalization;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// What open pages cost. Prints its figures and asserts nothing; the target is less than 1 % of a core for 50 idle pages.
/// <c>NZBDAV_MEASURE_SECONDS</c> sets how long they are idle. The default only shows that the measurement works; meaningful figures need 60
/// and a release build.
/// </summary>
public sealed class EventMeasurementTests(ITestOutputHelper output)
{
    private const int FewSeconds = 0;
    private const string Key = "0123456789abcdef";

    [Fact(Explicit = true)]
    public async Task Fifty_idle_pages_on_the_event_stream()
    {
        const int Pages = 50;
        var seconds = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_SECONDS"] as string, NumberStyles.None,
            CultureInfo.InvariantCulture, out var asked) ? asked : FewSeconds;
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" });
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        using var http = new HttpClient { BaseAddress = client.Http.BaseAddress };
        http.DefaultRequestHeaders.Add("X-Api-Key", Key);
        await Task.Delay(TimeSpan.FromSeconds(seconds));
        var alone = await CpuAsync();
        var pages = new List<Stream>();
        for (var i = 0; i < Pages; i++)
            pages.Add(await http.GetStreamAsync("/api/v1/events?topics=jobs,files,status,providers,torrents"));
        await Task.Delay(TimeSpan.FromSeconds(seconds));
        var listening = await CpuAsync();
        output.WriteLine(
            FormattableString.Invariant($"share of a core over {seconds} s: {alone:P2} alone, {listening:P2} with {Pages} pages"));
        foreach (var page in pages)
        {
            Assert.True(await page.ReadAsync(new byte[256]) > 0);
            await page.DisposeAsync();
        }

        async Task<double> CpuAsync()
        {
            var (cpu, clock) = (server.CpuTime, Stopwatch.StartNew());
            await Task.Delay(TimeSpan.FromSeconds(seconds));
            return (server.CpuTime - cpu) / clock.Elapsed;
        }
    }
}
