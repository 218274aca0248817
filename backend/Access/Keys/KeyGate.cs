using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Attempts;

namespace NzbDav.Access.Keys;

/// <summary>Judges the keys that callers present, for every route that takes one: wrong ones count as failures of their address, as wrong passwords do. Thread-safe.</summary>
public sealed class KeyGate(ApiKeys keys, AttemptGate attempts)
{
    private const string Header = "X-Api-Key";
    private const string Scheme = "Bearer ";

    /// <summary>The key in the headers of a request, <c>X-Api-Key</c> or a bearer token; empty if one of them is, null if there is neither.</summary>
    public static string? InHeaders(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Headers.TryGetValue(Header, out var header))
            return header.ToString();
        var authorization = request.Headers.Authorization.ToString();
        return authorization.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) ? authorization[Scheme.Length..].Trim() : null;
    }

    /// <summary>The key of a request: that in its headers, else the first <c>apikey</c> of its query; null if there is none.</summary>
    public static string? Presented(HttpRequest request) => InHeaders(request) ?? (request.Query.TryGetValue("apikey", out var query) ? query[0] : null);

    /// <inheritdoc cref="AttemptGate.SetRetryAfter"/>
    public void SetRetryAfter(HttpResponse response) => attempts.SetRetryAfter(response);

    /// <summary>Judges a key. One that was right before is never slowed down, whatever others try from the same address.</summary>
    /// <param name="address">Whose it is; behind a trusted proxy the client's.</param>
    /// <param name="key">As it was sent, not empty.</param>
    /// <param name="asDownloadClient">See <see cref="ApiKeys.RightsOf"/>.</param>
    /// <returns>What it is, and what it opens here: nothing unless it is right.</returns>
    public async ValueTask<(AttemptOutcome Outcome, ApiRights Rights)> TryAsync(IPAddress? address, string key, bool asDownloadClient = false)
    {
        // A key is right if it opens anything anywhere: one that opens nothing here is no guess.
        var outcome = await attempts.TryAsync(address, "key", key, () => ValueTask.FromResult(keys.RightsOf(key, asDownloadClient: true) != ApiRights.None));
        return (outcome, outcome == AttemptOutcome.Right ? keys.RightsOf(key, asDownloadClient) : ApiRights.None);
    }
}
