using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Proxies;
using NzbDav.Access.Sessions;
using NzbDav.Catalog.Links;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Rules;

/// <summary>Identifies the caller. A key takes precedence, and a session does not make up for a wrong key.</summary>
internal sealed class CallerFinder(
    LiveAccess access, KeyGate keys, UserAccounts accounts, NetworkTrust networks, ServerFacts facts, AddonKeys addons)
{
    public async ValueTask<Caller> FindAsync(HttpContext http)
    {
        if (KeyGate.InHeaders(http.Request) is { } key)
            return await IdentifyByKeyAsync(http, key);

        // Until there is a user, only keys are accepted, except in the open demo.
        if (!await accounts.AnyAsync(http.RequestAborted))
            return (facts.IsOpen ? OfMachine(http) : null) ?? Caller.Nobody;
        return OfProxy(http) ?? await OfSessionAsync(http) ?? OfNetwork(http) ?? Caller.Nobody;
    }

    /// <summary>Identifies the caller by the key in the address alone.</summary>
    public async ValueTask<Caller> FindAddonAsync(HttpContext http) =>
        http.GetRouteValue(AccessRules.AddonKeyValue) is string key && await addons.FindAsync(key, http.RequestAborted) is { } row
            ? new Caller(CallerKind.Addon, ApiRights.Read | ApiRights.Add, row.Name) { AddonKey = row.Id }
            : Caller.Nobody;

    private async ValueTask<Caller> IdentifyByKeyAsync(HttpContext http, string key) =>
        await keys.TryAsync(http, key) switch
        {
            (SecretVerdict.Right, var rights) => new Caller(CallerKind.Key, rights),
            (SecretVerdict.Throttled, _) => new Caller(CallerKind.Throttled),
            _ => new Caller(CallerKind.WrongKey),
        };

    private Caller? OfProxy(HttpContext http)
    {
        return ForwardAuth.NameOf(http, access.Current) is { } name
            ? new Caller(CallerKind.Proxy, Roles.RightsOf(access.Current.ForwardAuthRole), name)
            { Principal = SessionIdentity.Transient(CallerKind.Proxy, name) }
            : null;
    }

    private static async ValueTask<Caller?> OfSessionAsync(HttpContext http) =>
        await http.AuthenticateAsync(SessionCookie.Scheme) is { Succeeded: true } ? http.Features.Get<Caller>() : null;

    private Caller? OfNetwork(HttpContext http)
    {
        var options = access.Current;
        return networks.Includes(http, options.LanNetworks)
            ? new Caller(CallerKind.Network, options.LanRights) { Principal = SessionIdentity.Transient(CallerKind.Network, "") }
            : null;
    }

    private Caller? OfMachine(HttpContext http) => NetworkTrust.IsDemoCaller(http, facts.IsOpenToAll)
        ? new Caller(CallerKind.Network, ApiRights.Full) { Principal = SessionIdentity.Transient(CallerKind.Network, "") }
        : null;
}

/// <summary>
/// Checks the caller of a long-lived response again: since it began, the session may have ended, or rights may have been revoked.
/// Thread-safe.
/// </summary>
public sealed class LongLivedCaller
{
    private readonly CallerFinder _callers;
    private readonly IServiceScopeFactory _scopes;

    internal LongLivedCaller(CallerFinder callers, IServiceScopeFactory scopes)
    {
        _callers = callers;
        _scopes = scopes;
    }

    /// <summary>The rights that the caller would have if the request arrived now.</summary>
    public async ValueTask<ApiRights> RightsAsync(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);

        // Use a new request: the framework caches the result of authentication with the original one.
        await using var scope = _scopes.CreateAsyncScope();
        var again = new DefaultHttpContext { RequestServices = scope.ServiceProvider };
        var (from, to) = (http.Request, again.Request);
        (to.Method, to.Scheme, to.Host, to.PathBase, to.Path, to.QueryString) =
            (from.Method, from.Scheme, from.Host, from.PathBase, from.Path, from.QueryString);
        foreach (var header in from.Headers)
            to.Headers[header.Key] = header.Value;
        again.Connection.RemoteIpAddress = http.Connection.RemoteIpAddress;
        again.Features.Set(http.Features.Get<ClientOrigin>());
        return (await _callers.FindAsync(again)).Rights;
    }
}
