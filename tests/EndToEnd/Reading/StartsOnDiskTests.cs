using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Changing;
using NzbDav.Host.Settings;
using NzbDav.Library.Pins;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>
/// Scanning a library and starting playback fetch no article: the parts they need were pinned when the files were imported. Prints its
/// figures; asserts only what does not depend on the machine's speed. <c>NZBDAV_MEASURE_STARTS</c> sets the number of files of each kind;
/// the default only shows that the measurement works.
/// </summary>
public sealed class StartsOnDiskTests(ITestOutputHelper output) : IDisposable
{
    private const int Few = 3;
    private const int Longest = 12 << 20;

    private static readonly int Files = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_STARTS"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;

    /// <summary>
    /// The provider of a measurement: <c>NZBDAV_MEASURE_NETWORK</c> names a network of the tester; 100 ms away without it.
    /// </summary>
    private static readonly MockProviderOptions Provider =
        (Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_NETWORK"] as string) switch
        {
            "loopback" => On(0, 0),
            "fibre" => On(10, 2),
            "far" => On(50, 10),
            "line" => On(30, 6) with { ConnectionRate = 6_000_000 },
            _ => On(100, 0),
        };

    /// <summary>rclone's cache mode of a real mount to scan through; null to scan over HTTP. Needs rclone and /dev/fuse.</summary>
    private static readonly string? Mount = Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_MOUNT"] as string;

    private readonly string _folder = Directory.CreateTempSubdirectory("nzbdav-films-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("film.mkv", "-c:v libx264 -preset ultrafast -g 24 -c:a aac")]
    [InlineData("film.mp4", "-c:v libx264 -preset ultrafast -g 24 -c:a aac")]
    [InlineData("film.ts", "-c:v libx264 -preset ultrafast -g 24 -c:a aac")]
    public async Task Ffprobe_and_starting_playback_fetch_no_article(string name, string codecs)
    {
        if (await RunAsync("ffmpeg", "-version") is null)
            Needs.Skip("ffmpeg is not installed.");
        var local = Path.Combine(_folder, name);
        Assert.NotNull(
            await RunAsync(
            "ffmpeg",
            $"-v error -y -f lavfi -i testsrc2=size=640x360:rate=24:duration=8 -f lavfi -i sine=duration=8 -map 0 -map 1 -b:v 30M " +
            $"-minrate 30M -maxrate 30M -bufsize 4M -nal-hrd cbr {codecs} -pix_fmt yuv420p {local}"));
        var film = await File.ReadAllBytesAsync(local);
        Assert.True(film.Length > Longest, $"The film has {film.Length} bytes, all of which may be pinned.");

        using var state = new Folder();
        await using var news = new NewsServers(Provider);
        var paths = new List<string>();
        var posted = new List<PostedFile>();
        await using (var gateway = await StartAsync(news, state))
        {
            for (var i = 0; i < Files; i++)
            {
                posted.Add(news.Store.AddFile(name, new MemorySource(film), null));
                paths.Add(await gateway.ImportAsync($"Film {i}", posted[i]) + "/" + name);
            }

            var pins = gateway.Services.GetRequiredService<PinStore>();
            await Deadline.UntilAsync(() => pins.Items.Count == Files, "the starts of the files are pinned");
            output.WriteLine($"{name}: {film.Length / 1e6:0.0} MB, of which {pins.Size / Files / 1e6:0.0} are on the disk");
            await ScanAsync(gateway, news, local, paths);
            for (var i = 0; i < Math.Min(Few, Files); i++)
                await gateway.Client.AssertFileAsync(paths[i], posted[i]);
        }

        // Nothing is pinned again: the existing pins are found on the disk.
        await using var restarted = await StartAsync(news, state);
        await Deadline.UntilAsync(() => restarted.Services.GetRequiredService<PinStore>().Items.Count == Files, "the pins are found");
        await ScanAsync(restarted, news, local, paths);
        foreach (var path in paths)
            Assert.Equal(HttpStatusCode.NoContent, (await restarted.Client.AskAsync("DELETE", path)).Status);
        await Deadline.UntilAsync(
            () => restarted.Services.GetRequiredService<PinStore>().Size == 0, "the pins are removed with their files");
    }

    [Fact]
    public async Task A_raised_limit_is_filled_at_once()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "one" });
        await using var gateway = await Gateway.StartAsync(news, change: static settings => settings with { StartsMiB = 0 });
        await gateway.ImportAsync("Film", news.Store.AddFile("film.mkv", new SeededSource(5, "film.mkv", 3_000_000)));
        var pins = gateway.Services.GetRequiredService<PinStore>();
        Assert.Empty(pins.Items);
        gateway.Services.GetRequiredService<LiveSettings>()
            .Apply(gateway.Services.GetRequiredService<SettingsBook>().Current with { StartsMiB = 64 });
        await Deadline.UntilAsync(() => pins.Items.Count == 1, "its start is pinned");
    }

    private static MockProviderOptions On(int milliseconds, int jitter) =>
        new() { Name = "one", Latency = TimeSpan.FromMilliseconds(milliseconds), Jitter = TimeSpan.FromMilliseconds(jitter) };

    private static Task<Gateway> StartAsync(NewsServers news, Folder state) =>
        Gateway.StartAsync(news, state, settings => settings with { StartsMiB = 4_096 });

    private async Task ScanAsync(Gateway gateway, NewsServers news, string local, List<string> paths)
    {
        var expected = await ProbeAsync(local, "");
        gateway.ForgetArticles();

        var pins = gateway.Services.GetRequiredService<PinStore>();
        var usual = pins.PlayingRate;

        // Outside a measurement nothing depends on how long ffprobe and the disk take.
        if (Files <= Few)
            (pins.PlayingRate, pins.FollowsClients, pins.Disk.ReadTimeout) = (1, false, TimeSpan.FromMinutes(1));
        await using var mount = Mount is { } mode
            ? await RcloneMount.StartAsync(gateway.Root.TrimEnd('/') + "/dav/", Gateway.User, Gateway.Password, mode) : null;
        var before = Bodies(news);
        var probes = new List<double>();
        var first = new List<double>();
        foreach (var path in paths)
        {
            var began = Stopwatch.GetTimestamp();
            var login = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{Gateway.User}:{Gateway.Password}"));
            Assert.Equal(expected, mount is null
                ? await ProbeAsync(gateway.Root.TrimEnd('/') + path, $"-headers \"Authorization: Basic {login}\r\n\"")
                : await ProbeAsync($"\"{mount.PathOf(path)}\"", ""));
            probes.Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
            first.Add(await FirstByteAsync(gateway, path, login));
        }

        (pins.PlayingRate, pins.FollowsClients) = (usual, true);
        var articles = Bodies(news) - before;
        probes.Sort();
        first.Sort();
        output.WriteLine(
            $"{paths.Count} files: {articles} articles; ffprobe p50 {probes[probes.Count / 2]:0} ms; first byte at " +
            $"{Provider.Latency.TotalMilliseconds} ms to the provider p50 {first[first.Count / 2]:0.0}, longest {first[^1]:0.0} ms");
        Assert.InRange(articles, 0, Files / 10);
    }

    private static long Bodies(NewsServers news) => news.Providers.Sum(
        provider => provider.Stats.Commands.GetValueOrDefault("BODY") + provider.Stats.Commands.GetValueOrDefault("ARTICLE"));

    /// <summary>Requests the whole file, as players do, and disconnects after the first bytes.</summary>
    private static async Task<double> FirstByteAsync(Gateway gateway, string path, string login)
    {
        var root = new Uri(gateway.Root);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(root.Host, root.Port, Deadline.Token);
        var began = Stopwatch.GetTimestamp();
        await socket.SendAsync(
            Encoding.ASCII.GetBytes(
            $"GET {path} HTTP/1.1\r\nHost: {root.Authority}\r\nAuthorization: Basic {login}\r\nRange: bytes=0-\r\nConnection: " +
            $"close\r\n\r\n"), Deadline.Token);
        var head = new List<byte>();
        var buffer = new byte[4_096];
        while (true)
        {
            var count = await socket.ReceiveAsync(buffer, Deadline.Token);
            Assert.True(count > 0, "The connection ended before the first byte.");
            head.AddRange(buffer.AsSpan(0, count));
            var end = head.ToArray().AsSpan().IndexOf("\r\n\r\n"u8);
            if (end >= 0 && head.Count > end + 4)
                break;
        }

        Assert.StartsWith("HTTP/1.1 206", Encoding.ASCII.GetString([.. head]), StringComparison.Ordinal);
        return Stopwatch.GetElapsedTime(began).TotalMilliseconds;
    }

    private static async Task<string> ProbeAsync(string what, string options) =>
        (await RunAsync(
            "ffprobe",
            $"-v error {options} -show_streams -show_entries format=duration,nb_streams,format_name -of default=noprint_wrappers=1 " +
            $"{what}"))!;

    /// <summary>The output of a program; null where it is not installed.</summary>
    private static async Task<string?> RunAsync(string program, string arguments)
    {
        if (!Array.Exists(["/usr/bin", "/usr/local/bin"], folder => File.Exists(Path.Combine(folder, program))))
            return null;
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true
        })!;
        process.StandardInput.Close();
        var errors = process.StandardError.ReadToEndAsync(Deadline.Token);
        var said = await process.StandardOutput.ReadToEndAsync(Deadline.Token);
        await process.WaitForExitAsync(Deadline.Token);
        Assert.True(process.ExitCode == 0, $"{program} {arguments}: {await errors}");
        return said;
    }
}
