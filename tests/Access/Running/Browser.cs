using System.Net;
using System.Net.Http.Json;

namespace NzbDav.Access.Tests.Running;

/// <summary>A client that keeps cookies as a browser does and follows no redirect by itself.</summary>
internal sealed class Browser : IDisposable
{
    private readonly HttpClient _http;

    public Browser(string root)
    {
        _http = new HttpClient(new SocketsHttpHandler
        { CookieContainer = Cookies, AllowAutoRedirect = false })
        { BaseAddress = new Uri(root), Timeout = TimeSpan.FromSeconds(60) };
    }

    public CookieContainer Cookies { get; } = new();

    /// <summary>Sent with every request that changes something; null: not sent.</summary>
    public string? CsrfToken { get; set; }

    /// <summary>Sent with every request, after <see cref="ConfirmAsync"/>; null: not sent.</summary>
    public string? Confirmation { get; set; }

    /// <summary>Enters the password again.</summary>
    public async Task ConfirmAsync(string password = AccessServer.Password)
    {
        var answer = await PostAsync("/api/v1/session/confirmation", new { password });
        Assert.Equal(HttpStatusCode.OK, answer.Status);
        Confirmation = answer.Json.GetProperty("confirmation").GetString();
    }

    public Task<Answer> GetAsync(string path, params (string Name, string Value)[] headers) =>
        SendAsync(HttpMethod.Get, path, body: null, headers);

    public Task<Answer> PostAsync(string path, object? body = null, params (string Name, string Value)[] headers) =>
        SendAsync(HttpMethod.Post, path, body, headers);

    public async Task<Answer> SendAsync(HttpMethod method, string path, object? body, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null)
            request.Content = body as HttpContent ?? JsonContent.Create(body);
        if (CsrfToken is not null && method != HttpMethod.Get)
            request.Headers.Add("X-CSRF-Token", CsrfToken);
        if (Confirmation is not null)
            request.Headers.Add("X-Confirmation", Confirmation);
        foreach (var (name, value) in headers)
            request.Headers.TryAddWithoutValidation(name, value);
        using var response = await _http.SendAsync(request);
        return new Answer(
            response.StatusCode,
            await response.Content.ReadAsStringAsync(),
            response.Headers.Concat(response.Content.Headers)
                .ToDictionary(header => header.Key, header => header.Value.ToArray(), StringComparer.OrdinalIgnoreCase));
    }

    public void Dispose() => _http.Dispose();
}
