using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Keys;
using NzbDav.Access.Proxies;

namespace NzbDav.Access.Rules;

/// <summary>Judges the caller of an answer that lasts: the session may have ended, or rights may have been taken away, since it began. Thread-safe.</summary>
public sealed class StandingCaller
{
    private readonly CallerFinder _callers;
    private readonly IServiceScopeFactory _scopes;

    internal StandingCaller(CallerFinder callers, IServiceScopeFactory scopes)
    {
        _callers = callers;
        _scopes = scopes;
    }

    /// <summary>What the caller would be allowed if the request came now.</summary>
    public async ValueTask<ApiRights> RightsAsync(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);

        // As a request of its own: what the framework found out about the cookie is kept with the first one.
        await using var scope = _scopes.CreateAsyncScope();
        var again = new DefaultHttpContext { RequestServices = scope.ServiceProvider };
        var (from, to) = (http.Request, again.Request);
        (to.Method, to.Scheme, to.Host, to.PathBase, to.Path, to.QueryString) = (from.Method, from.Scheme, from.Host, from.PathBase, from.Path, from.QueryString);
        foreach (var header in from.Headers)
            to.Headers[header.Key] = header.Value;
        again.Connection.RemoteIpAddress = http.Connection.RemoteIpAddress;
        again.Features.Set(http.Features.Get<ClientOrigin>());
        return (await _callers.FindAsync(again)).Rights;
    }
}
