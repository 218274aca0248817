using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Xml.Linq;
using NzbDav.MockUsenet;

namespace NzbDav.FullNzbTester;

/// <summary>One profile from an empty configuration to the last seek.</summary>
internal sealed class ProbeRun : IDisposable
{
    private const string User = "probe";
    private const string Password = "probe-password";
    private const long MiB = 1 << 20;

    private readonly ProbeOptions _options;
    private readonly ProbeResult _result;
    private readonly HttpClient _http = new();

    private ProbeRun(ProbeOptions options)
    {
        _options = options;
        _result = new ProbeResult { Options = options };
        _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{User}:{Password}")));
    }

    public static async Task<ProbeResult> RunAsync(ProbeOptions options, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-probe-");
        using var run = new ProbeRun(options);
        try
        {
            await run.RunAsync(folder.FullName, cancellationToken);
            return run._result;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    public void Dispose() => _http.Dispose();

    private async Task RunAsync(string folder, CancellationToken cancellationToken)
    {
        var nzb = Path.Combine(folder, "probe.nzb");
        var (mock, ready) = await ChildProcess.StartAsync(
            ChildProcess.Find("tools/MockUsenet", "nzbdav-mock-usenet.dll"), MockArguments(nzb), new Dictionary<string, string>(), line => line.Contains("\"ready\"", StringComparison.Ordinal), cancellationToken);
        await using var _ = mock;
        using var line = JsonDocument.Parse(ready);
        var stats = new MockStats(_http, line.RootElement.GetProperty("statsPort").GetInt32());
        var environment = new Dictionary<string, string>
        {
            ["NzbDav__Usenet__Providers__0__Host"] = "127.0.0.1",
            ["NzbDav__Usenet__Providers__0__Port"] = line.RootElement.GetProperty("ports")[0].GetInt32().ToString(CultureInfo.InvariantCulture),
            ["NzbDav__Usenet__Providers__0__UseTls"] = "false",
            ["NzbDav__Usenet__Providers__0__MaxConnections"] = _options.Connections.ToString(CultureInfo.InvariantCulture),
            ["NzbDav__WebDav__Username"] = User,
            ["NzbDav__WebDav__Password"] = Password,
        };
        var (server, serving) = await ChildProcess.StartAsync(
            ChildProcess.Find("backend", "nzbdav.dll"), ["--config", Path.Combine(folder, "config"), "--urls", "http://127.0.0.1:0"], environment,
            said => said.Contains("serves WebDAV at", StringComparison.Ordinal), cancellationToken);
        await using var __ = server;
        var root = new Uri(serving[serving.IndexOf("http", StringComparison.Ordinal)..].Trim());

        var file = await ImportAsync(root, nzb, cancellationToken);
        var source = new byte[_options.SizeMiB * MiB];
        new SeededSource(1, "mock.bin", source.Length).Fill(0, source);
        var client = new RangeClient(file, _http.DefaultRequestHeaders.Authorization!.ToString(), source);
        await MeasureAsync(client, server, stats, source.Length, cancellationToken);
        var readers = Enumerable.Range(0, _options.Readers).Select(_ => client.Another()).ToArray();
        await MeasureTogetherAsync(readers, source.Length, cancellationToken);
        _result.PeakMiB = server.PeakMiB;
        foreach (var reader in readers.Append(client))
        {
            _result.BytesCompared += reader.Compared;
            _result.WrongBytes += reader.Wrong;
        }
    }

    private List<string> MockArguments(string nzb)
    {
        List<string> arguments =
        [
            "--port", "0", "--stats-port", "0", "--eager", "--nzb-out", nzb,
            "--latency", _options.LatencyMs.ToString(CultureInfo.InvariantCulture),
            "--jitter", (_options.LatencyMs * _options.JitterShare).ToString(CultureInfo.InvariantCulture),
            "--size", _options.SizeMiB.ToString(CultureInfo.InvariantCulture),
        ];
        if (_options.Rate is not null)
            arguments.AddRange(["--rate", _options.Rate]);
        return arguments;
    }

    private async Task<Uri> ImportAsync(Uri root, string nzb, CancellationToken cancellationToken)
    {
        var watch = Stopwatch.StartNew();
        using var body = new ByteArrayContent(await File.ReadAllBytesAsync(nzb, cancellationToken));
        using var put = await _http.PutAsync(new Uri(root, "nzbs/movies/probe.nzb"), body, cancellationToken);
        put.EnsureSuccessStatusCode();
        while (true)
        {
            using var request = new HttpRequestMessage(new HttpMethod("PROPFIND"), new Uri(root, "content/movies/probe/"));
            request.Headers.Add("Depth", "1");
            using var response = await _http.SendAsync(request, cancellationToken);
            if (response.IsSuccessStatusCode)
            {
                _result.ImportMs = watch.Elapsed.TotalMilliseconds;
                var listing = XDocument.Parse(await response.Content.ReadAsStringAsync(cancellationToken));
                XNamespace dav = "DAV:";
                var href = listing.Descendants(dav + "href").Select(element => element.Value).First(value => !value.EndsWith('/'));
                return new Uri(root, href);
            }

            await Task.Delay(5, cancellationToken);
        }
    }

    private async Task MeasureAsync(RangeClient client, ChildProcess server, MockStats stats, long length, CancellationToken cancellationToken)
    {
        var first = await client.GetAsync(length / 3, null, 1, cancellationToken);
        _result.FirstGetMs = first.FirstByte.TotalMilliseconds;

        var random = new Random(11);
        var before = await stats.BodiesAsync(cancellationToken);
        for (var i = 0; i < _options.Seeks; i++)
        {
            var start = random.NextInt64(length - MiB);
            var (firstByte, all) = await client.GetAsync(start, start + MiB - 1, MiB, cancellationToken);
            _result.ClosedFirstByte.Add(firstByte.TotalMilliseconds);
            _result.ClosedWhole.Add(all.TotalMilliseconds);
        }

        var between = await stats.BodiesAsync(cancellationToken);
        _result.ClosedArticles = (double)(between - before) / _options.Seeks;
        for (var i = 0; i < _options.Seeks; i++)
        {
            var start = random.NextInt64(length - (64 * MiB));
            (var firstByte, _) = await client.GetAsync(start, null, 1, cancellationToken);
            _result.OpenFirstByte.Add(firstByte.TotalMilliseconds);
        }

        var after = await stats.BodiesAsync(cancellationToken);
        for (var i = 0; i < _options.Seeks; i++)
        {
            var start = random.NextInt64(length - (64 * MiB));
            var (_, all) = await client.GetAsync(start, null, MiB, cancellationToken);
            _result.OpenFirstMiB.Add(all.TotalMilliseconds);
        }

        _result.OpenArticles = (double)(await stats.BodiesAsync(cancellationToken) - after) / _options.Seeks;
        await MeasureSequentialAsync(client, server, stats, length, cancellationToken);
    }

    private async Task MeasureTogetherAsync(RangeClient[] readers, long length, CancellationToken cancellationToken)
    {
        if (readers.Length == 0)
            return;
        var each = Math.Min(64 * MiB, length);
        var random = new Random(12);
        var starts = readers.Select(_ => random.NextInt64(length - each + 1)).ToArray();
        var watch = Stopwatch.StartNew();
        await Task.WhenAll(readers.Select((reader, i) => reader.GetAsync(starts[i], starts[i] + each - 1, each, cancellationToken)));
        _result.Together = readers.Length * each / 1e6 / watch.Elapsed.TotalSeconds;
    }

    private async Task MeasureSequentialAsync(RangeClient client, ChildProcess server, MockStats stats, long length, CancellationToken cancellationToken)
    {
        var before = await stats.BodiesAsync(cancellationToken);
        var cpu = server.Cpu;
        for (var i = 0; i < _options.Passes; i++)
        {
            var (_, all) = await client.GetAsync(0, null, length, cancellationToken);
            _result.Sequential.Add(length / 1e6 / all.TotalSeconds);
        }

        _result.ServerCpuPerGb = (server.Cpu - cpu).TotalSeconds / (length * _options.Passes / 1e9);
        var articles = Math.Ceiling(length / 716_800.0);
        _result.Overfetch = (await stats.BodiesAsync(cancellationToken) - before) / (articles * _options.Passes);
    }
}
