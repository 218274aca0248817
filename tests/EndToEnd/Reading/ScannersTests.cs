using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Providers;
using NzbDav.WebDav.Streams;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>
/// Four scanners beside one player on a line too slow for all of them. Prints its figures; asserts only what does not depend on the
/// machine's speed. <c>NZBDAV_MEASURE_SCANS</c> sets the seconds of each run; the default only shows that the measurement works.
/// </summary>
public sealed class ScannersTests(ITestOutputHelper output)
{
    private const int Scanners = 4;
    private const long Line = 16_000_000;

    /// <summary>32 Mbit/s.</summary>
    private const long FilmRate = 4_000_000;

    /// <summary>Seconds of film that a player buffers before it starts to play.</summary>
    private const double Stock = 2;

    private static readonly int? Asked = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_SCANS"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : null;

    [Fact(Explicit = true)]
    public async Task A_player_beside_four_scanners()
    {
        // With the sizes of hour-long films a player is never taken for a scanner, whatever the machine does.
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(30), TotalRate = Line });
        var film = news.Store.AddFile("film.mkv", new SeededSource(3, "film.mkv", Asked is null ? 60_000_000 : 5_000_000_000));
        var episodes = Enumerable.Range(0, Scanners).Select(i => news.Store.AddFile(
            $"e{i}.mkv", new SeededSource((ulong)(5 + i), $"e{i}.mkv", Asked is null ? 40_000_000 : 700_000_000))).ToArray();
        await using var gateway = await Gateway.StartAsync(news);
        var path = await gateway.ImportAsync("Film", film) + "/film.mkv";
        var paths = new List<string>();
        for (var i = 0; i < Scanners; i++)
            paths.Add(await gateway.ImportAsync($"Episode {i}", episodes[i]) + $"/e{i}.mkv");
        foreach (var recognises in new[] { false, true, false, true })
        {
            gateway.Services.GetRequiredService<ActiveStreams>().RecognisesScans = recognises;
            gateway.ForgetArticles();
            await RunAsync(gateway, path, film, paths, recognises);
        }
    }

    [Theory(Explicit = true)]
    [InlineData(4, false)]
    [InlineData(1, true)]
    public async Task Fast_streams_use_what_nobody_else_needs(int streams, bool player)
    {
        var options = new MockProviderOptions
        {
            Name = "one",
            Latency = TimeSpan.FromMilliseconds(30),
            Jitter = TimeSpan.FromMilliseconds(6),
            ConnectionRate = 6_000_000,
        };
        await using var news = new NewsServers(options);
        var film = news.Store.AddFile("film.mkv", new SeededSource(3, "film.mkv", Asked is null ? 60_000_000 : 5_000_000_000));
        var files = Enumerable.Range(0, streams)
            .Select(i => news.Store.AddFile(
                $"e{i}.mkv", new SeededSource((ulong)(5 + i), $"e{i}.mkv", Asked is null ? 40_000_000 : 4_000_000_000))).ToArray();
        await using var gateway = await Gateway.StartAsync(news);
        var path = await gateway.ImportAsync("Film", film) + "/film.mkv";
        var paths = new List<string>();
        for (var i = 0; i < streams; i++)
            paths.Add(await gateway.ImportAsync($"Episode {i}", files[i]) + $"/e{i}.mkv");
        var registry = gateway.Services.GetRequiredService<ActiveStreams>();
        foreach (var recognises in new[] { false, true, false, true })
        {
            registry.RecognisesScans = recognises;
            gateway.ForgetArticles();
            using var over = new CancellationTokenSource();
            long read = 0;
            var reading = paths.ConvertAll(one => ScanAsync(gateway, one, over.Token, count => Interlocked.Add(ref read, count)));
            await Task.Delay(TimeSpan.FromSeconds(Asked is null ? 0.1 : 13), Deadline.Token);
            var recognised = registry.List().Count(static stream => stream.Scan != ScanSign.None);
            var (began, before) = (Stopwatch.GetTimestamp(), Interlocked.Read(ref read));
            var (first, longest, stalls, played) = (0.0, 0.0, 0.0, 0.0);
            if (player)
            {
                (first, longest, stalls) = await PlayAsync(gateway, path, film);
                played = (Asked ?? 1) * FilmRate;
            }
            else
            {
                await Task.Delay(TimeSpan.FromSeconds(Asked ?? 0.1), Deadline.Token);
            }

            var rate = (Interlocked.Read(ref read) - before + played) / Stopwatch.GetElapsedTime(began).TotalSeconds;
            await over.CancelAsync();
            await Task.WhenAll(reading);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"recognition {(recognises ? "on " : "off")}: {recognised} of {streams} give way; together {rate / 1e6:0.0} MB/s; the " +
                $"player's first byte {first:0} ms, longest wait {longest:0} ms, {stalls:0.0} s of standing still"));
            if (!recognises)
                Assert.Equal(0, recognised);
        }
    }

    private async Task RunAsync(Gateway gateway, string path, PostedFile film, List<string> episodes, bool recognises)
    {
        using var over = new CancellationTokenSource();
        var scans = episodes.ConvertAll(episode => ScanAsync(gateway, episode, over.Token));
        var streams = gateway.Services.GetRequiredService<ActiveStreams>();

        // The player starts once the scanners are running.
        await Task.Delay(TimeSpan.FromSeconds(Asked is null ? 0.1 : 30), Deadline.Token);
        var recognised = streams.List().Count(static stream => stream.Scan != ScanSign.None);
        var (first, longest, stalls) = await PlayAsync(gateway, path, film);
        await over.CancelAsync();
        var read = (await Task.WhenAll(scans)).Sum();
        output.WriteLine(
            $"recognition {(recognises ? "on " : "off")}: {recognised} of {Scanners} give way; the player's first byte {first:0} ms, " +
            $"longest wait {longest:0} ms, {stalls:0.0} s of standing still; scanners read {read / 1e6:0} MB");
        if (!recognises)
            Assert.Equal(0, recognised);
    }

    /// <summary>Reads as fast as possible.</summary>
    private static async Task<long> ScanAsync(Gateway gateway, string path, CancellationToken over, Action<int>? came = null)
    {
        long read = 0;
        try
        {
            using var socket = await OpenAsync(gateway, path, "scanner/1");
            var buffer = new byte[256 << 10];
            while (await socket.ReceiveAsync(buffer, over) is > 0 and var count)
            {
                read += count;
                came?.Invoke(count);
            }
        }
        catch (OperationCanceledException)
        {
            // Stopped by the test.
        }

        return read;
    }

    /// <summary>Plays at the film's rate with a buffer of two seconds, and compares each byte with the source.</summary>
    private static async Task<(double First, double Longest, double Stalls)> PlayAsync(Gateway gateway, string path, PostedFile film)
    {
        var opened = Stopwatch.GetTimestamp();
        using var socket = await OpenAsync(gateway, path, "player/1");
        var total = (long)((Asked ?? 1) * FilmRate);
        var (buffer, expected) = (new byte[256 << 10], new byte[256 << 10]);
        long read = 0;
        var (first, longest, stalls) = (0.0, 0.0, 0.0);
        long? playsSince = null;
        while (read < total)
        {
            // A player whose buffer is full requests no more.
            if (playsSince is { } since && (read / (double)FilmRate) - Stopwatch.GetElapsedTime(since).TotalSeconds > Stock)
            {
                await Task.Delay(20, Deadline.Token);
                continue;
            }

            var began = Stopwatch.GetTimestamp();
            var count = await socket.ReceiveAsync(buffer.AsMemory(0, (int)Math.Min(buffer.Length, total - read)), Deadline.Token);
            Assert.True(count > 0, "The connection ended early.");
            if (read == 0)
                first = Stopwatch.GetElapsedTime(opened).TotalMilliseconds;
            film.Source.Fill(read, expected.AsSpan(0, count));
            Assert.True(expected.AsSpan(0, count).SequenceEqual(buffer.AsSpan(0, count)));
            read += count;
            if (playsSince is null && read >= Stock * FilmRate)
                playsSince = Stopwatch.GetTimestamp();
            if (playsSince is not { } playing)
                continue;
            longest = Math.Max(longest, Stopwatch.GetElapsedTime(began).TotalMilliseconds);

            // The picture freezes until there is data; from then on playback is later by that much.
            var behind = Stopwatch.GetElapsedTime(playing).TotalSeconds - (read / (double)FilmRate);
            if (behind <= 0)
                continue;
            stalls += behind;
            playsSince = playing + (long)(behind * Stopwatch.Frequency);
        }

        return (first, longest, stalls);
    }

    /// <summary>A connection, positioned behind the response head.</summary>
    private static async Task<Socket> OpenAsync(Gateway gateway, string path, string agent)
    {
        var root = new Uri(gateway.Root);
        var login = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{Gateway.User}:{Gateway.Password}"));
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 1 << 20 };
        await socket.ConnectAsync(root.Host, root.Port, Deadline.Token);
        await socket.SendAsync(
            Encoding.ASCII.GetBytes(
            $"GET {path} HTTP/1.1\r\nHost: {root.Authority}\r\nUser-Agent: {agent}\r\nAuthorization: Basic {login}\r\nRange: " +
            $"bytes=0-\r\nConnection: close\r\n\r\n"), Deadline.Token);
        var head = new StringBuilder();
        var one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            Assert.Equal(1, await socket.ReceiveAsync(one, Deadline.Token));
            head.Append((char)one[0]);
        }

        Assert.StartsWith("HTTP/1.1 206", head.ToString(), StringComparison.Ordinal);
        return socket;
    }
}
