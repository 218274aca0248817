using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Changing;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Disk;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>
/// A film watched again is read from the disk cache. Prints its figures; asserts only what does not depend on the machine's speed.
/// <c>NZBDAV_MEASURE_CACHE</c> sets the MB of a film; the default only shows that the measurement works.
/// </summary>
public sealed class DiskCacheTests(ITestOutputHelper output)
{
    private static readonly int? Asked = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_CACHE"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : null;

    [Fact]
    public async Task A_film_is_watched_again_without_fetching_an_article_also_after_a_restart()
    {
        using var state = new Folder();
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" });
        var film = news.Store.AddFile("film.mkv", new SeededSource(3, "film.mkv", 12_000_000));
        string path;
        await using (var gateway = await StartAsync(news, state))
        {
            path = await gateway.ImportAsync("Film", film) + "/film.mkv";
            gateway.ForgetArticles();
            await gateway.Client.AssertFileAsync(path, film);
            await PlayAgainAsync(gateway, news, path, film);
            using var status = System.Text.Json.JsonDocument.Parse(await ReadStatusAsync(gateway));
            var cache = status.RootElement.GetProperty("diskCache");
            Assert.Equal("on", cache.GetProperty("state").GetString(), ignoreCase: true);
            Assert.Equal(film.Segments.Count, cache.GetProperty("articles").GetInt32());
        }

        await using var restarted = await StartAsync(news, state);
        await Deadline.UntilAsync(
            () => restarted.Services.GetRequiredService<DiskCache>().Status.Articles == film.Segments.Count, "the articles are found");
        await PlayAgainAsync(restarted, news, path, film);
    }

    [Fact]
    public async Task It_can_be_switched_on_moved_and_switched_off_at_run_time()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" });
        await using var gateway = await Gateway.StartAsync(news, change: static settings => settings with { StartsMiB = 0 });
        var film = news.Store.AddFile("film.mkv", new SeededSource(3, "film.mkv", 6_000_000));
        var path = await gateway.ImportAsync("Film", film) + "/film.mkv";
        var cache = gateway.Services.GetRequiredService<DiskCache>();
        var live = gateway.Services.GetRequiredService<LiveSettings>();
        var settings = gateway.Services.GetRequiredService<SettingsBook>().Current;
        Assert.Equal(DiskCacheState.Off, cache.Status.State);
        string[] folders = [Path.Combine(gateway.ConfigFolder, "cache", "articles"), Path.Combine(gateway.ConfigFolder, "moved")];
        foreach (var folder in folders)
        {
            live.Apply(settings with { CacheGiB = 2, CacheFolder = folder });
            await Deadline.UntilAsync(
                () => cache.Status is { State: DiskCacheState.On, Limit: 2L << 30 } status && status.Folder == folder, "it is on");
            gateway.ForgetArticles();
            await gateway.Client.AssertFileAsync(path, film);
            await PlayAgainAsync(gateway, news, path, film);
        }

        Assert.False(Directory.Exists(folders[0]));
        live.Apply(settings with { CacheGiB = 0, CacheFolder = folders[1] });
        await Deadline.UntilAsync(
            () => cache.Status.State == DiskCacheState.Off && !Directory.Exists(folders[1]), "it is off and its files are gone");
        await gateway.Client.AssertFileAsync(path, film);
    }

    [Theory(Explicit = true)]
    [InlineData(125_000_000)]
    [InlineData(0)]
    public async Task What_it_costs_and_what_it_brings(long line)
    {
        var size = (Asked ?? 20) * 1_000_000L;
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(Asked is null ? 0 : 30), TotalRate = line });
        var film = news.Store.AddFile("film.mkv", new SeededSource(3, "film.mkv", size));
        await using var gateway = await StartAsync(news, folder: null);
        var path = await gateway.ImportAsync("Film", film) + "/film.mkv";
        var cache = gateway.Services.GetRequiredService<DiskCache>();
        var on = new DiskCacheOptions(Path.Combine(gateway.ConfigFolder, "cache", "articles"), 64L << 30);
        var rounds = Asked is null ? 1 : 5;
        List<(double Rate, double Cpu)> off = [], first = [], second = [];
        List<double> jumpFirst = [], jumpSecond = [];
        for (var round = 0; round < rounds; round++)
        {
            cache.Apply(on with { Limit = 0 });
            await Deadline.UntilAsync(() => cache.Status.State == DiskCacheState.Off, "it is off");
            // The jump comes first: articles that it leaves on their way would pass the cache by.
            jumpFirst.Add(await JumpAsync(gateway, path, size / 2));
            off.Add(await PlayAsync(gateway, path, size));
            cache.Apply(on);
            await Deadline.UntilAsync(() => cache.Status.State == DiskCacheState.On, "it is on");
            first.Add(await PlayAsync(gateway, path, size));
            await Deadline.UntilAsync(() => cache.Status.Articles + cache.Status.Dropped >= film.Segments.Count, "all is written");
            var before = cache.Status;
            second.Add(await PlayAsync(gateway, path, size));
            jumpSecond.Add(await JumpAsync(gateway, path, size / 2));
            output.WriteLine(
                $"kept {before.Articles} of {film.Segments.Count}, hits {cache.Status.Hits - before.Hits}, late {cache.Status.Late}");
        }

        var status = cache.Status;
        output.WriteLine(
            $"{size / 1e6:0} MB, {rounds} rounds, medians, a line of {(line == 0 ? "any rate" : $"{line / 1e6:0} MB/s")}; provider and " +
            $"client in this process");
        output.WriteLine($"from the provider, cache off: {Tell(off)}, a jump {Median(jumpFirst):0.0} ms");
        output.WriteLine(
            $"from the provider, cache on:  {Tell(first)}; on / off " +
            $"{Median([.. first.Select(static run => run.Rate)]) / Median([.. off.Select(static run => run.Rate)]):0.00}");
        output.WriteLine($"from the disk:                {Tell(second)}, a jump {Median(jumpSecond):0.0} ms");
        output.WriteLine($"index {status.IndexBytes} bytes for {status.Articles} articles; page cache {cache.PageCache}");
    }

    /// <summary>Without pins: the film's last article may be read from its pin alone, and would then never come into the cache.</summary>
    private static async Task<Gateway> StartAsync(NewsServers news, Folder? folder) =>
        await Gateway.StartAsync(news, folder, static settings => settings with { CacheGiB = 64, StartsMiB = 0 });

    private static async Task PlayAgainAsync(Gateway gateway, NewsServers news, string path, PostedFile film)
    {
        var cache = gateway.Services.GetRequiredService<DiskCache>();
        await Deadline.UntilAsync(() => cache.Status.Articles == film.Segments.Count, "all is written");
        gateway.ForgetArticles();
        var (before, late) = (Bodies(news), cache.Status.Late);
        await gateway.Client.AssertFileAsync(path, film);

        // On a busy machine the disk may be late; then a provider is asked, or two are.
        Assert.InRange(Bodies(news) - before, 0, 3 * (cache.Status.Late - late));
    }

    private static long Bodies(NewsServers news) =>
        news.Providers.Sum(static provider => provider.Stats.Commands.GetValueOrDefault("BODY"));

    private static async Task<string> ReadStatusAsync(Gateway gateway)
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Get, gateway.Root.TrimEnd('/') + "/api/v1/status");
        request.Headers.Add("X-Api-Key", (await File.ReadAllTextAsync(Path.Combine(gateway.ConfigFolder, "keys", "api"))).Trim());
        using var response = await http.SendAsync(request, Deadline.Token);
        return await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(Deadline.Token);
    }

    private static async Task<(double Rate, double Cpu)> PlayAsync(Gateway gateway, string path, long size)
    {
        gateway.ForgetArticles();
        var cpu = Process.GetCurrentProcess().TotalProcessorTime;
        var began = Stopwatch.GetTimestamp();
        await ReadAsync(gateway, path, 0, size);
        var seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        return (size / 1e6 / seconds, (Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalSeconds / (size / 1e9));
    }

    private static async Task<double> JumpAsync(Gateway gateway, string path, long position)
    {
        gateway.ForgetArticles();
        var began = Stopwatch.GetTimestamp();
        await ReadAsync(gateway, path, position, 1);
        return Stopwatch.GetElapsedTime(began).TotalMilliseconds;
    }

    private static async Task ReadAsync(Gateway gateway, string path, long position, long count)
    {
        var root = new Uri(gateway.Root);
        var login = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{Gateway.User}:{Gateway.Password}"));
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(root.Host, root.Port, Deadline.Token);
        await socket.SendAsync(
            Encoding.ASCII.GetBytes(
            $"GET {path} HTTP/1.1\r\nHost: {root.Authority}\r\nAuthorization: Basic {login}\r\nRange: bytes={position}-\r\nConnection: " +
            $"close\r\n\r\n"), Deadline.Token);
        var buffer = new byte[1 << 20];
        var head = -1;
        var text = 0;
        while (count > 0)
        {
            var read = await socket.ReceiveAsync(buffer.AsMemory(text), Deadline.Token);
            Assert.True(read > 0, "The connection ended early.");
            if (head < 0)
            {
                text += read;
                head = buffer.AsSpan(0, text).IndexOf("\r\n\r\n"u8);
                if (head < 0)
                    continue;
                Assert.StartsWith("HTTP/1.1 206", Encoding.ASCII.GetString(buffer, 0, head), StringComparison.Ordinal);
                read = text - head - 4;
                text = 0;
            }

            count -= read;
        }
    }

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    private static string Tell(List<(double Rate, double Cpu)> runs) =>
        $"{Median([.. runs.Select(static run => run.Rate)]):0} MB/s, {Median([.. runs.Select(static run => run.Cpu)]):0.00} CPU s/GB";
}
