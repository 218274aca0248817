using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access;

/// <summary>Finds out who asks. A key counts before everything else, and a wrong one is not made good by a session.</summary>
internal sealed class CallerFinder(LiveAccess access, KeyGate keys, UserAccounts accounts, ServerFacts facts)
{
    private static readonly string[] LocalEndings = [".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost"];

    public async ValueTask<Caller> FindAsync(HttpContext http)
    {
        if (KeyGate.Presented(http.Request) is { } key)
            return await JudgeAsync(key, http.Connection.RemoteIpAddress);

        // Until there is a user, only keys open anything; the demo is for whoever looks at it.
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
        return options.LanNetworks.Count > 0
            && http.Features.Get<ClientOrigin>() is { IsCertain: true }
            && AccessOptions.Contains(options.LanNetworks, http.Connection.RemoteIpAddress)
            && IsLocalName(http.Request.Host.Host, options.LanHosts)
            ? new Caller(CallerKind.Network, options.LanRights) { Principal = SessionIdentity.Transient(CallerKind.Network, "") }
            : null;
    }

    private static Caller? OfMachine(HttpContext http) => ClientOrigin.IsLoopback(http) && IsLocalName(http.Request.Host.Host, [])
        ? new Caller(CallerKind.Network, ApiRights.Full) { Principal = SessionIdentity.Transient(CallerKind.Network, "") }
        : null;

    /// <summary>
    /// A page of somebody else can make a browser in the network ask here under a name of its own (DNS rebinding); under an address, or a name that
    /// no public DNS knows, it cannot.
    /// </summary>
    private static bool IsLocalName(string host, IReadOnlyList<string> listed) =>
        (host.Length > 0 && !host.Contains('.', StringComparison.Ordinal))
        || IPAddress.TryParse(host, out _)
        || Array.Exists(LocalEndings, ending => host.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
        || listed.Contains(host, StringComparer.OrdinalIgnoreCase);
}
