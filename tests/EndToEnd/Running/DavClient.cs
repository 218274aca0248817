using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Xml.Linq;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A WebDAV client that compares what it downloads with what was posted. Thread-safe.</summary>
internal sealed class DavClient : IDisposable
{
    private static readonly XNamespace Dav = "DAV:";
    private readonly HttpClient _http;

    public DavClient(string root, string? user = null, string? password = null)
    {
        _http = new HttpClient(new SocketsHttpHandler { UseCookies = false, AllowAutoRedirect = false })
        {
            BaseAddress = new Uri(root),
            Timeout = Deadline.Long
        };
        if (user is not null)
            _http.DefaultRequestHeaders.Authorization = Basic(user, password!);
    }

    public HttpClient Http => _http;

    public static AuthenticationHeaderValue Basic(string user, string password) =>
        new("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{password}")));

    /// <summary>The path in the tree for these names.</summary>
    public static string Path(params string[] names) => "/dav/" + string.Join('/', names.Select(Uri.EscapeDataString));

    public Task<HttpResponseMessage> SendAsync(
        string method, string path, HttpContent? body = null, Action<HttpRequestHeaders>? headers = null, Version? version = null)
    {
        var request = new HttpRequestMessage(new HttpMethod(method), path) { Content = body, Version = version ?? HttpVersion.Version11 };
        headers?.Invoke(request.Headers);
        return _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
    }

    /// <summary>Status and text of the answer.</summary>
    public async Task<(HttpStatusCode Status, string Text)> AskAsync(string method, string path, byte[]? body = null)
    {
        using var response = await SendAsync(method, path, body is null ? null : new ByteArrayContent(body));
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    public async Task PutAsync(string path, byte[] nzb)
    {
        var (status, text) = await AskAsync("PUT", path, nzb);
        Assert.True(status == HttpStatusCode.Created, $"{status}: {text}");
    }

    /// <summary>The resource and, with depth 1, its children; null if it does not exist.</summary>
    public async Task<List<Entry>?> FindAsync(string path, int depth = 1)
    {
        using var response = await SendAsync("PROPFIND", path, body: null, headers => headers.Add("Depth", $"{depth}"));
        if (response.StatusCode == HttpStatusCode.NotFound)
            return null;
        var text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == HttpStatusCode.MultiStatus, $"{response.StatusCode}: {text}");
        return [.. XDocument.Parse(text).Root!.Elements().Select(Read)];
    }

    /// <summary>Names of a collection's children.</summary>
    public async Task<string[]> ListAsync(string path)
    {
        var found = await FindAsync(path);
        Assert.NotNull(found);
        return [.. found.Skip(1).Select(entry => entry.Name).Order(StringComparer.Ordinal)];
    }

    /// <summary>The entry of one file or collection.</summary>
    public async Task<Entry> StatAsync(string path)
    {
        var found = await FindAsync(path, depth: 0);
        Assert.True(found is not null, $"{path} is not there.");
        return Assert.Single(found);
    }

    /// <summary>Waits until a resource exists or, with false, does not.</summary>
    public Task UntilAsync(string path, bool isThere = true) =>
        Deadline.UntilAsync(
            async () => await FindAsync(path, depth: 0) is not null == isThere, $"{path} {(isThere ? "is there" : "is gone")}");

    /// <summary>Downloads a whole file and compares it.</summary>
    public async Task AssertFileAsync(string path, PostedFile file)
    {
        using var response = await SendAsync("GET", path);
        Assert.True(response.StatusCode == HttpStatusCode.OK,
            $"{response.StatusCode}: {(response.IsSuccessStatusCode ? "" : await response.Content.ReadAsStringAsync())}");
        Assert.Equal(file.Length, response.Content.Headers.ContentLength);
        await AssertBodyAsync(response, file, 0, file.Length);
    }

    /// <summary>Requests a range as rclone does, checks the answer as rclone does, and compares the bytes.</summary>
    public async Task AssertRangeAsync(string path, PostedFile file, long start, long end)
    {
        using var response = await SendAsync("GET", path, body: null, headers => headers.Range = new RangeHeaderValue(start, end - 1));
        Assert.True(response.StatusCode == HttpStatusCode.PartialContent,
            $"{response.StatusCode}: {(response.IsSuccessStatusCode ? "" : await response.Content.ReadAsStringAsync())}");
        Assert.Equal($"bytes {start}-{end - 1}/{file.Length}", Assert.Single(response.Content.Headers.GetValues("Content-Range")));
        Assert.Equal(end - start, response.Content.Headers.ContentLength);
        await AssertBodyAsync(response, file, start, end);
    }

    /// <summary>Requests ranges of all sizes at seeded offsets.</summary>
    public async Task AssertRangesAsync(string path, PostedFile file, int count, int seed, int longest = 2_000_000)
    {
        var random = new Random(seed);
        for (var i = 0; i < count; i++)
        {
            var start = random.NextInt64(file.Length);

            // Many short ones and a few long ones, as players do.
            var length = (long)Math.Exp(random.NextDouble() * Math.Log(longest)) + 1;
            await AssertRangeAsync(path, file, start, Math.Min(file.Length, start + length));
        }
    }

    public void Dispose() => _http.Dispose();

    /// <summary>The digest of a part of a posted file.</summary>
    public static string Digest(PostedFile file, long start, long end)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var piece = new byte[256 << 10];
        for (var at = start; at < end;)
        {
            var part = piece.AsSpan(0, (int)Math.Min(piece.Length, end - at));
            file.Source.Fill(at, part);
            hash.AppendData(part);
            at += part.Length;
        }

        return Convert.ToHexString(hash.GetHashAndReset());
    }

    private static async Task AssertBodyAsync(HttpResponseMessage response, PostedFile file, long start, long end)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        await using var body = await response.Content.ReadAsStreamAsync();
        var piece = new byte[256 << 10];
        long count = 0;
        int read;
        while ((read = await body.ReadAsync(piece)) > 0)
        {
            hash.AppendData(piece.AsSpan(0, read));
            count += read;
        }

        Assert.Equal(end - start, count);
        Assert.Equal(Digest(file, start, end), Convert.ToHexString(hash.GetHashAndReset()));
    }

    private static Entry Read(XElement response)
    {
        var href = response.Element(Dav + "href")!.Value;
        var found = response.Elements(Dav + "propstat").Single(stat => stat.Element(Dav + "status")!.Value == "HTTP/1.1 200 OK")
            .Element(Dav + "prop")!;
        var isCollection = found.Element(Dav + "resourcetype")!.Element(Dav + "collection") is not null;
        return new Entry(
            href,
            Uri.UnescapeDataString(href.TrimEnd('/')[(href.TrimEnd('/').LastIndexOf('/') + 1)..]),
            isCollection,
            isCollection ? 0 : long.Parse(found.Element(Dav + "getcontentlength")!.Value, NumberStyles.None, CultureInfo.InvariantCulture),
            DateTimeOffset.ParseExact(
                found.Element(Dav + "getlastmodified")!.Value, "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal),
            found.Element(Dav + "getetag")?.Value ?? "");
    }
}
