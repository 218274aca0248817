using System.IO.Compression;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Options;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Page;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>The page as the server delivers it, from a folder laid out like a build's output.</summary>
public sealed class PageTests : IDisposable
{
    private const string Script = "assets/index-Ab12Cd34.js";

    private const string Index = """
        <!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="nonce" content="" />
            <script type="module" crossorigin src="./assets/index-Ab12Cd34.js"></script>
          </head>
          <body><div id="root"></div></body>
        </html>
        """;

    private readonly Folder _dist = new();

    private readonly byte[] _script = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Range(0, 400).Select(i => $"console.log({i});\n")));

    public PageTests()
    {
        Directory.CreateDirectory(Path.Combine(_dist.Path, "assets"));
        _dist.Write("index.html", Encoding.UTF8.GetBytes(Index));
        _dist.Write("scheme.js", "var a = 1\n"u8.ToArray());
        _dist.Write(Script, _script);
        _dist.Write(Script + ".br", Compressed(to => new BrotliStream(to, CompressionLevel.Optimal)));
        _dist.Write(Script + ".gz", Compressed(to => new GZipStream(to, CompressionLevel.Optimal)));
    }

    public void Dispose() => _dist.Dispose();

    [Theory]
    [InlineData("/")]
    [InlineData("/jobs")]
    [InlineData("/play/12345")]
    [InlineData("/files?path=/content/tv")]
    [InlineData("/setup?token=abc")]
    public async Task Page_addresses_return_index_html_with_a_new_nonce_each_time(string path)
    {
        await using var gateway = await StartAsync();
        var seen = new HashSet<string>();
        for (var round = 0; round < 2; round++)
        {
            using var response = await BrowseAsync(gateway, path);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.Equal("text/html; charset=utf-8", response.Content.Headers.ContentType!.ToString());
            Assert.Equal("no-store", response.Headers.CacheControl!.ToString());
            Assert.Null(response.Headers.ETag);
            var page = await response.Content.ReadAsStringAsync();
            Assert.Contains("<head><base href=\"/\">", page, StringComparison.Ordinal);
            var nonce = Regex.Match(page, "<meta name=\"nonce\" content=\"([^\"]+)\"").Groups[1].Value;
            Assert.True(seen.Add(nonce));
            var policy = Assert.Single(response.Headers.GetValues("Content-Security-Policy"));
            Assert.Contains($"style-src 'self' 'nonce-{nonce}';", policy, StringComparison.Ordinal);
            Assert.Contains("script-src 'self';", policy, StringComparison.Ordinal);
            Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("/api/v1/nowhere")]
    [InlineData("/dav/nowhere")]
    [InlineData("/view/none/x.mkv")]
    [InlineData("/sabnzbd/nowhere")]
    [InlineData("/metrics/nowhere")]
    [InlineData("/health/nowhere")]
    [InlineData("/signin/oidc/callback")]
    [InlineData("/assets/gone-12345678.js")]
    public async Task Paths_of_the_other_interfaces_never_return_the_page(string path)
    {
        await using var gateway = await StartAsync();
        using var response = await BrowseAsync(gateway, path);
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.DoesNotContain("id=\"root\"", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_page_is_returned_only_to_a_GET_that_accepts_html()
    {
        await using var gateway = await StartAsync();
        Assert.Equal(HttpStatusCode.NotFound, (await gateway.Client.AskAsync("GET", "/jobs")).Status);
        using var head = await gateway.Client.SendAsync("HEAD", "/jobs", body: null, headers => headers.Add("Accept", "text/html"));
        Assert.Equal(HttpStatusCode.NotFound, head.StatusCode);
        using var post = await gateway.Client.SendAsync("POST", "/jobs", body: null, headers => headers.Add("Accept", "text/html"));
        Assert.Equal(HttpStatusCode.NotFound, post.StatusCode);
        using var options = await gateway.Client.SendAsync("OPTIONS", "/");
        Assert.Equal("1, 2", string.Join(", ", options.Headers.GetValues("DAV")));
    }

    [Theory]
    [InlineData("br", "gzip, deflate, br, zstd")]
    [InlineData("gzip", "gzip")]
    [InlineData("gzip", "br;q=0, gzip")]
    [InlineData(null, "identity")]
    public async Task Hashed_files_are_served_precompressed_and_cached_for_good(string? coding, string accepted)
    {
        await using var gateway = await StartAsync();
        using var response = await AskAsync(gateway, "GET", Script, ("Accept-Encoding", accepted));
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(coding, response.Content.Headers.ContentEncoding.SingleOrDefault());
        Assert.Equal("text/javascript; charset=utf-8", response.Content.Headers.ContentType!.ToString());
        Assert.Equal("public, max-age=31536000, immutable", string.Join(", ", response.Headers.GetValues("Cache-Control")));
        Assert.Equal("Accept-Encoding", Assert.Single(response.Headers.Vary));
        var sent = await response.Content.ReadAsByteArrayAsync();
        Assert.Equal(sent.Length, response.Content.Headers.ContentLength);
        Assert.Equal(SHA256.HashData(_script), SHA256.HashData(Decompressed(sent, coding)));

        // Each encoding has its own tag. The tag is strong, so a proxy may combine ranges of one encoding but not of two.
        Assert.False(response.Headers.ETag!.IsWeak);
        using var again = await AskAsync(
            gateway, "GET", Script, ("Accept-Encoding", accepted), ("If-None-Match", response.Headers.ETag.ToString()));
        Assert.Equal(HttpStatusCode.NotModified, again.StatusCode);
        Assert.Equal(response.Headers.ETag, again.Headers.ETag);
        using var other = await AskAsync(gateway, "GET", Script, ("Accept-Encoding", accepted), ("If-None-Match", "\"another\""));
        Assert.Equal(HttpStatusCode.OK, other.StatusCode);
        using var head = await AskAsync(gateway, "HEAD", Script, ("Accept-Encoding", accepted));
        Assert.Equal(sent.Length, head.Content.Headers.ContentLength);
        Assert.Equal(response.Headers.ETag, head.Headers.ETag);
    }

    [Fact]
    public async Task Files_without_a_hash_in_their_name_are_revalidated_each_time()
    {
        await using var gateway = await StartAsync();
        using var response = await AskAsync(gateway, "GET", "scheme.js", ("Accept-Encoding", "br"));
        Assert.Equal("no-cache", response.Headers.CacheControl!.ToString());
        Assert.Equal("var a = 1\n", await response.Content.ReadAsStringAsync());
        Assert.Empty(response.Headers.Vary);
    }

    [Fact]
    public async Task A_rebuilt_page_is_served_without_a_restart()
    {
        await using var gateway = await StartAsync();
        using (await BrowseAsync(gateway, "/"))
        {
        }

        _dist.Write("assets/new-99999999.js", "1"u8.ToArray());
        _dist.Write("index.html", Encoding.UTF8.GetBytes(Index.Replace("index-Ab12Cd34", "new-99999999", StringComparison.Ordinal)));
        File.SetLastWriteTimeUtc(Path.Combine(_dist.Path, "index.html"), DateTime.UnixEpoch.AddYears(60));
        using var response = await BrowseAsync(gateway, "/");
        Assert.Contains("new-99999999.js", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        using var script = await AskAsync(gateway, "GET", "assets/new-99999999.js");
        Assert.Equal("1", await script.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Below_a_url_base_the_page_has_a_base_element()
    {
        await using var gateway = await StartAsync(new AccessOptions { UrlBase = "/nzb & dav" });
        using (var response = await BrowseAsync(gateway, "/nzb%20&%20dav/jobs"))
            Assert.Contains("<base href=\"/nzb%20&amp;%20dav/\">", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        using (var script = await AskAsync(gateway, "GET", "nzb%20&%20dav/" + Script))
            Assert.Equal(HttpStatusCode.OK, script.StatusCode);
        using (var outside = await BrowseAsync(gateway, "/jobs"))
        {
            Assert.Equal(HttpStatusCode.NotFound, outside.StatusCode);
            Assert.Contains("href=\"/nzb%20&amp;%20dav/jobs\"", await outside.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        }

        using (var outside = await AskAsync(gateway, "GET", "jobs"))
            Assert.Equal(HttpStatusCode.NotFound, outside.StatusCode);
    }

    [Fact]
    public async Task A_prefix_counts_only_from_a_trusted_proxy()
    {
        await using var gateway = await StartAsync(new AccessOptions { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")] });
        Assert.Contains("<base href=\"/films/\">", await ReadAsync(), StringComparison.Ordinal);
        gateway.Services.GetRequiredService<LiveAccess>().Replace(new AccessOptions());
        Assert.Contains("<base href=\"/\">", await ReadAsync(), StringComparison.Ordinal);

        async Task<string> ReadAsync()
        {
            using var response = await gateway.Client.SendAsync("GET", "/jobs", body: null, headers =>
            {
                headers.Add("Accept", "text/html");
                headers.Add("X-Forwarded-Prefix", "/films");
            });
            return await response.Content.ReadAsStringAsync();
        }
    }

    [Fact]
    public async Task Without_a_built_page_the_server_explains_how_to_get_it_and_the_first_user_form_works()
    {
        using var empty = new Folder();
        await using var gateway = await StartAsync(folder: empty.Path);
        using var root = await BrowseAsync(gateway, "/");
        Assert.Equal(HttpStatusCode.OK, root.StatusCode);
        Assert.Contains("Node.js 20.19", await root.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        using var jobs = await BrowseAsync(gateway, "/jobs");
        Assert.Equal(HttpStatusCode.NotFound, jobs.StatusCode);
        using var setup = await BrowseAsync(gateway, "/setup");
        Assert.Contains("<form method=\"post\"", await setup.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    private async Task<Gateway> StartAsync(AccessOptions? access = null, string? folder = null)
    {
        var news = new NewsServers();
        await using var _ = news;
        var gateway = await Gateway.StartAsync(news, change: settings => access is null ? settings : settings with { Access = access });
        gateway.Services.GetRequiredService<PageFolder>().Path = folder ?? _dist.Path;
        return gateway;
    }

    private static Task<HttpResponseMessage> BrowseAsync(Gateway gateway, string path) =>
        AskAsync(gateway, "GET", path.TrimStart('/'), ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"));

    private static Task<HttpResponseMessage> AskAsync(
        Gateway gateway, string method, string path, params (string Name, string Value)[] headers) =>
        gateway.Client.SendAsync(method, "/" + path, body: null, request =>
        {
            foreach (var (name, value) in headers)
                Assert.True(request.TryAddWithoutValidation(name, value));
        });

    private byte[] Compressed(Func<Stream, Stream> coder)
    {
        using var to = new MemoryStream();
        using (var stream = coder(to))
            stream.Write(_script);
        return to.ToArray();
    }

    private static byte[] Decompressed(byte[] sent, string? coding)
    {
        using var from = new MemoryStream(sent);
        using Stream plain = coding switch
        {
            "br" => new BrotliStream(from, CompressionMode.Decompress),
            "gzip" => new GZipStream(from, CompressionMode.Decompress),
            _ => from
        };
        using var to = new MemoryStream();
        plain.CopyTo(to);
        return to.ToArray();
    }
}
