using Microsoft.AspNetCore.Http;
using NzbDav.Access.Attempts;
using NzbDav.Access.Connections;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Keys;

/// <summary>Judges the keys that callers present, for every route that takes one: wrong ones count as failures of their address, as wrong
/// passwords do. Thread-safe.</summary>
public sealed class KeyGate(ApiKeys keys, AttemptGate attempts)
{
    private const string Header = "X-Api-Key";
    private const string Scheme = "Bearer ";

    /// <summary>
    /// The key in the headers of a request, <c>X-Api-Key</c> or a bearer token; empty if one of them is, null if there is neither. A key in
    /// the address ends up in the logs of proxies and the history of browsers: only the SABnzbd interface, whose clients know nothing else,
    /// takes one from there.
    /// </summary>
    public static string? InHeaders(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Headers.TryGetValue(Header, out var header))
            return header.ToString();
        var authorization = request.Headers.Authorization.ToString();
        return authorization.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) ? authorization[Scheme.Length..].Trim() : null;
    }

    /// <summary>Judges a key. One that was right before is never slowed down, whatever others try from the same address.</summary>
    /// <param name="http">The request that it came with.</param>
    /// <param name="key">As it was sent, not empty.</param>
    /// <param name="asDownloadClient">See <see cref="ApiKeys.RightsOf"/>.</param>
    /// <returns>What it is, and what it opens here: nothing unless it is right.</returns>
    public async ValueTask<(SecretVerdict Outcome, ApiRights Rights)> TryAsync(HttpContext http, string key, bool asDownloadClient = false)
    {
        ArgumentNullException.ThrowIfNull(http);

        // A key is right if it opens anything anywhere: one that opens nothing here is no guess.
        var outcome = await attempts.TryAsync(
            http.Connection.RemoteIpAddress, "key", key,
            () => ValueTask.FromResult(keys.RightsOf(key, asDownloadClient: true) != ApiRights.None));
        if (outcome != SecretVerdict.Right)
            return (outcome, ApiRights.None);
        ConnectionSlot.Keep(http);
        return (outcome, keys.RightsOf(key, asDownloadClient));
    }
}
