using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Options;

namespace NzbDav.Access.Proxies;

/// <summary>
/// Applies <c>X-Forwarded-For</c>, <c>-Proto</c>, <c>-Host</c> and <c>-Prefix</c> of trusted proxies only, and sets a
/// <see cref="ClientOrigin"/>. ASP.NET Core's own middleware does the work: one for each state of the options.
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

        // The middleware has taken out what trusted proxies told.
        var forwarded = trusted
            ? !Equals(http.Connection.RemoteIpAddress, peer) && !ClientOrigin.HasFurtherProxy(http.Request.Headers)
            : ClientOrigin.HasMark(http.Request);
        http.Features.Set(new ClientOrigin(peer, trusted, forwarded));

        return next(http);
    }

    /// <summary>What is no path is ignored, as other headers are that make no sense; the middleware would fail on it.</summary>
    private static void DropBadPrefix(IHeaderDictionary headers)
    {
        const string Prefix = "X-Forwarded-Prefix";
        if (headers.TryGetValue(Prefix, out var told) && told.ToString().Split(',').Any(prefix => !prefix.Trim().StartsWith('/')))
            headers.Remove(Prefix);
    }

    private Rules RulesFor(AccessOptions options)
    {
        if (_rules is { } rules && ReferenceEquals(rules.Options, options))
            return rules;
        var forwarding = new ForwardedHeadersOptions
        {
            ForwardedHeaders = ForwardedHeaders.XForwardedFor | ForwardedHeaders.XForwardedProto | ForwardedHeaders.XForwardedHost | ForwardedHeaders.XForwardedPrefix,

            // As far back as the proxies are known.
            ForwardLimit = null,
        };
        forwarding.KnownProxies.Clear();
        forwarding.KnownIPNetworks.Clear();
        foreach (var network in options.TrustedProxies)
            forwarding.KnownIPNetworks.Add(network);
        return _rules = new Rules(options, new ForwardedHeadersMiddleware(_ => Task.CompletedTask, loggers, Microsoft.Extensions.Options.Options.Create(forwarding)));
    }

    private sealed record Rules(AccessOptions Options, ForwardedHeadersMiddleware Middleware);
}
