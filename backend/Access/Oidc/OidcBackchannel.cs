using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.IdentityModel.Protocols;
using NzbDav.Content.Dialling;

namespace NzbDav.Access.Oidc;

/// <summary>The server's own requests to the provider. Thread-safe.</summary>
internal sealed class OidcBackchannel : IDocumentRetriever, IDisposable
{
    private const long LongestAnswer = 1 << 20;

    public OidcBackchannel() => Http = new HttpClient(new SocketsHttpHandler
    {
        AllowAutoRedirect = false,
        UseCookies = false,
        PooledConnectionLifetime = TimeSpan.FromMinutes(5),
        ConnectCallback = Dialler.Shared.ConnectAsync,
    })
    {
        Timeout = TimeSpan.FromSeconds(15),
        MaxResponseContentBufferSize = LongestAnswer,
    };

    public HttpClient Http { get; }

    /// <summary>Sends a request and reads the JSON object of a successful response.</summary>
    /// <param name="request">The request.</param>
    /// <param name="what">Name of the requested data, for people.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="OidcException">There was no such response.</exception>
    public Task<JsonElement> RequestAsync(HttpRequestMessage request, string what, CancellationToken cancellationToken) =>
        RequestAsync(request, what, static async (content, cancel) =>
            await content.ReadFromJsonAsync(OidcJson.Default.JsonElement, cancel) is { ValueKind: JsonValueKind.Object } answer
                ? answer
                : throw new JsonException(), cancellationToken);

    /// <summary>The discovery document, or the keys that it names.</summary>
    /// <exception cref="OidcException">The document could not be fetched.</exception>
    public async Task<string> GetDocumentAsync(string address, CancellationToken cancel)
    {
        var what = address.EndsWith(OidcDiscovery.Document, StringComparison.Ordinal) ? "its discovery document" : "its keys";
        using var request = new HttpRequestMessage(HttpMethod.Get, address);
        return await RequestAsync(request, what, static (content, cancel) => content.ReadAsStringAsync(cancel), cancel);
    }

    private async Task<T> RequestAsync<T>(
        HttpRequestMessage request, string what, Func<HttpContent, CancellationToken, Task<T>> read, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await Http.SendAsync(request, cancellationToken);
            if (response.StatusCode != HttpStatusCode.OK)
                throw new OidcException(
                    $"The sign-in provider refused {what}: {(int)response.StatusCode}{await ErrorCodeAsync(response, cancellationToken)}.");
            return await read(response.Content, cancellationToken);
        }
        catch (HttpRequestException e)
        {
            throw new OidcException($"The sign-in provider cannot be reached for {what}.", e) { Status = 503 };
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new OidcException($"The sign-in provider did not answer when asked for {what}.", e) { Status = 503 };
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or NotSupportedException)
        {
            throw new OidcException($"The sign-in provider's answer to {what} cannot be read.", e);
        }
    }

    /// <summary>
    /// RFC 6749 §5.2: <c>{"error":"invalid_grant"}</c>. Reports only such a code: descriptions may repeat secrets that were sent.
    /// </summary>
    private static async Task<string> ErrorCodeAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        try
        {
            var body = await response.Content.ReadFromJsonAsync(OidcJson.Default.JsonElement, cancellationToken);
            return body.ValueKind == JsonValueKind.Object && body.TryGetProperty("error", out var error)
                && error.GetString() is { Length: > 0 and <= 64 } code
                && code.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-')
                ? $" {code}"
                : "";
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or NotSupportedException)
        {
            return "";
        }
    }

    public void Dispose() => Http.Dispose();
}

/// <summary>JSON of a provider's responses.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(JsonElement))]
internal sealed partial class OidcJson : JsonSerializerContext;
