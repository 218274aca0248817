using System.Net;
using System.Net.Sockets;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>A start that cannot work ends at once, with exit code 78 and one line for each problem.</summary>
public sealed class StartTests
{
    private const string Provider = "NzbDav__Usenet__Providers__0__";
    private static readonly Dictionary<string, string> Nothing = [];

    [Theory]
    [InlineData("Host", "https://news.example.com", "NzbDav:Usenet:Providers:0:Host", "scheme")]
    [InlineData("Host", "news.example.com:563", "NzbDav:Usenet:Providers:0:Host", "port")]
    [InlineData("Host", "", "NzbDav:Usenet:Providers:0:Host", "empty")]
    [InlineData("Port", "nntps", "NzbDav:Usenet:Providers:0:Port", "'nntps'")]
    [InlineData("Port", "70000", "NzbDav:Usenet:Providers:0:Port", "65535")]
    [InlineData("Password", "", "NzbDav:Usenet:Providers:0:Password", "empty")]
    [InlineData("Username", "", "NzbDav:Usenet:Providers:0:Username", "empty")]
    [InlineData("UseTls", "yes", "NzbDav:Usenet:Providers:0:UseTls", "true nor false")]
    [InlineData("MaxConnections", "0", "NzbDav:Usenet:Providers:0:MaxConnections", "1 … 500")]
    [InlineData("Hots", "news.example.com", "NzbDav:Usenet:Providers:0:Hots", "no such setting")]
    public async Task A_wrong_setting_of_a_provider_stops_the_start(string name, string value, string path, string what)
    {
        var environment = RightProvider();
        environment[Provider + name] = value;
        AssertFault(await ServeAsync(environment), $"nzbdav: {path}", what);
    }

    [Theory]
    [InlineData("NzbDav__WebDav__Username", "anna", "NzbDav:WebDav", "together")]
    [InlineData("NzbDav__WebDav__Passwort", "x", "NzbDav:WebDav:Passwort", "no such setting")]
    [InlineData("NzbDav__Memory__BudgetMiB", "1", "NzbDav:Memory:BudgetMiB", "16 … 65536")]
    [InlineData("NzbDav__Import__Categories", "movies,a/b", "NzbDav:Import:Categories", "'a/b'")]
    [InlineData("NzbDav__Import__MaxNzbMiB", "0", "NzbDav:Import:MaxNzbMiB", "1 … 1024")]
    [InlineData("NzbDav__Api__Key", "short", "NzbDav:Api:Key", "8 characters")]
    [InlineData("NzbDav__Access__TrustedProxies", "0.0.0.0/0", "NzbDav:Access:TrustedProxies", "everybody")]
    [InlineData("NzbDav__Access__TrustedProxies", "172.18.0.2,::/0", "NzbDav:Access:TrustedProxies", "'::/0' includes everybody")]
    [InlineData("NzbDav__Access__LanNetworks", "10.0.0.0/0", "NzbDav:Access:LanNetworks", "everybody")]
    [InlineData("NzbDav__Access__ForwardAuthSecret", "a secret of the proxy", "NzbDav:Access:ForwardAuthSecret", "ForwardAuthHeader")]
    [InlineData("NzbDav__Access__ForwardAuthSecret", "too short", "NzbDav:Access:ForwardAuthSecret", "16 characters")]
    [InlineData("NzbDav__Usenet__Providers__first__Host", "news.example.com", "NzbDav:Usenet:Providers:first", "numbered")]
    public async Task A_wrong_setting_stops_the_start(string name, string value, string path, string what)
    {
        var environment = RightProvider();
        environment[name] = value;
        AssertFault(await ServeAsync(environment), $"nzbdav: {path}", what);
    }

    [Fact]
    public async Task The_password_from_the_example_stops_the_start()
    {
        var environment = RightProvider();
        environment["NzbDav__WebDav__Username"] = "me";
        environment["NzbDav__WebDav__Password"] = "change this";
        AssertFault(await ServeAsync(environment), "nzbdav: NzbDav:WebDav:Password", "choose one of your own");
    }

    [Fact]
    public async Task All_faults_are_reported_at_once()
    {
        var environment = RightProvider();
        environment[Provider + "Port"] = "nntps";
        environment[Provider + "Hots"] = "news.example.com";
        environment["NzbDav__Usenet__Providers__1__Username"] = "bert";
        environment["NzbDav__WebDav__Password"] = "secret";
        environment["NzbDav__Memory__BudgetMiB"] = "lots";
        var (exit, output, errors) = await ServeAsync(environment);
        Assert.Equal(78, exit);
        Assert.Empty(output);
        string[] paths = ["Usenet:Providers:0:Port", "Usenet:Providers:0:Hots", "Usenet:Providers:1:Host", "Usenet:Providers:1:Password",
            "WebDav:", "Memory:BudgetMiB:"];
        Assert.Equal(paths.Length, errors.Count);
        Assert.All(paths, path => Assert.Single(errors, line => line.StartsWith($"nzbdav: NzbDav:{path}", StringComparison.Ordinal)));
        Assert.DoesNotContain(errors, line => line.Contains("secret", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("http://127.0.0.1:99999")]
    [InlineData("ftp://127.0.0.1:0")]
    [InlineData("http://192.0.2.7:0")]
    [InlineData("https://127.0.0.1:0")]
    [InlineData("")]
    [InlineData(";")]
    public async Task An_address_it_cannot_listen_on_stops_the_start(string urls)
    {
        using var folder = new Folder();

        // A separate home folder, which a process has: without a developer certificate that would satisfy https.
        var ended = urls.StartsWith("https:", StringComparison.Ordinal)
            ? await ServerProcess.RunAsync(
                new Dictionary<string, string>(StringComparer.Ordinal) { ["HOME"] = folder.Path }, "--config", folder.Path, "--urls", urls)
            : await ServerHere.RunAsync(Nothing, "--config", folder.Path, "--urls", urls);
        AssertFault(ended, "nzbdav: ", urls.Trim(';'));
    }

    /// <summary>Kodi and nPlayer fail over HTTP/2.</summary>
    [Theory]
    [InlineData(null, "1.1")]
    [InlineData("Http1AndHttp2", "2.0")]
    public async Task With_a_certificate_of_its_own_it_offers_HTTP_2_only_if_asked(string? protocols, string spoken)
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        using var key = System.Security.Cryptography.ECDsa.Create(System.Security.Cryptography.ECCurve.NamedCurves.nistP256);
        var request = new System.Security.Cryptography.X509Certificates.CertificateRequest(
            "CN=localhost", key, System.Security.Cryptography.HashAlgorithmName.SHA256);
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        using var secrets = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["Kestrel__Certificates__Default__Path"] = secrets.Write(
            "c.pem", System.Text.Encoding.ASCII.GetBytes(certificate.ExportCertificatePem()));
        environment["Kestrel__Certificates__Default__KeyPath"] = secrets.Write(
            "k.pem", System.Text.Encoding.ASCII.GetBytes(key.ExportPkcs8PrivateKeyPem()));
        if (protocols is not null)
            environment["Kestrel__EndpointDefaults__Protocols"] = protocols;
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "https://127.0.0.1:0");
        using var client = await server.ClientAsync();
        var thumbprint = certificate.Thumbprint;
        using var handler = new SocketsHttpHandler
        {
            SslOptions = { RemoteCertificateValidationCallback = (_, shown, _, _) => shown?.GetCertHashString() == thumbprint },
        };
        using var http = new HttpClient(handler)
        {
            BaseAddress = client.Http.BaseAddress,
            DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionOrLower,
        };
        using var answer = await http.GetAsync("/health");
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal(spoken, answer.Version.ToString());
    }

    [Fact]
    public async Task A_port_in_use_stops_the_start()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var urls = $"http://127.0.0.1:{((IPEndPoint)taken.LocalEndpoint).Port}";
        using var folder = new Folder();
        AssertFault(await ServerProcess.RunAsync(Nothing, "--config", folder.Path, "--urls", urls), "nzbdav: ", urls);
    }

    [Theory]
    [InlineData("http://*:0")]
    [InlineData("http://0.0.0.0:0")]
    public async Task The_demo_without_a_password_refuses_to_listen_for_other_machines(string urls) =>
        AssertFault(await ServerHere.RunAsync(Nothing, "--demo", "--urls", urls), "nzbdav: ", "loopback");

    [Fact]
    public async Task An_unusable_folder_stops_the_start()
    {
        using var folder = new Folder();
        var file = folder.Write("file", [1]);
        AssertFault(await ServerHere.RunAsync(Nothing, "--config", file), "nzbdav: ", file);
        AssertFault(await ServerHere.RunAsync(Nothing, "--config", Path.Combine(file, "below")), "nzbdav: ", file);

        // A folder in place of the lock file: the lock cannot be taken although nobody holds it.
        Directory.CreateDirectory(Path.Combine(folder.Path, "nzbdav.lock"));
        var (exit, _, errors) = await ServerHere.RunAsync(Nothing, "--config", folder.Path);
        Assert.Equal(78, exit);
        Assert.DoesNotContain("another server", Assert.Single(errors), StringComparison.Ordinal);
        Assert.Contains("nzbdav.lock", Assert.Single(errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_not_a_database_stops_the_start()
    {
        using var folder = new Folder();
        folder.Write("nzbdav.sqlite", "This is no database, however long one looks at it."u8.ToArray());
        AssertFault(
            await ServerHere.RunAsync(Nothing, "--config", folder.Path, "--urls", "http://127.0.0.1:0"), "nzbdav: ", "nzbdav.sqlite");
    }

    [Fact]
    public async Task Two_servers_cannot_share_a_folder()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var first = ServerProcess.Serve(news, folder);
        using var client = await first.ClientAsync();
        AssertFault(
            await ServerHere.RunAsync(ServerProcess.Environment(news), "--config", folder.Path, "--urls", "http://127.0.0.1:0"),
            "nzbdav: another server runs on",
            folder.Path);
        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await client.ListAsync("/dav/"));

        // The lock ends with its process, however that ends.
        await first.KillAsync();
        await using var second = ServerHere.Serve(news, folder);
        using var again = await second.ClientAsync();
        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await again.ListAsync("/dav/"));
    }

    private static Dictionary<string, string> RightProvider() => new(StringComparer.Ordinal)
    {
        [Provider + "Host"] = "news.example.com",
        [Provider + "Username"] = "anna",
        [Provider + "Password"] = "secret",
    };

    private static async Task<(int ExitCode, IReadOnlyList<string> Output, IReadOnlyList<string> Errors)> ServeAsync(
        Dictionary<string, string> environment)
    {
        using var folder = new Folder();
        return await ServerHere.RunAsync(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
    }

    private static void AssertFault(
        (int ExitCode, IReadOnlyList<string> Output, IReadOnlyList<string> Errors) ended, string start, string what)
    {
        Assert.True(ended.Errors.Count == 1, string.Join('\n', ended.Errors));
        Assert.StartsWith(start, ended.Errors[0], StringComparison.Ordinal);
        Assert.Contains(what, ended.Errors[0], StringComparison.Ordinal);
        Assert.Equal(78, ended.ExitCode);
        Assert.DoesNotContain(ended.Output, line => line.Contains("serves", StringComparison.Ordinal));
    }
}
