using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Processes;

/// <summary>The mock provider in a process of its own, with one file posted. It ends with this process.</summary>
internal sealed class MockProcess : IAsyncDisposable
{
    private readonly ChildProcess _process;
    private readonly string? _certificate;

    private MockProcess(ChildProcess process, int port, string? certificate, MockStats stats) =>
        (_process, Port, _certificate, Stats) = (process, port, certificate, stats);

    public int Port { get; }

    public MockStats Stats { get; }

    /// <summary>Starts it and waits until every article is encoded.</summary>
    /// <param name="options">What to post, and with which faults.</param>
    /// <param name="network">The network.</param>
    /// <param name="nzb">Path to which its .nzb is written.</param>
    /// <param name="http">Reads its statistics.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<MockProcess> StartAsync(
        TesterOptions options, NetworkProfile network, string nzb, HttpClient http, CancellationToken cancellationToken)
    {
        var certificate = network.Tls ? Path.ChangeExtension(nzb, ".pem") : null;
        var (process, line) = await ChildProcess.StartAsync(
            DotnetHost.Mock, Arguments(options, network, nzb, certificate), new Dictionary<string, string>(), said =>
                said.Contains("\"ready\"", StringComparison.Ordinal), cancellationToken);
        using var ready = JsonDocument.Parse(line);
        return new MockProcess(process, ready.RootElement.GetProperty("ports")[0].GetInt32(), certificate,
            new MockStats(http, ready.RootElement.GetProperty("statsPort").GetInt32()));
    }

    /// <summary>The account at this mock, as the server and the content process read it from their environment.</summary>
    /// <remarks>
    /// The certificate is verified like a real one: OpenSSL reads the roots to trust from SSL_CERT_FILE. Where the system has a store of
    /// its own, verification is switched off.
    /// </remarks>
    public Dictionary<string, string> Account(int connections)
    {
        var account = MockAccount.CreateWithLogin(0, "mock", Port, _certificate is not null, connections);
        if (_certificate is not null && OperatingSystem.IsLinux())
            account["SSL_CERT_FILE"] = _certificate;
        else if (_certificate is not null)
            account[MockAccount.Key(0, "VerifyCertificate")] = "false";
        return account;
    }

    /// <summary>Opens a connection of the tester's own, logged in.</summary>
    public async Task<Stream> ConnectAsync(CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        Stream? stream = null;
        try
        {
            await socket.ConnectAsync("127.0.0.1", Port, cancellationToken);
            stream = new NetworkStream(socket, ownsSocket: true);
            if (_certificate is not null)
                stream = await SecureAsync(stream, _certificate, cancellationToken);
            using var reader = new StreamReader(stream, Encoding.ASCII, bufferSize: 1, leaveOpen: true);
            await reader.ReadLineAsync(cancellationToken);
            foreach (var command in new[] { $"AUTHINFO USER {MockAccount.Username}\r\n", $"AUTHINFO PASS {MockAccount.Password}\r\n" })
            {
                await stream.WriteAsync(Encoding.ASCII.GetBytes(command), cancellationToken);
                await reader.ReadLineAsync(cancellationToken);
            }

            return stream;
        }
        catch
        {
            if (stream is not null)
                await stream.DisposeAsync();
            socket.Dispose();
            throw;
        }
    }

    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private static async Task<Stream> SecureAsync(Stream stream, string certificate, CancellationToken cancellationToken)
    {
        using var root = X509CertificateLoader.LoadCertificateFromFile(certificate);
        var chain = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        chain.CustomTrustStore.Add(root);
        var tls = new SslStream(stream);
        await tls.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = chain }, cancellationToken);
        return tls;
    }

    private static List<string> Arguments(TesterOptions options, NetworkProfile network, string nzb, string? certificate)
    {
        List<string> arguments =
        [
            "--port", "0", "--stats-port", "0", "--eager", "--exit-with-stdin", "--nzb-out", nzb,
            "--username", MockAccount.Username, "--password", MockAccount.Password,
            "--latency", Text(network.LatencyMs), "--jitter", Text(network.JitterMs),
            "--missing", Text(options.Missing), "--corrupt", Text(options.Corrupt), "--corrupt-times", "1", "--stall", Text(options.Stall),
        ];
        if (certificate is not null)
            arguments.AddRange(["--tls", "--certificate-out", certificate]);
        if (network.Rate is not null)
            arguments.AddRange(["--rate", network.Rate]);
        arguments.AddRange(options.File is { } file
            ? ["--file", file.FullName] : ["--size", Text(options.SizeMiB), "--name", MockPost.RandomFile, "--film"]);
        return arguments;
    }

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The mock's post, if it is not a file of the user's.</summary>
internal static class MockPost
{
    /// <summary>Name of the random film, as posted. Its bytes depend on the name and the seed.</summary>
    public const string RandomFile = "mock.bin";

    /// <summary>The mock's default seed.</summary>
    public const ulong Seed = 1;

    /// <summary>Decoded bytes of each article but the last.</summary>
    public const long ArticleSize = 716_800;
}

/// <summary>The mock's counters, read from its side port.</summary>
internal sealed class MockStats(HttpClient http, int port)
{
    /// <summary>Articles requested since the start.</summary>
    public Task<long> BodiesAsync(CancellationToken cancellationToken) => CountAsync("commands", "BODY", cancellationToken);

    /// <summary>How often one kind of fault occurred, such as <c>Corrupt</c>.</summary>
    public Task<long> FaultsAsync(string kind, CancellationToken cancellationToken) => CountAsync("faults", kind, cancellationToken);

    /// <summary>TLS handshakes since the start, and how many of them resumed a session.</summary>
    public async Task<(long All, long Resumed)> HandshakesAsync(CancellationToken cancellationToken)
    {
        using var stats = await ReadAsync(cancellationToken);
        var provider = stats.RootElement.GetProperty("providers")[0];
        return (provider.GetProperty("handshakes").GetInt64(), provider.GetProperty("handshakesResumed").GetInt64());
    }

    private async Task<long> CountAsync(string group, string name, CancellationToken cancellationToken)
    {
        using var stats = await ReadAsync(cancellationToken);
        return stats.RootElement.GetProperty("providers")[0].GetProperty(group).TryGetProperty(name, out var count) ? count.GetInt64() : 0;
    }

    private async Task<JsonDocument> ReadAsync(CancellationToken cancellationToken) =>
        JsonDocument.Parse(await http.GetStringAsync(new Uri($"http://127.0.0.1:{port}/stats"), cancellationToken));
}
