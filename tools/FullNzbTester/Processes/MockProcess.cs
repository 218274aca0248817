using System.Globalization;
using System.Text.Json;

namespace NzbDav.FullNzbTester;

/// <summary>The mock provider in a process of its own, with one file posted. Dies with this process.</summary>
internal sealed class MockProcess : IAsyncDisposable
{
    private readonly ChildProcess _process;

    private MockProcess(ChildProcess process, int port, MockStats stats) => (_process, Port, Stats) = (process, port, stats);

    public int Port { get; }

    public MockStats Stats { get; }

    /// <summary>Starts it and waits until every article is encoded.</summary>
    /// <param name="options">What to post, over what network, with which faults.</param>
    /// <param name="network">The network.</param>
    /// <param name="nzb">Where its .nzb is written.</param>
    /// <param name="http">For its statistics.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public static async Task<MockProcess> StartAsync(TesterOptions options, NetworkProfile network, string nzb, HttpClient http, CancellationToken cancellationToken)
    {
        var (process, line) = await ChildProcess.StartAsync(
            DotnetHost.Mock, Arguments(options, network, nzb), new Dictionary<string, string>(), said => said.Contains("\"ready\"", StringComparison.Ordinal), cancellationToken);
        using var ready = JsonDocument.Parse(line);
        return new MockProcess(process, ready.RootElement.GetProperty("ports")[0].GetInt32(), new MockStats(http, ready.RootElement.GetProperty("statsPort").GetInt32()));
    }

    /// <summary>The account at this mock, as the server and the content process read it.</summary>
    public Dictionary<string, string> Account(int connections) => new(StringComparer.Ordinal)
    {
        ["NzbDav__Usenet__Providers__0__Name"] = "mock",
        ["NzbDav__Usenet__Providers__0__Host"] = "127.0.0.1",
        ["NzbDav__Usenet__Providers__0__Port"] = Port.ToString(CultureInfo.InvariantCulture),
        ["NzbDav__Usenet__Providers__0__UseTls"] = "false",
        ["NzbDav__Usenet__Providers__0__MaxConnections"] = connections.ToString(CultureInfo.InvariantCulture),
    };

    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private static List<string> Arguments(TesterOptions options, NetworkProfile network, string nzb)
    {
        List<string> arguments =
        [
            "--port", "0", "--stats-port", "0", "--eager", "--exit-with-stdin", "--nzb-out", nzb,
            "--latency", Text(network.LatencyMs), "--jitter", Text(network.JitterMs),
            "--missing", Text(options.Missing), "--corrupt", Text(options.Corrupt), "--corrupt-times", "1", "--stall", Text(options.Stall),
        ];
        if (network.Rate is not null)
            arguments.AddRange(["--rate", network.Rate]);
        arguments.AddRange(options.File is { } file ? ["--file", file.FullName] : ["--size", Text(options.SizeMiB), "--name", PostedFileName.Random]);
        return arguments;
    }

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}
