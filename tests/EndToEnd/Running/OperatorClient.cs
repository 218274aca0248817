using System.Net;
using System.Text;
using System.Text.Json;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Calls <c>/api/v1</c> with the API key.</summary>
internal sealed class OperatorClient : IDisposable
{
    private readonly HttpClient _http;

    public OperatorClient(string root, string? key)
    {
        _http = new HttpClient { BaseAddress = new Uri(root), Timeout = Deadline.Long };
        if (key is not null)
            _http.DefaultRequestHeaders.Add("X-Api-Key", key);
    }

    /// <summary>With the key that the server generated.</summary>
    public static OperatorClient Of(Gateway gateway) =>
        new(gateway.Root, File.ReadAllText(Path.Combine(gateway.ConfigFolder, "keys", "api")));

    public async Task<(HttpStatusCode Status, JsonElement Body)> AskAsync(string method, string path, string? json = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        if (json is not null)
            request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        using var response = await _http.SendAsync(request);
        var bytes = await response.Content.ReadAsByteArrayAsync();
        return (response.StatusCode, response.Content.Headers.ContentType?.MediaType == "application/json"
            ? JsonDocument.Parse(bytes).RootElement.Clone() : default);
    }

    /// <summary>The body of a successful answer.</summary>
    public async Task<JsonElement> OkAsync(string path)
    {
        var (status, body) = await AskAsync("GET", path);
        Assert.True(status == HttpStatusCode.OK, $"{path}: {status} {body}");
        return body;
    }

    /// <summary>The id of a file, by its folder and name.</summary>
    public async Task<string> IdAsync(string path, string name) =>
        Id((await OkAsync("/api/v1/files?path=" + Uri.EscapeDataString(path))).GetProperty("items").EnumerateArray()
            .Single(item => item.GetProperty("name").GetString() == name));

    /// <summary>Names on a page of files.</summary>
    public static string[] Names(JsonElement page) =>
        [.. page.GetProperty("items").EnumerateArray().Select(item => item.GetProperty("name").GetString()!)];

    public static string Id(JsonElement item) => item.GetProperty("id").GetString()!;

    public async Task<byte[]> DownloadAsync(string path)
    {
        using var response = await _http.GetAsync(path);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return await response.Content.ReadAsByteArrayAsync();
    }

    public void Dispose() => _http.Dispose();
}
