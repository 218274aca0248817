using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Proxies;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Rules;

/// <summary>Identifies the caller. A key takes precedence, and a session does not make up for a wrong key.</summary>
internal sealed class CallerFinder(LiveAccess access, KeyGate keys, UserAccounts accounts, ServerFacts facts)
{
    public async ValueTask<Caller> FindAsync(HttpContext http)
    {
        if (KeyGate.Presented(http.Request) is { } key)
            return await JudgeAsync(key, http.Connection.RemoteIpAddress);

        // Until there is a user, only keys are accepted, except in the open demo.
        if (!await accounts.AnyAsync(http.RequestAborted))
            return (facts.IsOpen ? OfMachine(http) : null) ?? Caller.Nobody;
        return OfProxy(http) ?? await OfSessionAsync(http) ?? OfNetwork(http) ?? Caller.Nobody;
    }

    private async ValueTask<Caller> JudgeAsync(string key, IPAddress? address) =>
        await keys.TryAsync(address, key) switch
        {
            (AttemptOutcome.Right, var rights) => new Caller(CallerKind.Key, rights),
            (AttemptOutcome.Throttled, _) => new Caller(CallerKind.Throttled),
            _ => new Caller(CallerKind.WrongKey),
        };

    private Caller? OfProxy(HttpContext http)
    {
        return ForwardAuth.NameOf(http, access.Current) is { } name
            ? new Caller(CallerKind.Proxy, Roles.RightsOf(access.Current.ForwardAuthRole), name) { Principal = SessionIdentity.Transient(CallerKind.Proxy, name) }
            : null;
    }

    private static async ValueTask<Caller?> OfSessionAsync(HttpContext http) =>
        await http.AuthenticateAsync(SessionCookie.Scheme) is { Succeeded: true } ? http.Features.Get<Caller>() : null;

    private Caller? OfNetwork(HttpContext http)
    {
        var options = access.Current;
        return TrustedNetworks.Include(http, options.LanNetworks, options.LanHosts)
            ? new Caller(CallerKind.Network, options.LanRights) { Principal = SessionIdentity.Transient(CallerKind.Network, "") }
            : null;
    }

    private Caller? OfMachine(HttpContext http) => (facts.IsOpenToAll ? TrustedNetworks.HasLocalName(http) : TrustedNetworks.IsThisMachine(http))
        ? new Caller(CallerKind.Network, ApiRights.Full) { Principal = SessionIdentity.Transient(CallerKind.Network, "") }
        : null;
}
