using Microsoft.AspNetCore.Antiforgery;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Callers;
using NzbDav.Access.Connections;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Rules;

/// <summary>Enforces the <see cref="AccessRule"/> of routes. Must come after routing.</summary>
internal sealed partial class AccessGuard(CallerFinder callers, IAntiforgery antiforgery, PasswordAgain again, ILogger<AccessGuard> logger)
{
    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var endpoint = http.GetEndpoint();
        if (endpoint?.Metadata.GetMetadata<AccessRule>() is { } rule)
        {
            if (await AdmitAsync(http, rule))
                await next(http);
        }
        else if (endpoint is RouteEndpoint route && AccessRules.IsNative(route.RoutePattern.RawText))
        {
            LogNoRule(logger, route.RoutePattern.RawText);
            await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, "Nobody has decided who may call this.");
        }
        else
        {
            await next(http);
        }
    }

    private async ValueTask<bool> AdmitAsync(HttpContext http, AccessRule rule)
    {
        // Clients are web pages elsewhere, which are to see refusals too.
        if (rule.HasKeyInAddress)
            http.Response.Headers.AccessControlAllowOrigin = "*";
        var caller = rule.HasKeyInAddress ? await callers.FindAddonAsync(http) : await callers.FindAsync(http);
        http.Features.Set(caller);
        if (caller.Rights != ApiRights.None)
            ConnectionSlot.Keep(http);
        if (caller.Principal is { } principal)
            http.User = principal;
        if (caller.Kind == CallerKind.Throttled)
            return await AccessReply.SlowDownAsync(http);

        if (rule.HasKeyInAddress && caller.Kind == CallerKind.Nobody)
            return await JsonReply.RefuseAsync(http, StatusCodes.Status401Unauthorized,
                "The key in this address is wrong, or it was revoked: make a new address on the page of NzbDav.");

        if (caller.Kind == CallerKind.WrongKey || (!rule.IsOpen && caller.Kind == CallerKind.Nobody))
        {
            http.Response.Headers.WWWAuthenticate = "Bearer realm=\"NzbDav\"";
            return await JsonReply.RefuseAsync(http, StatusCodes.Status401Unauthorized,
                caller.Kind == CallerKind.WrongKey ? "The API key is wrong." : "Sign in, or send an API key.");
        }

        if (!rule.IsOpen && (caller.Rights & rule.Rights) != rule.Rights)
            return await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden,
                $"You may not do this: it takes the right to {string.Join(" and ", Roles.NamesOf(rule.Rights & ~caller.Rights))}.");
        if (caller.Kind != CallerKind.Key && !IsSafe(http.Request.Method) && !await IsOwnRequestAsync(http, rule, caller))
            return false;
        return !rule.IsConfirmed || await again.AdmitAsync(http);
    }

    /// <summary>False, after a response, for a request that another site may have made a browser send.</summary>
    private async ValueTask<bool> IsOwnRequestAsync(HttpContext http, AccessRule rule, Caller caller)
    {
        if (!SameOrigin.Allows(http.Request))
            return await JsonReply.RefuseAsync(
                http, StatusCodes.Status403Forbidden, "Another site has made this request. A reverse proxy must pass the Host header on.");
        if (!caller.IsAmbient || rule.BeginsSession || await antiforgery.IsRequestValidAsync(http))
            return true;
        return await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden,
            $"The header {SessionCookie.TokenHeader} is missing or wrong: GET {AccessRules.Native}/session tells it.");
    }

    private static bool IsSafe(string method) => HttpMethods.IsGet(method) || HttpMethods.IsHead(method) || HttpMethods.IsOptions(method);

    [LoggerMessage(501, LogLevel.Error, "the route {Pattern} does not say who may call it: refused")]
    private static partial void LogNoRule(ILogger logger, string? pattern);
}
