using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// Three gateways with one catalog in PostgreSQL behind nginx, one of which is killed each minute, and one restart of the database. Prints
/// its figures; asserts only what does not depend on the machine's speed. <c>NZBDAV_MEASURE_GATEWAYS</c> sets the seconds; the default only
/// shows that the measurement works.
/// </summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed class GatewaysMeasurementTests(ITestOutputHelper output)
{
    private const int Gateways = 3;

    /// <summary>Connections of the account.</summary>
    private const int Connections = 30;

    /// <summary>Line speed in bytes a second.</summary>
    private const long Line = 60_000_000;

    private const int Few = 10;
    private static readonly int Seconds = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_GATEWAYS"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;
    private static readonly bool IsWhole = Seconds > Few;
    private static readonly int Streams = IsWhole ? 30 : 6;
    private static readonly int Imports = IsWhole ? 200 : 6;

    /// <summary>Gaps up to this long are not worth a line.</summary>
    private static readonly TimeSpan Short = TimeSpan.FromSeconds(1);

    /// <summary>The gateways compile when the streams begin, all on the same processors: gaps until then are shown by themselves.</summary>
    private static readonly TimeSpan Begun = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan KillEvery = TimeSpan.FromSeconds(IsWhole ? 60 : 4);

    private readonly List<(TimeSpan Length, TimeSpan At)> _gaps = [];
    private readonly List<string> _events = [];
    private readonly ConcurrentDictionary<string, int> _reasons = new(StringComparer.Ordinal);
    private long _read;
    private long _wrong;
    private long _retries;
    private int _kills;
    private int _restarts;

    [PostgresFact(Explicit = true)]
    public async Task One_of_three_gateways_is_killed_each_minute()
    {
        // The mock would allow more, so that its count shows whether more were opened.
        await using var news = new NewsServers(new MockProviderOptions
        { Name = "one", Latency = TimeSpan.FromMilliseconds(20), TotalRate = Line, MaxConnections = 10 * Connections });
        await using var gateways = new GatewayGroup(news, Gateways, Connections);
        await using var proxy = await ReverseProxy.StartScaleAsync(gateways.Ports);
        for (var i = 0; i < Gateways; i++)
            await gateways.StartAsync(i);
        var films = Enumerable.Range(0, Streams)
            .Select(i => news.Store.AddFile($"film{i}.mkv", new SeededSource((ulong)(70 + i), $"film{i}.mkv", 400_000_000))).ToArray();
        using var client = new DavClient(proxy.Root, Gateway.User, Gateway.Password);
        foreach (var film in films)
            await ImportAsync(client, film);
        foreach (var film in films)
            await client.UntilAsync(PathOf(film));
        var small = Enumerable.Range(0, Imports)
            .Select(i => news.Store.AddFile($"small{i}.mkv", new SeededSource((ulong)(700 + i), $"small{i}.mkv", 300_000 + i))).ToArray();
        news.First.ResetStats();
        var began = Stopwatch.GetTimestamp();
        List<(TimeSpan Length, TimeSpan At)> late;
        using (var end = new CancellationTokenSource(TimeSpan.FromSeconds(Seconds)))
        {
            var work = films.Select((film, number) => StreamAsync(proxy.Root, film, new Random(number), end.Token)).ToList();
            work.Add(ImportAllAsync(proxy.Root, small));
            work.Add(DisturbAsync(gateways, began, end.Token));
            var lateness = Lateness.WatchAsync(end.Token);
            await Task.WhenAll(work);
            late = await lateness;
        }

        var took = Stopwatch.GetElapsedTime(began);
        var stats = news.First.Stats;
        var meanwhile = int.Parse(PostgresServer.Shared.Sql("SELECT COUNT(*) FROM jobs WHERE state = 'completed'", gateways.Database),
            CultureInfo.InvariantCulture) - Streams;
        foreach (var file in small)
            await client.UntilAsync(PathOf(file));
        foreach (var file in small)
            await client.AssertFileAsync(PathOf(file), file);

        Print($"{took.TotalSeconds:0} s, {Streams} streams, {Imports} imports ({meanwhile} of them meanwhile)");
        Print($"{_kills} kills, {_restarts} restarts of the database");
        Print($"{_read / 1e6:0} MB read ({_read / 1e6 / took.TotalSeconds:0.0} MB/s), {_wrong} bytes wrong, {_retries} requests repeated");
        Print($"connections to the provider: at most {stats.ConnectionsPeak} of {Connections}");
        _gaps.Sort(static (one, other) => other.CompareTo(one));
        Print($"gaps in the first {Begun.TotalSeconds} s: {Gaps(_gaps.Where(static gap => gap.At <= Begun))}");
        Print($"gaps later: {Gaps(_gaps.Where(static gap => gap.At > Begun))}");
        Print($"this process late by more than {Lateness.Least.TotalSeconds} s: {Gaps(late)}");
        Print($"what happened: {string.Join(", ", _events)}");
        Print($"most often repeated: {string.Join(", ", _reasons.OrderByDescending(static reason => reason.Value).Take(5).Select(static reason => $"{reason.Key} ({reason.Value})"))}");
        Assert.Equal(0, _wrong);
        Assert.InRange(stats.ConnectionsPeak, 1, Connections);
        gateways.AssertEachJobOnce(Streams + Imports);
    }

    /// <summary>
    /// The target is that three gateways import no slower than one; on two processors they cannot be three times as fast.
    /// </summary>
    [PostgresFact(Explicit = true)]
    public async Task Imports_by_one_gateway_and_by_three()
    {
        await using var news = new NewsServers(
            new MockProviderOptions { Name = "one", Latency = TimeSpan.FromMilliseconds(20), MaxConnections = 10 * Connections });
        var warming = IsWhole ? 200 : 3;
        var posts = Enumerable.Range(0, warming + (IsWhole ? 1_000 : 6))
            .Select(i => news.Store.AddFile($"post{i}.mkv", new SeededSource((ulong)(7_000 + i), $"post{i}.mkv", 2_000_000 + i))).ToArray();
        var seconds = new Dictionary<int, double>();
        foreach (var gateways in (int[])[1, Gateways])
        {
            await using var group = new GatewayGroup(news, gateways, Connections);
            for (var i = 0; i < gateways; i++)
                await group.StartAsync(i);
            using var client = await group[0].ClientAsync();

            // What compiles at the first imports does not count.
            await ImportAllAsync(posts[..warming]);
            var began = Stopwatch.GetTimestamp();
            await ImportAllAsync(posts[warming..]);
            seconds[gateways] = Stopwatch.GetElapsedTime(began).TotalSeconds;
            group.AssertEachJobOnce(posts.Length);

            async Task ImportAllAsync(PostedFile[] some)
            {
                await Parallel.ForEachAsync(
                    some, new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (post, _) => await ImportAsync(client, post));
                await Deadline.UntilAsync(
                    () => Task.FromResult(PostgresServer.Shared.Sql("SELECT COUNT(*) FROM jobs WHERE state <> 'completed'", group.Database)
                        .Trim() == "0"), "all are imported");
            }
        }

        var measured = posts.Length - warming;
        Print($"{measured} posts: {measured / seconds[1]:0.0} a second with one gateway, {measured / seconds[Gateways]:0.0} with three");
        Print($"ratio {seconds[1] / seconds[Gateways]:0.00}");
    }

    private static string PathOf(PostedFile file) => $"/dav/content/movies/{Path.GetFileNameWithoutExtension(file.Name)}/{file.Name}";

    private static string Gaps(IEnumerable<(TimeSpan Length, TimeSpan At)> gaps)
    {
        var all = gaps.ToArray();
        var longest = all.Take(15).Select(static gap =>
            string.Create(CultureInfo.InvariantCulture, $"{gap.Length.TotalSeconds:0.00} s until second {gap.At.TotalSeconds:0}"));
        return $"{all.Count(static gap => gap.Length > TimeSpan.FromSeconds(5))} above 5 s, " +
            $"{all.Count(static gap => gap.Length > TimeSpan.FromSeconds(2))} above 2 s; the longest {string.Join(", ", longest)}";
    }

    private void Print(FormattableString text) => output.WriteLine(FormattableString.Invariant(text));

    /// <summary>Kills one gateway after the other and starts it again; in between, the database once.</summary>
    private async Task DisturbAsync(GatewayGroup gateways, long began, CancellationToken end)
    {
        try
        {
            for (var turn = 0; ; turn++)
            {
                await Task.Delay(KillEvery, end);
                Note($"gateway {turn % Gateways} killed");
                await gateways.KillAsync(turn % Gateways);
                _kills++;
                await gateways.StartAsync(turn % Gateways);
                Note($"answers");
                if (turn > 0)
                    continue;
                await Task.Delay(KillEvery / 2, end);
                Note($"database stopped");
                PostgresServer.Shared.Stop("fast");
                PostgresServer.Shared.Start();
                _restarts++;
                Note($"started");
            }
        }
        catch (OperationCanceledException)
        {
        }

        void Note(string what) =>
            _events.Add(string.Create(CultureInfo.InvariantCulture, $"{what} {Stopwatch.GetElapsedTime(began).TotalSeconds:0.0}"));
    }

    /// <summary>Reads pieces of a film, with jumps in between, as a player that repeats what fails.</summary>
    private async Task StreamAsync(string root, PostedFile film, Random random, CancellationToken end)
    {
        using var http = new HttpClient { BaseAddress = new Uri(root), Timeout = Timeout.InfiniteTimeSpan };
        http.DefaultRequestHeaders.Authorization = DavClient.Basic(Gateway.User, Gateway.Password);
        var (buffer, expected) = (new byte[64 << 10], new byte[64 << 10]);
        var began = Stopwatch.GetTimestamp();
        var last = began;
        while (!end.IsCancellationRequested)
        {
            var position = random.NextInt64(film.Length);
            var stop = Math.Min(film.Length, position + random.NextInt64(2_000_000, 30_000_000));
            while (position < stop && !end.IsCancellationRequested)
            {
                try
                {
                    using var request = new HttpRequestMessage(HttpMethod.Get, PathOf(film))
                    { Headers = { Range = new RangeHeaderValue(position, stop - 1) } };
                    using var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, end);
                    if (response.StatusCode != HttpStatusCode.PartialContent)
                        throw new HttpRequestException($"{response.StatusCode}");
                    await using var body = await response.Content.ReadAsStreamAsync(end);
                    while (position < stop)
                    {
                        var length = await body.ReadAsync(buffer.AsMemory(0, (int)Math.Min(buffer.Length, stop - position)), end);
                        if (length == 0)
                            throw new HttpRequestException("The body is short.");
                        film.Source.Fill(position, expected.AsSpan(0, length));
                        if (!buffer.AsSpan(0, length).SequenceEqual(expected.AsSpan(0, length)))
                            Interlocked.Add(ref _wrong, length);
                        position += length;
                        Interlocked.Add(ref _read, length);
                        AddGap();
                        last = Stopwatch.GetTimestamp();
                    }
                }
                catch (OperationCanceledException) when (end.IsCancellationRequested)
                {
                }
                catch (Exception e) when (e is HttpRequestException or IOException)
                {
                    Interlocked.Increment(ref _retries);
                    _reasons.AddOrUpdate($"{film.Name}: {e.Message}", 1, static (_, times) => times + 1);
                    await Task.Delay(100, CancellationToken.None);
                }
            }
        }

        // Also one that has not ended.
        AddGap();

        void AddGap()
        {
            var gap = Stopwatch.GetElapsedTime(last);
            if (gap < Short)
                return;
            lock (_gaps)
                _gaps.Add((gap, Stopwatch.GetElapsedTime(began)));
        }
    }

    private async Task ImportAllAsync(string root, IReadOnlyList<PostedFile> files)
    {
        using var client = new DavClient(root, Gateway.User, Gateway.Password);
        var pause = TimeSpan.FromSeconds(0.8 * Seconds / files.Count);
        foreach (var file in files)
        {
            await ImportAsync(client, file);
            await Task.Delay(pause);
        }
    }

    /// <summary>Drops an .nzb; what got no answer is looked for before it is dropped again, as the *arrs do.</summary>
    private async Task ImportAsync(DavClient client, PostedFile file)
    {
        var name = Path.GetFileNameWithoutExtension(file.Name);
        while (true)
        {
            try
            {
                var (status, text) = await client.AskAsync("PUT", $"/dav/nzbs/movies/{name}.nzb", NzbWriter.ToBytes([file]));
                if (status is HttpStatusCode.Created or HttpStatusCode.NoContent)
                    return;
                Assert.True((int)status >= 500, text);
            }
            catch (Exception e) when (e is HttpRequestException or IOException)
            {
            }

            Interlocked.Increment(ref _retries);
            await Task.Delay(500);
            if (await IsThereAsync(client, PathOf(file)))
                return;
        }
    }

    private static async Task<bool> IsThereAsync(DavClient client, string path)
    {
        for (var look = 0; look < 10; look++)
        {
            try
            {
                if ((await client.AskAsync("HEAD", path)).Status == HttpStatusCode.OK)
                    return true;
            }
            catch (Exception e) when (e is HttpRequestException or IOException)
            {
            }

            await Task.Delay(500);
        }

        return false;
    }
}
