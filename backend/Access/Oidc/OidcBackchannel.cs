using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace NzbDav.Access.Oidc;

/// <summary>How the server itself asks the provider. Thread-safe.</summary>
internal sealed class OidcBackchannel : IDisposable
{
    private const long LongestAnswer = 1 << 20;

    public OidcBackchannel() => Http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, PooledConnectionLifetime = TimeSpan.FromMinutes(5) })
    {
        Timeout = TimeSpan.FromSeconds(15),
        MaxResponseContentBufferSize = LongestAnswer,
    };

    public HttpClient Http { get; }

    /// <summary>Sends a request and reads the JSON of a good answer.</summary>
    /// <param name="request">What to ask.</param>
    /// <param name="what">What that is, for people.</param>
    /// <param name="type">What the answer is.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="OidcException">There is none.</exception>
    public async Task<T> AskAsync<T>(HttpRequestMessage request, string what, JsonTypeInfo<T> type, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await Http.SendAsync(request, cancellationToken);
            if (response.StatusCode != HttpStatusCode.OK)
                throw new OidcException($"The sign-in provider refused {what}: {(int)response.StatusCode}{await ErrorCodeAsync(response, cancellationToken)}.");
            return await response.Content.ReadFromJsonAsync(type, cancellationToken) ?? throw new JsonException();
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

    /// <summary>RFC 6749 §5.2: <c>{"error":"invalid_grant"}</c>. Only such a word is told: descriptions may repeat what was sent.</summary>
    private static async Task<string> ErrorCodeAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        try
        {
            var body = await response.Content.ReadFromJsonAsync(OidcJson.Default.JsonElement, cancellationToken);
            return body.ValueKind == JsonValueKind.Object && body.TryGetProperty("error", out var error) && error.GetString() is { Length: > 0 and <= 64 } code
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
