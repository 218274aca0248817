using System.Globalization;
using System.Net;
using System.Text.Json;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>
/// The qBittorrent client of Sonarr and Radarr, call by call: a cookie from <c>auth/login</c> that is renewed on 403, Basic credentials
/// with every request, forms whose flags are <c>True</c> and <c>False</c>, multipart if there is a file.
/// </summary>
internal sealed class QbitArr : IDisposable
{
    private readonly SocketsHttpHandler _handler = new() { UseProxy = false, UseCookies = false, AllowAutoRedirect = false };
    private readonly HttpClient _http;
    private readonly string _user;
    private readonly string _password;
    private readonly string _category;
    private string? _cookie;

    public QbitArr(string root, string user, string password, string category)
    {
        _http = new HttpClient(_handler) { BaseAddress = new Uri(root) };
        (_user, _password, _category) = (user, password, category);
    }

    /// <summary>The first probe, without credentials: 404 means an old API, 401 and redirects are fatal.</summary>
    public async Task AssertSupportedAsync()
    {
        using var response = await _http.GetAsync("/api/v2/app/webapiVersion");
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    /// <summary>The calls of the button "Test".</summary>
    /// <returns>The save path.</returns>
    public async Task<string> TestAsync()
    {
        var version = Version.Parse(await TextAsync("app/webapiVersion"));
        Assert.True(version >= new Version(2, 11) && version < new Version(2, 14));
        Assert.StartsWith("v5.", await TextAsync("app/version"), StringComparison.Ordinal);
        var preferences = await JsonAsync("app/preferences");
        Assert.True(preferences.GetProperty("dht").GetBoolean());
        Assert.True(preferences.GetProperty("queueing_enabled").GetBoolean());
        var limited = preferences.GetProperty("max_ratio_enabled").GetBoolean() || preferences.GetProperty("max_seeding_time_enabled")
            .GetBoolean() || preferences.GetProperty("max_inactive_seeding_time_enabled").GetBoolean();
        Assert.False(limited && preferences.GetProperty("max_ratio_act").GetInt32() is 1 or 3);

        var categories = await JsonAsync("torrents/categories");
        if (!categories.TryGetProperty(_category, out _))
        {
            await PostAsync("torrents/createCategory", ("category", _category));
            categories = await JsonAsync("torrents/categories");
        }

        Assert.NotNull(categories.GetProperty(_category).GetProperty("savePath").GetString());
        await ItemsAsync();
        return preferences.GetProperty("save_path").GetString()!;
    }

    /// <summary>The torrents of its category, strictly parsed.</summary>
    public async Task<List<QbitItem>> ItemsAsync() =>
        [.. (await JsonAsync("torrents/info?category=" + Uri.EscapeDataString(_category))).EnumerateArray().Select(QbitItem.Read)];

    public async Task AddFileAsync(string fileName, byte[] file, params (string Name, string Value)[] more)
    {
        using var form = new MultipartFormDataContent { { new ByteArrayContent(file), "torrents", fileName } };
        foreach (var (name, value) in Options(more))
            form.Add(new StringContent(value), name);
        Assert.NotEqual("Fails.", await SendAsync(HttpMethod.Post, "torrents/add", form));
    }

    public async Task AddLinkAsync(string link, params (string Name, string Value)[] more) =>
        Assert.NotEqual("Fails.", await PostAsync("torrents/add", [("urls", link), .. Options(more)]));

    /// <summary>True once <c>torrents/properties</c> knows the torrent; asks ten times a second, for a second at most.</summary>
    public async Task<bool> IsLoadedAsync(string hash)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v2/torrents/properties?hash=" + hash);
        request.Headers.Add("Cookie", _cookie);
        using var response = await _http.SendAsync(request);
        if (response.StatusCode != HttpStatusCode.OK)
            return false;
        var properties = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement;
        Assert.Equal(hash, properties.GetProperty("hash").GetString());
        Assert.NotNull(properties.GetProperty("save_path").GetString());
        properties.GetProperty("seeding_time").GetInt64();
        return true;
    }

    /// <summary>Waits until the *arr considers a torrent completed.</summary>
    public async Task<QbitItem> CompletedAsync(string hash)
    {
        QbitItem? found = null;
        await Deadline.UntilAsync(
            async () =>
            {
                found = (await ItemsAsync()).Find(item => item.Id.Equals(hash, StringComparison.OrdinalIgnoreCase));
                return found?.Status == "Completed";
            },
            $"{hash} is completed");
        return found!;
    }

    public async Task<string[]> FilesAsync(string hash) =>
        [.. (await JsonAsync("torrents/files?hash=" + hash)).EnumerateArray().Select(file => file.GetProperty("name").GetString()!)];

    public async Task<string> PostAsync(string call, params (string Name, string Value)[] form)
    {
        using var body = new FormUrlEncodedContent(form.Select(field => KeyValuePair.Create(field.Name, field.Value)));
        return await SendAsync(HttpMethod.Post, call, body);
    }

    public async Task<JsonElement> JsonAsync(string call) => JsonDocument.Parse(await TextAsync(call)).RootElement;

    public void Dispose()
    {
        _http.Dispose();
        _handler.Dispose();
    }

    private static string Flag(bool flag) => flag.ToString(CultureInfo.InvariantCulture);

    private IEnumerable<(string Name, string Value)> Options((string Name, string Value)[] more) =>
        [("category", _category), ("stopped", Flag(false)), ("sequentialDownload", Flag(true)), ("contentLayout", "Original"), .. more];

    private Task<string> TextAsync(string call) => SendAsync(HttpMethod.Get, call, body: null);

    private async Task<string> SendAsync(HttpMethod method, string call, HttpContent? body)
    {
        // Buffered, because it may be sent twice.
        var bytes = body is null ? null : await body.ReadAsByteArrayAsync();
        for (var attempt = 0; ; attempt++)
        {
            if (_cookie is null)
                await LogInAsync();
            using var request = new HttpRequestMessage(method, "/api/v2/" + call);
            if (bytes is not null)
            {
                request.Content = new ByteArrayContent(bytes);
                request.Content.Headers.ContentType = body!.Headers.ContentType;
            }

            request.Headers.Add("Cookie", _cookie);
            request.Headers.Authorization = DavClient.Basic(_user, _password);
            using var response = await _http.SendAsync(request);
            if (response.StatusCode == HttpStatusCode.Forbidden && attempt == 0)
            {
                _cookie = null;
                continue;
            }

            var text = await response.Content.ReadAsStringAsync();
            Assert.True(response.StatusCode == HttpStatusCode.OK, $"{call}: {response.StatusCode}: {text}");
            return text;
        }
    }

    private async Task LogInAsync()
    {
        using var form = new FormUrlEncodedContent(
            new Dictionary<string, string>(StringComparer.Ordinal) { ["username"] = _user, ["password"] = _password });
        using var response = await _http.PostAsync("/api/v2/auth/login", form);
        Assert.Equal((HttpStatusCode.OK, "Ok."), (response.StatusCode, await response.Content.ReadAsStringAsync()));
        _cookie = Assert.Single(response.Headers.GetValues("Set-Cookie")).Split(';')[0];
    }
}
