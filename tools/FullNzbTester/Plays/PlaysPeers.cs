using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;

namespace NzbDav.FullNzbTester.Plays;

/// <summary>Calls <c>/api/v1/play</c>, and reads what it answers with.</summary>
internal sealed class PlayCaller : IDisposable
{
    private readonly HttpClient _http;
    private readonly HttpClient _player = new();

    public PlayCaller(Uri root, string key)
    {
        // The root is that of WebDAV.
        // A server takes 256 connections from an address on which nobody has sent a key yet.
        _http = new HttpClient(new SocketsHttpHandler { MaxConnectionsPerServer = 200 })
        { BaseAddress = new Uri(root, "/"), Timeout = TimeSpan.FromMinutes(5) };
        _http.DefaultRequestHeaders.Add("X-Api-Key", key.Trim());
    }

    /// <returns>The address, null if there is none; the job; and the whole answer.</returns>
    public async Task<(Uri? Address, string? Job, string Body)> PlayAsync(byte[] nzb, CancellationToken cancellationToken)
    {
        using var body = new ByteArrayContent(nzb);
        body.Headers.ContentType = new MediaTypeHeaderValue("application/x-nzb");
        return await SendAsync(body, cancellationToken);
    }

    /// <summary>Plays the first release that a search finds.</summary>
    public async Task<(Uri? Address, string? Job, string Body)> PlayFoundAsync(string query, CancellationToken cancellationToken)
    {
        var found = await _http.GetStringAsync($"api/v1/search?query={Uri.EscapeDataString(query)}", cancellationToken);
        if (JsonNode.Parse(found)!["releases"]!.AsArray() is not [{ } first, ..])
            return (null, null, found);
        using var body = new StringContent(
            new JsonObject { ["release"] = first["id"]!.GetValue<string>() }.ToJsonString(), Encoding.UTF8, "application/json");
        return await SendAsync(body, cancellationToken);
    }

    /// <summary>Reads bytes from a place on.</summary>
    public async Task<byte[]> ReadAsync(Uri address, int count, CancellationToken cancellationToken, long from = 0)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, address);
        request.Headers.Range = new RangeHeaderValue(from, from + count - 1);
        using var response = await _player.SendAsync(request, cancellationToken);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadAsByteArrayAsync(cancellationToken);
    }

    /// <summary>Reads a range and drops it.</summary>
    public async Task DrainAsync(Uri address, long from, long count, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, address);
        request.Headers.Range = new RangeHeaderValue(from, from + count - 1);
        using var response = await _player.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);
        response.EnsureSuccessStatusCode();
        await using var body = await response.Content.ReadAsStreamAsync(cancellationToken);
        await body.CopyToAsync(Stream.Null, 1 << 18, cancellationToken);
    }

    private async Task<(Uri? Address, string? Job, string Body)> SendAsync(HttpContent body, CancellationToken cancellationToken)
    {
        using var response = await _http.PostAsync("api/v1/play", body, cancellationToken);
        var text = await response.Content.ReadAsStringAsync(cancellationToken);
        if (!response.IsSuccessStatusCode)
            return (null, null, text);
        var answer = JsonNode.Parse(text)!;
        return (new Uri(answer["address"]!.GetValue<string>()), answer["jobId"]!.GetValue<string>(), text);
    }

    public void Dispose()
    {
        _http.Dispose();
        _player.Dispose();
    }
}

/// <summary>An indexer with the Newznab API, whose searches find what has all words.</summary>
internal sealed class PlaysIndexer : IDisposable
{
    private readonly HttpListener _listener = new();
    private readonly ConcurrentDictionary<string, (string Title, byte[] Nzb)> _posts = new(StringComparer.Ordinal);

    public PlaysIndexer()
    {
        using (var free = new TcpListener(IPAddress.Loopback, 0))
        {
            free.Start();
            Root = $"http://127.0.0.1:{((IPEndPoint)free.LocalEndpoint).Port}";
        }

        _listener.Prefixes.Add(Root + "/");
        _listener.Start();
        _ = ServeAsync();
    }

    public string Root { get; }

    public void Add(string title, byte[] nzb) => _posts[Guid.NewGuid().ToString("N")] = (title, nzb);

    public void Dispose() => _listener.Close();

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                var call = await _listener.GetContextAsync();
                try
                {
                    await AnswerAsync(call);
                }
                catch (Exception e) when (e is HttpListenerException or IOException)
                {
                    // The caller has gone.
                }
            }
        }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException)
        {
            // It was closed.
        }
    }

    private async Task AnswerAsync(HttpListenerContext call)
    {
        using var response = call.Response;
        if (_posts.TryGetValue(call.Request.Url!.AbsolutePath.Trim('/'), out var post))
        {
            response.ContentType = "application/x-nzb";
            await response.OutputStream.WriteAsync(post.Nzb);
            return;
        }

        var words = call.Request.QueryString["q"] ?? "";
        var items = _posts.Where(pair => pair.Value.Title.Contains(words, StringComparison.OrdinalIgnoreCase)).Select(pair =>
            $"<item><title>{pair.Value.Title}</title><enclosure url=\"{Root}/{pair.Key}\" type=\"application/x-nzb\"/></item>");
        response.ContentType = "application/xml";
        await response.OutputStream.WriteAsync(
            Encoding.UTF8.GetBytes($"<rss version=\"2.0\"><channel>{string.Concat(items)}</channel></rss>"));
    }
}
