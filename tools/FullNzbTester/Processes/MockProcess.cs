using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;

namespace NzbDav.FullNzbTester;

/// <summary>The mock provider in a process of its own, with one file posted. Dies with this process.</summary>
internal sealed class MockProcess : IAsyncDisposable
{
    private const string Username = "tester";
    private const string Password = "tester's";

    private readonly ChildProcess _process;
    private readonly string? _certificate;

    private MockProcess(ChildProcess process, int port, string? certificate, MockStats stats) => (_process, Port, _certificate, Stats) = (process, port, certificate, stats);

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
        var certificate = network.Tls ? Path.ChangeExtension(nzb, ".pem") : null;
        var (process, line) = await ChildProcess.StartAsync(
            DotnetHost.Mock, Arguments(options, network, nzb, certificate), new Dictionary<string, string>(), said => said.Contains("\"ready\"", StringComparison.Ordinal), cancellationToken);
        using var ready = JsonDocument.Parse(line);
        return new MockProcess(process, ready.RootElement.GetProperty("ports")[0].GetInt32(), certificate, new MockStats(http, ready.RootElement.GetProperty("statsPort").GetInt32()));
    }

    /// <summary>The account at this mock, as the server and the content process read it from their environment.</summary>
    /// <remarks>
    /// Over TLS the host has a name, as sessions are kept by it. Its certificate is verified like a real one: OpenSSL reads the roots to trust from SSL_CERT_FILE. Where the system
    /// has a store of its own, verification is switched off.
    /// </remarks>
    public Dictionary<string, string> Account(int connections)
    {
        var account = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["NzbDav__Usenet__Providers__0__Name"] = "mock",
            ["NzbDav__Usenet__Providers__0__Host"] = _certificate is null ? "127.0.0.1" : "localhost",
            ["NzbDav__Usenet__Providers__0__Port"] = Port.ToString(CultureInfo.InvariantCulture),
            ["NzbDav__Usenet__Providers__0__UseTls"] = _certificate is null ? "false" : "true",
            ["NzbDav__Usenet__Providers__0__Username"] = Username,
            ["NzbDav__Usenet__Providers__0__Password"] = Password,
            ["NzbDav__Usenet__Providers__0__MaxConnections"] = connections.ToString(CultureInfo.InvariantCulture),
        };
        if (_certificate is not null && OperatingSystem.IsLinux())
            account["SSL_CERT_FILE"] = _certificate;
        else if (_certificate is not null)
            account["NzbDav__Usenet__Providers__0__VerifyCertificate"] = "false";
        return account;
    }

    /// <summary>A connection of the tester's own, logged in and past the greeting.</summary>
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
            foreach (var command in new[] { $"AUTHINFO USER {Username}\r\n", $"AUTHINFO PASS {Password}\r\n" })
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
        await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = chain }, cancellationToken);
        return tls;
    }

    private static List<string> Arguments(TesterOptions options, NetworkProfile network, string nzb, string? certificate)
    {
        List<string> arguments =
        [
            "--port", "0", "--stats-port", "0", "--eager", "--exit-with-stdin", "--nzb-out", nzb,
            "--username", Username, "--password", Password,
            "--latency", Text(network.LatencyMs), "--jitter", Text(network.JitterMs),
            "--missing", Text(options.Missing), "--corrupt", Text(options.Corrupt), "--corrupt-times", "1", "--stall", Text(options.Stall),
        ];
        if (certificate is not null)
            arguments.AddRange(["--tls", "--certificate-out", certificate]);
        if (network.Rate is not null)
            arguments.AddRange(["--rate", network.Rate]);
        arguments.AddRange(options.File is { } file ? ["--file", file.FullName] : ["--size", Text(options.SizeMiB), "--name", PostedFileName.Random]);
        return arguments;
    }

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}
