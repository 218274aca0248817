using System.CommandLine;
using System.ComponentModel;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json.Nodes;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Mounts;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Report;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Plays;

/// <summary>
/// The command line that measures playing at once: <c>nzbdav --test-play …</c>. From an .nzb that no server has seen to the first frame.
/// </summary>
public static class PlaysCommand
{
    /// <summary>The option that selects it.</summary>
    public const string Name = "--test-play";

    private static readonly PlaysOptions Default = new();

    /// <summary>True when a command line selects it.</summary>
    public static bool IsAsked(IEnumerable<string> args) => args.Contains(Name, StringComparer.Ordinal);

    /// <summary>Creates the command.</summary>
    public static RootCommand Create()
    {
        var profiles = new Option<string[]>("--profile")
        {
            Description = "Networks, one run each: " + string.Join(", ", NetworkProfile.Named.Select(network => network.Name)) + ".",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => [.. Default.Networks.Select(network => network.Name)]
        };
        profiles.AcceptOnlyFromAmong([.. NetworkProfile.Named.Select(network => network.Name)]);
        var posts = NumberOption.Create("--posts", Default.Posts, "Posts of each network, one after the other; the medians count.", 1);
        var size = NumberOption.Create("--size", Default.SizeMiB, "MiB of the film in each post.", 16);
        var volume = NumberOption.Create("--volume", Default.VolumeMiB, "MiB of each RAR volume.", 1);
        var connections = NumberOption.Create("--connections", Default.Connections, "Connections of the account.", 1);
        var json = CommandFrame.Json("figures");
        return CommandFrame.Create(
            Name,
            "Sends the .nzb of a film in RAR volumes to /api/v1/play, and takes the time until the address is there, until ffprobe " +
            "knows the film and its first MiB has come, of a second call, of a post that is gone, of two copies that die while a third " +
            "is sound, and of a thousand calls at once. Compares every byte.",
            [profiles, posts, size, volume, connections, json],
            (parsed, cancellationToken) => RunAsync(
                new PlaysOptions
                {
                    Networks = [.. parsed.GetValue(profiles)!.Select(name => NetworkProfile.Find(name)!)],
                    Posts = parsed.GetValue(posts),
                    SizeMiB = parsed.GetValue(size),
                    VolumeMiB = parsed.GetValue(volume),
                    Connections = parsed.GetValue(connections),
                    Json = parsed.GetValue(json),
                },
                cancellationToken));
    }

    private static async Task<int> RunAsync(PlaysOptions options, CancellationToken cancellationToken)
    {
        var results = await new PlaysRun(options, Console.Out).RunAsync(cancellationToken);
        foreach (var result in results)
            result.Write(TableConsole.Create(90));
        if (options.Json is { } json)
        {
            var all = new JsonArray([.. results.Select(static result => (JsonNode)result.ToJson())]);
            await File.WriteAllTextAsync(json.FullName, all.ToJsonString(), cancellationToken);
        }

        return results.All(static result => result.Failures.Count == 0) ? 0 : 1;
    }
}

/// <summary>Options of the measurement. Immutable.</summary>
internal sealed record PlaysOptions
{
    public IReadOnlyList<NetworkProfile> Networks { get; init; } = [NetworkProfile.Find("fibre")!, NetworkProfile.Find("far")!];

    public int Posts { get; init; } = 10;

    /// <summary>Size of the film in each post.</summary>
    public int SizeMiB { get; init; } = 10_240;

    public int VolumeMiB { get; init; } = 100;

    public int Connections { get; init; } = 20;

    public FileInfo? Json { get; init; }
}

/// <summary>What one network gave.</summary>
/// <param name="network">The network.</param>
/// <param name="options">Sizes and numbers.</param>
internal sealed class PlaysResult(NetworkProfile network, PlaysOptions options)
{
    /// <summary>The figures, and the most milliseconds that are wanted; null: none are.</summary>
    private static readonly (string Name, string Title, double? Most)[] Rows =
    [
        (Address, "until the address is there, ms", 400), (Frame, "until ffprobe knows it and 1 MiB has come, ms", 600),
        (Again, "the same post again, ms", null), (Gone, "a post that is gone, ms", null), (GoneAgain, "the same again, ms", null),
        (NextCopy, "two of three copies die under a reader: its next MiB, ms", 2_000),
        (Alone, "reading on, a film without other copies, MB/s", null), (AloneCpu, "its CPU, s/GB", null),
        (WithCopies, "the same with two other copies known, MB/s", null), (WithCopiesCpu, "its CPU, s/GB", null),
        (Crowd, "1,000 calls at once for ten posts: all answered, ms", null),
        (Memory, "the server's peak memory, MiB", null),
    ];

    public const string Address = "address_ms";
    public const string Frame = "frame_ms";
    public const string Again = "again_ms";
    public const string Gone = "gone_ms";
    public const string GoneAgain = "gone_again_ms";
    public const string NextCopy = "next_copy_ms";
    public const string Alone = "alone_mb_per_s";
    public const string AloneCpu = "alone_cpu_s_per_gb";
    public const string WithCopies = "with_copies_mb_per_s";
    public const string WithCopiesCpu = "with_copies_cpu_s_per_gb";
    public const string Crowd = "crowd_ms";
    public const string Memory = "server_peak_mib";

    private readonly Dictionary<string, List<double>> _values = new(StringComparer.Ordinal);

    public List<string> Failures { get; } = [];

    public void Add(string figure, TimeSpan took) => Add(figure, took.TotalMilliseconds);

    public void Add(string figure, double value)
    {
        if (!_values.TryGetValue(figure, out var values))
            _values[figure] = values = [];
        values.Add(value);
    }

    public void Write(IAnsiConsole console)
    {
        var table = new Table
        {
            Title = new TableTitle(
                $"{network}; {options.Posts} films of {options.SizeMiB:N0} MiB, {options.Connections} connections"),
        };
        foreach (var title in (string[])["", "p50", "longest", "wanted", ""])
            table.AddColumn(title);
        foreach (var (name, title, most) in Rows)
        {
            if (!_values.TryGetValue(name, out var values))
                continue;
            var median = MatrixCell.Median([.. values]);
            table.AddRow(title, Text(median), Text(values.Max()), most is { } limit ? $"≤ {limit:0}" : "",
                most is null ? "" : median <= most ? "met" : "MISSED");
        }

        console.Write(table);
        foreach (var failure in Failures)
            console.MarkupLineInterpolated($"[red]{failure}[/]");
        console.MarkupLineInterpolated($"{(Failures.Count == 0 ? "passed" : "FAILED")}");

        static string Text(double value) => value.ToString(value < 10 ? "N2" : "N1", CultureInfo.InvariantCulture);
    }

    public JsonObject ToJson() => new(
        [
            new("network", network.Name), new("failures", new JsonArray([.. Failures.Select(static failure => (JsonNode)failure)])),
            .. _values.Select(pair => new KeyValuePair<string, JsonNode?>(pair.Key, MatrixCell.Median([.. pair.Value])))
        ]);
}

/// <summary>Measures: a mock provider in this process, and one server with the defaults for each network.</summary>
internal sealed class PlaysRun(PlaysOptions options, TextWriter output)
{
    private const int FirstBytes = 1 << 20;

    private readonly TimeProvider _time = TimeProvider.System;

    public async Task<IReadOnlyList<PlaysResult>> RunAsync(CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-plays-");
        var store = new ArticleStore();
        var video = await MakeVideoAsync(folder.FullName, cancellationToken);
        try
        {
            await using var mock = MockProvider.Start(
                store, new MockProviderOptions { Username = MockAccount.Username, Password = MockAccount.Password });
            var results = new List<PlaysResult>();
            foreach (var network in options.Networks)
            {
                mock.Latency = TimeSpan.FromMilliseconds(network.LatencyMs);
                mock.Jitter = TimeSpan.FromMilliseconds(network.JitterMs);
                mock.ConnectionRate = network.Rate is { } rate ? long.Parse(rate, CultureInfo.InvariantCulture) : 0;
                var config = Path.Combine(folder.FullName, network.Name);
                results.Add(await MeasureAsync(network, config, store, mock, video, cancellationToken));
            }

            return results;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private async Task<PlaysResult> MeasureAsync(
        NetworkProfile network, string config, ArticleStore store, MockProvider mock, byte[] video, CancellationToken cancellationToken)
    {
        var result = new PlaysResult(network, options);
        var settings = MatrixServer.Settings(
            MockAccount.CreateWithLogin(0, mock.Name, mock.Port, tls: false, connections: options.Connections));
        using var indexer = new PlaysIndexer();
        settings["NzbDav__Search__Indexers__0__Url"] = indexer.Root;
        await using var server = await ServerProcess.StartAsync(config, settings, cancellationToken);
        using var client = new PlayCaller(server.Root, await File.ReadAllTextAsync(Path.Combine(config, "keys", "api"), cancellationToken));

        // The first is not counted: code is compiled and connections are opened.
        for (var number = 0; number <= options.Posts; number++)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"Film.{network.Name}.{number}");
            var (nzb, source) = Post(store, name, video);
            var began = _time.GetTimestamp();
            if (await client.PlayAsync(nzb, cancellationToken) is not { Address: { } address } answer)
            {
                result.Failures.Add($"{name}: {(await client.PlayAsync(nzb, cancellationToken)).Body}");
                continue;
            }

            var took = _time.GetElapsedTime(began);
            var probed = await ProbeAsync(address, cancellationToken);
            var first = await client.ReadAsync(address, FirstBytes, cancellationToken);
            var whole = _time.GetElapsedTime(began);
            var expected = new byte[FirstBytes];
            source.Fill(0, expected);
            if (!SHA256.HashData(expected).SequenceEqual(SHA256.HashData(first)))
                result.Failures.Add($"{name}: the first MiB is wrong.");
            if (probed is not null)
                result.Failures.Add($"{name}: {probed}");
            began = _time.GetTimestamp();
            var again = await client.PlayAsync(nzb, cancellationToken);
            if (number == 0)
                continue;
            result.Add(PlaysResult.Address, took);
            result.Add(PlaysResult.Frame, whole);
            result.Add(PlaysResult.Again, _time.GetElapsedTime(began));
            if (again.Address is null)
                result.Failures.Add($"{name}, again: {again.Body}");
        }

        for (var number = 0; number < options.Posts; number++)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"Gone.{network.Name}.{number}");
            var (nzb, _) = Post(store, name, video, mock);
            foreach (var figure in (string[])[PlaysResult.Gone, PlaysResult.GoneAgain])
            {
                var began = _time.GetTimestamp();
                var answer = await client.PlayAsync(nzb, cancellationToken);
                result.Add(figure, _time.GetElapsedTime(began));
                if (answer.Address is not null || !answer.Body.Contains("missing-articles", StringComparison.Ordinal))
                    result.Failures.Add($"{name}: {answer.Body}");
            }
        }

        for (var number = 0; number < options.Posts; number++)
            await MeasureCopiesAsync(number);
        await MeasureReadingAsync();
        await MeasureCrowdAsync();
        result.Add(PlaysResult.Memory, server.PeakMiB);
        foreach (var error in ServerLog.Errors(server.Said))
            result.Failures.Add($"The server logged: {error}");
        await output.WriteLineAsync($"{network.Name}: measured");
        return result;

        async Task MeasureCopiesAsync(int number)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"Copies.{network.Name}.{number}.2026");
            var copies = new List<IReadOnlyList<PostedFile>>();
            var film = (IArticleSource)new HeadedSource(video, new SeededSource(MockPost.Seed, name, options.SizeMiB * Units.MiB));
            for (var copy = 0; copy < 3; copy++)
            {
                copies.Add(PostFilm(store, name, film));
                indexer.Add(name, NzbWriter.ToBytes(copies[^1]));
            }

            var answer = await client.PlayFoundAsync(name, cancellationToken);
            if (answer.Address is not { } address)
            {
                result.Failures.Add($"{name}: {answer.Body}");
                return;
            }

            // The first keeps its first volume, the second nothing.
            foreach (var file in copies[0].Skip(1).Concat(copies[1]))
                mock.Faults.Add(Fault.Missing, FaultTarget.File(file));
            var place = options.SizeMiB * Units.MiB / 2;
            var began = _time.GetTimestamp();
            var read = await client.ReadAsync(address, FirstBytes, cancellationToken, place);
            result.Add(PlaysResult.NextCopy, _time.GetElapsedTime(began));
            var expected = new byte[FirstBytes];
            film.Fill(place, expected);
            if (!SHA256.HashData(expected).SequenceEqual(SHA256.HashData(read)))
                result.Failures.Add($"{name}: the MiB behind the death is wrong.");
        }

        // In turns, so that the machine's other work hits both.
        async Task MeasureReadingAsync()
        {
            const int Turns = 5;
            var share = options.SizeMiB * Units.MiB / (2 * Turns);
            var name = string.Create(CultureInfo.InvariantCulture, $"Reading.{network.Name}.2026");
            var (alone, _) = Post(store, name + ".Alone", video);
            var film = new HeadedSource(video, new SeededSource(MockPost.Seed, name, options.SizeMiB * Units.MiB));
            for (var copy = 0; copy < 3; copy++)
                indexer.Add(name, NzbWriter.ToBytes(PostFilm(store, name, film)));
            if (await client.PlayAsync(alone, cancellationToken) is not { Address: { } plain }
                || await client.PlayFoundAsync(name, cancellationToken) is not { Address: { } copied })
            {
                result.Failures.Add($"{name} does not play.");
                return;
            }

            for (var turn = 0; turn < Turns; turn++)
            {
                foreach (var (rate, cost, address) in ((string, string, Uri)[])
                    [(PlaysResult.Alone, PlaysResult.AloneCpu, plain), (PlaysResult.WithCopies, PlaysResult.WithCopiesCpu, copied)])
                {
                    var (began, cpu) = (_time.GetTimestamp(), server.Cpu);
                    await client.DrainAsync(address, turn * share, share, cancellationToken);
                    result.Add(rate, share / _time.GetElapsedTime(began).TotalSeconds / 1e6);
                    result.Add(cost, (server.Cpu - cpu).TotalSeconds / (share / 1e9));
                }
            }
        }

        async Task MeasureCrowdAsync()
        {
            const int Calls = 1_000, Films = 10;
            var nzbs = Enumerable.Range(0, Films).Select(number =>
                Post(store, string.Create(CultureInfo.InvariantCulture, $"Crowd.{network.Name}.{number}"), video).Nzb).ToArray();
            var began = _time.GetTimestamp();
            var answers = await Task.WhenAll(
                Enumerable.Range(0, Calls).Select(number => client.PlayAsync(nzbs[number % Films], cancellationToken)));
            result.Add(PlaysResult.Crowd, _time.GetElapsedTime(began));
            foreach (var answer in answers.Where(static answer => answer.Address is null).Take(3))
                result.Failures.Add($"Of a thousand calls: {answer.Body}");
            var jobs = answers.Select(static answer => answer.Job).Distinct().Count();
            if (jobs != Films)
                result.Failures.Add($"A thousand calls for {Films} posts made {jobs} jobs.");
        }
    }

    /// <summary>Posts a film in RAR volumes.</summary>
    /// <param name="store">Receives it.</param>
    /// <param name="name">Of the film.</param>
    /// <param name="video">How it begins.</param>
    /// <param name="mock">The provider that lacks it; null: it has it.</param>
    private (byte[] Nzb, IArticleSource Film) Post(ArticleStore store, string name, byte[] video, MockProvider? mock = null)
    {
        var film = new HeadedSource(video, new SeededSource(MockPost.Seed, name, options.SizeMiB * Units.MiB));
        var files = PostFilm(store, name, film);
        foreach (var file in mock is null ? [] : files)
            mock!.Faults.Add(Fault.Missing, FaultTarget.File(file));
        return (NzbWriter.ToBytes(files), film);
    }

    private IReadOnlyList<PostedFile> PostFilm(ArticleStore store, string name, IArticleSource film) => store.AddPost(
        [.. StoredRar.Lay($"{name}.mkv", film, options.VolumeMiB << 20).Select((volume, index) =>
            (string.Create(CultureInfo.InvariantCulture, $"{name}.part{index + 1:000}.rar"), volume))],
        new PostOptions { ArticleSize = (int)MockPost.ArticleSize });

    /// <returns>What ffprobe complains about; null: nothing, or there is no ffprobe.</returns>
    private static async Task<string?> ProbeAsync(Uri address, CancellationToken cancellationToken)
    {
        try
        {
            var run = await ToolRun.StartAsync(
                "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", address.AbsoluteUri], cancellationToken);
            return run.Code == 0 && run.Output.Trim().Length > 0 ? null : $"ffprobe: {run.Complaint.Trim()}";
        }
        catch (Win32Exception)
        {
            return null;
        }
    }

    /// <summary>The first bytes of a real film, so that ffprobe has something to read; without ffmpeg those of a Matroska file.</summary>
    private static async Task<byte[]> MakeVideoAsync(string folder, CancellationToken cancellationToken)
    {
        var path = Path.Combine(folder, "video.mkv");
        try
        {
            var run = await ToolRun.StartAsync(
                "ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=10", "-c:v", "mpeg4",
                    "-b:v", "6M", path], cancellationToken);
            if (run.Code == 0)
                return await File.ReadAllBytesAsync(path, cancellationToken);
        }
        catch (Win32Exception)
        {
        }

        return [0x1A, 0x45, 0xDF, 0xA3];
    }

    /// <summary>Another source's bytes behind a head.</summary>
    private sealed class HeadedSource(byte[] head, IArticleSource inner) : IArticleSource
    {
        public long Length => inner.Length;

        public void Fill(long offset, Span<byte> destination)
        {
            inner.Fill(offset, destination);
            if (offset < head.Length)
                head.AsSpan((int)offset, (int)Math.Min(destination.Length, head.Length - offset)).CopyTo(destination);
        }
    }
}
