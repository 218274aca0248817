using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using NzbDav.FullNzbTester.Processes;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>The real server in a process of its own, on a configuration folder of its own.</summary>
internal sealed class ServerProcess : IServerMeter, IAsyncDisposable
{
    private const string User = "tester";

    private readonly ChildProcess _process;
    private readonly HttpClient _http = new();

    private ServerProcess(ChildProcess process, Uri root, string key, string authorization)
    {
        _process = process;
        Root = root;
        Authorization = authorization;
        _http.DefaultRequestHeaders.Add("X-Api-Key", key);
        _http.DefaultRequestHeaders.Authorization = AuthenticationHeaderValue.Parse(authorization);
    }

    /// <summary>Its WebDAV tree.</summary>
    public Uri Root { get; }

    /// <summary>Value of the Authorization header.</summary>
    public string Authorization { get; }

    /// <summary>For requests that are not measured; sends the Authorization header, and the key that reads the metrics.</summary>
    public HttpClient Http => _http;

    /// <summary>How it ended, if it did so without being told to; null while it runs.</summary>
    public string? Ended => _process.Ended;

    /// <summary>Its console output.</summary>
    public string Said => _process.Said;

    /// <inheritdoc cref="ChildProcess.Holdings"/>
    public (double ResidentMiB, int Handles, int Threads) Holdings => _process.Holdings;

    public TimeSpan Cpu => _process.Cpu;

    public double PeakMiB => _process.PeakMiB;

    /// <summary>Starts it and waits until it serves.</summary>
    /// <param name="config">Its configuration folder.</param>
    /// <param name="accounts">Settings of its Usenet providers.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <param name="assembly">The server; null: this program.</param>
    public static async Task<ServerProcess> StartAsync(
        string config, IReadOnlyDictionary<string, string> accounts, CancellationToken cancellationToken, string? assembly = null)
    {
        var password = Convert.ToHexString(RandomNumberGenerator.GetBytes(12));
        var settings = new Dictionary<string, string>(accounts, StringComparer.Ordinal)
        { ["NzbDav__WebDav__Username"] = User, ["NzbDav__WebDav__Password"] = password };
        var (process, line) = await ChildProcess.StartAsync(
            assembly ?? DotnetHost.Server, ["--config", config, "--urls", "http://127.0.0.1:0"], settings,
            said => said.Contains("serves WebDAV at", StringComparison.Ordinal), cancellationToken);
        var root = new Uri(line[line.IndexOf("http", StringComparison.Ordinal)..].Trim());
        var key = await File.ReadAllTextAsync(Path.Combine(config, "keys", "api"), cancellationToken);
        return new ServerProcess(
            process, root, key.Trim(), $"Basic {Convert.ToBase64String(Encoding.UTF8.GetBytes($"{User}:{password}"))}");
    }

    /// <summary>Imports an .nzb and finds its file.</summary>
    /// <param name="job">Name of the job.</param>
    public DavImport Import(string job = "tester") => new(Http, Root, Authorization, TimeProvider.System, job);

    public async Task<MetricsPage?> ReadMetricsAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await MetricsPage.ReadAsync(_http, new Uri(Root, "/metrics"), cancellationToken);
        }
        catch (HttpRequestException)
        {
            return null;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _process.DisposeAsync();
        _http.Dispose();
    }
}

/// <summary>Measures the server from outside.</summary>
internal interface IServerMeter
{
    /// <summary>CPU time so far.</summary>
    TimeSpan Cpu { get; }

    /// <summary>Highest resident memory so far in MiB.</summary>
    double PeakMiB { get; }

    /// <summary>Its counters; null when it does not show them.</summary>
    Task<MetricsPage?> ReadMetricsAsync(CancellationToken cancellationToken);
}
