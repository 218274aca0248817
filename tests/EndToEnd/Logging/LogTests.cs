using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Logging;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Logging;

/// <summary>What the log contains, and what it never contains.</summary>
public sealed class LogTests
{
    private const string Key = "fullkey0123456789abcdef";
    private const string AddKey = "addkey0123456789";
    private const string AccountPassword = "acc0unt-pässword-31415";
    private const string RclonePassword = "rcl0ne-secret-27182";
    private const string ArchivePassword = "archive-pass-14142";
    private const string IndexerKey = "1ndexerk3y5551234567890abcdef";
    private const string Passkey = "pa55key0a1b2c3d4e5f60718";
    private const string WrongPassword = "wr0ng-dav-password-17320";

    [Theory]
    [InlineData("false")]
    [InlineData("true")]
    public async Task OPS_06_Console_and_log_files_hold_no_secret_whatever_goes_wrong(string json)
    {
        using var folder = new Folder();
        await using var provider = new EchoingProvider();
        var environment = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["NzbDav__Usenet__Providers__0__Host"] = "127.0.0.1",
            ["NzbDav__Usenet__Providers__0__Port"] = $"{provider.Port}",
            ["NzbDav__Usenet__Providers__0__UseTls"] = "false",
            ["NzbDav__Usenet__Providers__0__Username"] = "account",
            ["NzbDav__Usenet__Providers__0__Password"] = AccountPassword,
            ["NzbDav__WebDav__Username"] = Gateway.User,
            ["NzbDav__WebDav__Password"] = Gateway.Password,
            ["NzbDav__Torrents__ListenAddress"] = "127.0.0.1",
            ["NzbDav__Api__Key"] = Key,
            ["NzbDav__Api__AddKey"] = AddKey,
            ["NzbDav__Api__PrivateHosts"] = "127.0.0.1",
            ["NzbDav__Rclone__Url"] = $"http://rc:{RclonePassword}@127.0.0.1:9",
            ["NzbDav__Rclone__Username"] = "rc",
            ["NzbDav__Rclone__Password"] = RclonePassword,
            ["NzbDav__Import__Passwords__0"] = ArchivePassword,
            ["NzbDav__Log__Level"] = "debug",
            ["NzbDav__Log__Categories"] = "Microsoft=debug,System.Net.Http=debug",
            ["NzbDav__Log__Json"] = json,
        };
        string everything;
        await using (var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0"))
        {
            using var client = await server.ClientAsync();
            var root = client.Http.BaseAddress!.AbsoluteUri;
            using var http = new HttpClient { BaseAddress = new Uri(root) };

            // What Sonarr and indexers send.
            var link = Uri.EscapeDataString($"http://127.0.0.1:9/getnzb/abc.nzb?apikey={IndexerKey}&r={IndexerKey}");
            await http.GetAsync($"/api?mode=addurl&name={link}&apikey={Key}&output=json");
            await http.GetAsync($"/api?mode=queue&apikey={AddKey}&output=json");
            await http.GetAsync($"/api?mode=queue&apikey={WrongPassword}&output=json");
            await http.PostAsync(
                $"/api?mode=addfile&apikey={Key}", new StringContent($"broken form {AddKey}", Encoding.UTF8, "multipart/form-data"));

            // WebDAV: right and wrong credentials, and a file that is refused.
            await client.ListAsync("/dav/");
            using (var wrong = new HttpRequestMessage(HttpMethod.Get, "/dav/")
            { Headers = { Authorization = DavClient.Basic(Gateway.User, WrongPassword) } })
                Assert.Equal(HttpStatusCode.Unauthorized, (await http.SendAsync(wrong)).StatusCode);
            await client.AskAsync("PUT", DavClient.Path("nzbs", "movies", $"film{{{{{ArchivePassword}}}}}.nzb"), "no nzb"u8.ToArray());
            await client.AskAsync("PUT", DavClient.Path("nzbs", "movies", $"post password={ArchivePassword}.nzb"),
                NzbWriter.ToBytes([new ArticleStore().AddFile("x.mkv", new SeededSource(1, "x", 100_000))]));

            // A magnet link with a private tracker that does not exist.
            var magnet = $"magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=private&tr={Uri.EscapeDataString($"http://127.0.0.1:9/{Passkey}/announce?passkey={Passkey}")}";
            await client.AskAsync("PUT", DavClient.Path("torrents", "movies", "private.magnet"), Encoding.UTF8.GetBytes(magnet));

            // Keys in headers, a cookie, and a body that makes the program fail.
            using (var request = new HttpRequestMessage(HttpMethod.Put, "/api/v1/log")
            { Content = new StringContent($"{{\"level\": {Key}", Encoding.UTF8, "application/json") })
            {
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Key);
                request.Headers.Add("Cookie", $"session={IndexerKey}");
                Assert.Equal(HttpStatusCode.BadRequest, (await http.SendAsync(request)).StatusCode);
            }

            await Deadline.UntilAsync(() => Task.FromResult(
                server.Output.Any(line => line.Contains("cannot be used", StringComparison.Ordinal))), "the login was refused");
            var imported = await ServerHere.RunAsync(
                environment, "import", "--config", folder.Path, magnet.Replace("urn:btih:0", "urn:wrong:0", StringComparison.Ordinal));
            server.Terminate();
            Assert.Equal(0, await server.ExitAsync());
            everything = string.Join('\n', [.. server.Output, .. server.Errors]);

            // The output identifies the magnet link that the user typed, but not its tracker.
            Assert.DoesNotContain(Passkey, string.Join('\n', [.. imported.Output, .. imported.Errors]), StringComparison.Ordinal);
        }

        foreach (var file in Directory.GetFiles(Path.Combine(folder.Path, "logs")))
            everything += "\n" + await File.ReadAllTextAsync(file);
        Assert.Contains("cannot be used: ", everything, StringComparison.Ordinal);
        Assert.Contains("Request starting", everything, StringComparison.Ordinal);
        Assert.Contains(Redaction.Mark, everything, StringComparison.Ordinal);
        var basic = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{Gateway.User}:{Gateway.Password}"));
        string[] secrets = [Key, AddKey, AccountPassword, Uri.EscapeDataString(AccountPassword), RclonePassword, ArchivePassword,
            IndexerKey, Passkey, WrongPassword, Gateway.Password, basic, "0123456789abcdef01234567", "p\\u00E4ssword"];
        foreach (var secret in secrets)
            Assert.True(!everything.Contains(secret, StringComparison.OrdinalIgnoreCase), $"'{secret}' is in: {Array.Find(everything.Split('\n'), line => line.Contains(secret, StringComparison.OrdinalIgnoreCase))}");
        if (json == "true")
        {
            foreach (var line in everything.Split('\n').Where(line => line.StartsWith('{')))
                JsonDocument.Parse(line).Dispose();
        }
    }

    [Theory]
    [InlineData("GET http://user:pass@host:8080/api?apikey=abc&x=y done", "GET http://host:8080/api?*** done")]
    [InlineData("http://tracker.example/0123456789abcdef0123456789abcdef/announce", "http://tracker.example/***/announce")]
    [InlineData("GET /stremio/bzvlbUUOiyIvopqQtGwKIQ/manifest.json", "GET /stremio/***/manifest.json")]
    [InlineData("see https://example.com/docs/setup.html now", "see https://example.com/docs/setup.html now")]
    [InlineData("took 'magnet:?xt=urn:btih:abc&dn=x' in", "took 'magnet:***' in")]
    [InlineData("Authorization: Basic YW5uYTpzZWNyZXQ=", "Authorization: ***")]
    [InlineData("{\"password\":\"a \\\"b\\\" c\",\"x\":1}", "{\"password\":\"***\",\"x\":1}")]
    [InlineData("{\"m\":\"sent {\\\"api_key\\\": \\\"abc\\\"} to http://x/?k=v\"}",
        "{\"m\":\"sent {\\\"api_key\\\": \\\"***\\\"} to http://x/?***\"}")]
    [InlineData("a Bearer abcdef123456 token", "a Bearer *** token")]
    [InlineData("cannot open /api?mode=addurl&apikey=deadbeef&name=x", "cannot open /api?mode=addurl&apikey=***&name=x")]
    [InlineData("/api?name=http%3A%2F%2Fh%2Fx%3Fapikey%3Dabc%26i%3D1&cat=tv", "/api?name=http%3A%2F%2F***&cat=tv")]
    [InlineData("Host=db;Username=me;Pwd=a$b;Database=x", "Host=db;Username=me;Pwd=***;Database=x")]
    [InlineData("name{{secret}}.nzb", "name{{***}}.nzb")]
    [InlineData("Imported 7: movies/Film (2020) in 12 ms.", "Imported 7: movies/Film (2020) in 12 ms.")]
    public void Only_text_that_looks_like_a_secret_is_masked(string text, string expected) => Assert.Equal(expected, Redaction.Clean(text));

    [Fact]
    public async Task Levels_change_at_once_and_by_category()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var client = OperatorClient.Of(gateway);
        Assert.Equal("information", (await client.AskAsync("GET", "/api/v1/log")).Body.GetProperty("level").GetString());
        Assert.DoesNotContain("Request starting", Log(gateway), StringComparison.Ordinal);
        var (status, body) = await client.AskAsync("PUT", "/api/v1/log", """{"categories":{"Microsoft.AspNetCore":"debug"}}""");
        Assert.Equal((HttpStatusCode.OK, "information", "debug"), (status, body.GetProperty("level").GetString(),
            body.GetProperty("categories").GetProperty("Microsoft.AspNetCore").GetString()));
        await client.AskAsync("GET", "/health");
        await Deadline.UntilAsync(() => Log(gateway).Contains("Request starting", StringComparison.Ordinal), "the request is logged");
        await client.AskAsync("PUT", "/api/v1/log", """{"level":"error","categories":{}}""");
        var before = Log(gateway);
        await client.AskAsync("GET", "/health?again");
        await client.AskAsync("GET", "/health");
        Assert.DoesNotContain("?again", Log(gateway)[before.Length..], StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.BadRequest, (await client.AskAsync("PUT", "/api/v1/log", """{"level":"loud"}""")).Status);
        Assert.Equal(HttpStatusCode.BadRequest, (await client.AskAsync("PUT", "/api/v1/log", """{"categories":{"A":"loud"}}""")).Status);
        Assert.Equal("error", (await client.AskAsync("GET", "/api/v1/log")).Body.GetProperty("level").GetString());
    }

    /// <summary>A short password of an archive: parts of words would reveal it.</summary>
    [Theory]
    [InlineData("opened with www.", "opened with ***.")]
    [InlineData("password is 'www'", "password is '***'")]
    [InlineData("www wwww xwww", "*** wwww xwww")]
    public void OPS_06_Short_secrets_are_removed_where_they_stand_alone(string text, string expected)
    {
        var filter = new SecretFilter();
        filter.Add("www");
        Assert.Equal(expected, filter.Clean(text));
    }

    [Fact]
    public async Task The_console_switches_to_JSON_at_run_time()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Api__Key"] = Key;
        environment["NzbDav__Log__Categories"] = "Microsoft.AspNetCore=information";
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var dav = await server.ClientAsync();
        using var client = new OperatorClient(dav.Http.BaseAddress!.AbsoluteUri, Key);
        await client.AskAsync("GET", "/health?one");
        Assert.False((await server.LineAsync("/health")).StartsWith('{'));
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("PATCH", "/api/v1/settings", """{"Log:Json": true}""")).Status);
        await client.AskAsync("GET", "/health/ready?two");
        using var line = JsonDocument.Parse(await server.LineAsync("/health/ready"));
        Assert.Equal("/health/ready", line.RootElement.GetProperty("Properties").GetProperty("Path").GetString());
    }

    private static string Log(Gateway gateway)
    {
        var text = new StringBuilder();
        foreach (var file in Directory.GetFiles(Path.Combine(gateway.ConfigFolder, "logs")))
        {
            using var reader = new StreamReader(new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
            text.Append(reader.ReadToEnd());
        }

        return text.ToString();
    }
}
