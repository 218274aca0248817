using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Options;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Proxies;

/// <summary>
/// Applies <c>X-Forwarded-For</c>, <c>-Proto</c>, <c>-Host</c> and <c>-Prefix</c> of trusted proxies only, and sets a
/// <see cref="ClientOrigin"/>. Uses ASP.NET Core's own middleware, one instance for each version of the options.
/// </summary>
internal sealed class ForwardedRequests(LiveAccess access, ILoggerFactory loggers)
{
    private volatile Rules? _rules;

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var options = access.Current;
        var peer = http.Connection.RemoteIpAddress;
        var trusted = AccessOptions.Contains(options.TrustedProxies, peer);

        if (trusted)
        {
            DropBadPrefix(http.Request.Headers);
            RulesFor(options).Middleware.ApplyForwarders(http);
            http.Request.PathBase = new PathString(http.Request.PathBase.Value?.TrimEnd('/'));
        }

        // The middleware has removed the entries of trusted proxies.
        var forwarded = trusted
            ? !Equals(http.Connection.RemoteIpAddress, peer) && !ClientOrigin.HasFurtherProxy(http.Request.Headers)
            : ClientOrigin.HasMark(http.Request);
        http.Features.Set(new ClientOrigin(peer, trusted, forwarded));

        return next(http);
    }

    /// <summary>Removes a prefix that is no path: the middleware would fail on it.</summary>
    private static void DropBadPrefix(IHeaderDictionary headers)
    {
        const string Prefix = "X-Forwarded-Prefix";
        if (headers.TryGetValue(Prefix, out var value) && value.ToString().Split(',').Any(prefix => !prefix.Trim().StartsWith('/')))
            headers.Remove(Prefix);
    }

    private Rules RulesFor(AccessOptions options)
    {
        if (_rules is { } rules && ReferenceEquals(rules.Options, options))
            return rules;
        var forwarding = new ForwardedHeadersOptions
        {
            ForwardedHeaders = ForwardedHeaders.XForwardedFor | ForwardedHeaders.XForwardedProto | ForwardedHeaders.XForwardedHost
                | ForwardedHeaders.XForwardedPrefix,

            // Follow the chain back as far as the proxies are known.
            ForwardLimit = null,
        };
        forwarding.KnownProxies.Clear();
        forwarding.KnownIPNetworks.Clear();
        foreach (var network in options.TrustedProxies)
            forwarding.KnownIPNetworks.Add(network);
        return _rules = new Rules(options,
            new ForwardedHeadersMiddleware(_ => Task.CompletedTask, loggers, Microsoft.Extensions.Options.Options.Create(forwarding)));
    }

    private sealed record Rules(AccessOptions Options, ForwardedHeadersMiddleware Middleware);
}

/// <summary>Reads the user's name from a trusted proxy.</summary>
internal static class ForwardAuth
{
    /// <summary>The header with the secret that the proxy shares with this server.</summary>
    public const string SecretHeader = "X-Forward-Auth-Secret";

    private const int LongestName = 256;

    /// <summary>
    /// The name; null if the request does not come from a trusted proxy, the secret is wrong, or the name is missing or invalid.
    /// </summary>
    public static string? NameOf(HttpContext http, AccessOptions options) =>
        options.ForwardAuthHeader is { } header
        && http.Features.Get<ClientOrigin>() is { IsTrustedProxy: true }
        && (options.ForwardAuthSecret is not { } secret || HasSecret(http.Request, secret))
        && http.Request.Headers[header] is [{ Length: > 0 and <= LongestName } name]
        && !name.Any(IsInvalid)
            ? name
            : null;

    // A comma shows that two headers were joined on the way: "anna, bert".
    private static bool IsInvalid(char c) => char.IsControl(c) || c == ',';

    private static bool HasSecret(HttpRequest request, string secret) =>
        request.Headers[SecretHeader] is [{ } sent] && SecretText.Matches(secret, sent);
}
