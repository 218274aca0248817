using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>Invalid bodies sent to the calls below <c>/api/v1</c>: all are refused in the same way.</summary>
public sealed class BodyTests
{
    private static readonly (string Method, string Path)[] Calls =
    [
        ("POST", "/api/v1/session"), ("POST", "/api/v1/setup"), ("POST", "/api/v1/users"), ("PUT", "/api/v1/users/nobody/password"),
        ("PATCH", "/api/v1/settings"),
        ("PUT", "/api/v1/settings/import"), ("PUT", "/api/v1/log"), ("POST", "/api/v1/arrs/0/register"), ("POST", "/api/v1/repairs"),
    ];

    [Fact]
    public async Task Every_call_refuses_an_invalid_body_with_a_reason()
    {
        await using var news = new NewsServers(new MockProviderOptions());
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>
        {
            ["Api:Key"] = SettingsClient.Key,
            ["Torrents:Enabled"] = "false",
            ["Arrs:0:Application"] = "Sonarr",
            ["Arrs:0:Url"] = "http://127.0.0.1:9",
            ["Arrs:0:ApiKey"] = "the-key-of-sonarr",
        });
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        foreach (var (method, path) in Calls)
        {
            await RefusedAsync(HttpStatusCode.BadRequest, "not the JSON that belongs here", Text("null"));
            await RefusedAsync(HttpStatusCode.BadRequest, "not the JSON that belongs here", Text("{\"a"));
            await RefusedAsync(HttpStatusCode.BadRequest, "not the JSON that belongs here", Text("[]"));
            await RefusedAsync(HttpStatusCode.BadRequest, "not the JSON that belongs here", Text(""));
            await RefusedAsync(HttpStatusCode.UnsupportedMediaType, "Send JSON", Text("{}", "text/plain"));
            await RefusedAsync(HttpStatusCode.UnsupportedMediaType, "Send JSON", Text("{}", "application/json; charset=no-such"));
            await RefusedAsync(HttpStatusCode.UnsupportedMediaType, "Send JSON", content: null);
            await RefusedAsync(HttpStatusCode.RequestEntityTooLarge, "larger than", Large(chunked: false));
            await RefusedAsync(HttpStatusCode.RequestEntityTooLarge, "larger than", Large(chunked: true));

            async Task RefusedAsync(HttpStatusCode status, string reason, HttpContent? content)
            {
                using var request = new HttpRequestMessage(new HttpMethod(method), path) { Content = content };
                request.Headers.Add("X-Api-Key", SettingsClient.Key);
                request.Headers.TransferEncodingChunked = content is { Headers.ContentLength: null } ? true : null;
                using var response = await http.SendAsync(request);
                var text = await response.Content.ReadAsStringAsync();
                Assert.True(status == response.StatusCode, $"{method} {path}: {response.StatusCode} instead of {status}: {text}");
                Assert.Contains(reason, JsonDocument.Parse(text).RootElement.GetProperty("error").GetString(), StringComparison.Ordinal);
                Assert.True(response.Headers.CacheControl!.NoStore);
            }
        }
    }

    private static ByteArrayContent Text(string text, string type = "application/json")
    {
        var content = new ByteArrayContent(Encoding.UTF8.GetBytes(text));
        content.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        return content;
    }

    /// <summary>A JSON object longer than every limit.</summary>
    private static HttpContent Large(bool chunked)
    {
        var bytes = Encoding.UTF8.GetBytes("{\"a\":\"" + new string('x', 2 << 20) + "\"}");
        HttpContent content = chunked ? new StreamContent(new UnseekableStream(bytes)) : new ByteArrayContent(bytes);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        return content;
    }

    /// <summary>Bytes of unknown length.</summary>
    private sealed class UnseekableStream(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }
}
