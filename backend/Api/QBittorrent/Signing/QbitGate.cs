using Microsoft.AspNetCore.Http;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Connections;
using NzbDav.Access.Keys;
using NzbDav.Access.Rules;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Settings;
using NzbDav.Content.Secrets;

namespace NzbDav.Api.QBittorrent.Signing;

/// <summary>
/// Identifies the caller: by an API key in the headers, the cookie of a login, or a network whose clients need not log in. Basic
/// credentials are ignored, because Sonarr and Radarr send them with every request. Thread-safe.
/// </summary>
internal sealed class QbitGate(
    KeyGate keys, ApiKeys all, AttemptGate attempts, UserAccounts accounts, NetworkTrust networks, QbitSessions sessions,
    AttemptMemory memory, Live<QbitOptions> options)
{
    /// <summary>
    /// The cookie's name up to API 2.13; later versions call it <c>QBT_SID_PORT</c>. Clients send back whichever name they were given.
    /// </summary>
    public const string Cookie = "SID";

    private const string Purpose = "qbittorrent ";

    private const string Banned = "Your IP address has been banned after too many failed authentication attempts.";

    /// <summary>
    /// The rights of clients that need not log in: all except settings, of which they may change the port for peers alone.
    /// </summary>
    private const ApiRights OfNetwork = ApiRights.Read | ApiRights.Add | ApiRights.Change;

    /// <summary>Identifies the caller.</summary>
    public async ValueTask<(QbitCaller Caller, QbitReply? Refusal)> FindAsync(HttpContext http)
    {
        // Only a key proves that no other site forged the request: it is added on purpose. Browsers send cookies, and come from a trusted
        // network, by themselves.
        if (KeyGate.InHeaders(http.Request) is { Length: > 0 } key)
            return await IdentifyAsync(http, key);
        if (!SameOrigin.AllowsReferer(http.Request))
            return (QbitCaller.Nobody, QbitReply.Error(StatusCodes.Status401Unauthorized));
        var trusted = IsTrusted(http) ? OfNetwork : ApiRights.None;
        foreach (var (name, value) in http.Request.Cookies)
        {
            if ((name == Cookie || name.StartsWith("QBT_SID", StringComparison.Ordinal)) && sessions.Use(value) is { } login
                && (trusted | await RightsOfAsync(login, http.RequestAborted)) is var rights and not ApiRights.None)
            {
                ConnectionSlot.Keep(http);
                return (new QbitCaller(rights, value, value) { IsOfTrustedNetwork = trusted != ApiRights.None }, null);
            }
        }

        if (trusted == ApiRights.None)
            return (QbitCaller.Nobody, null);
        ConnectionSlot.Keep(http);
        return (new QbitCaller(trusted, ClientOf(http)) { IsOfTrustedNetwork = true }, null);
    }

    /// <summary>Logs a caller in: a user by name and password, or any name with an API key as the password.</summary>
    public async ValueTask<QbitReply> LogInAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var http = call.Http;
        var address = http.Connection.RemoteIpAddress;
        if (IsTrusted(http))
            return Begin(http, new QbitLogin(Key: null));

        // The check comes before the ban: others behind the same address must not lock out whoever knows the password. Guessing stays as
        // slow as everywhere.
        var (name, password) = (call.Text("username") ?? "", call.Text("password") ?? "");
        QbitLogin? login = null;
        var outcome = password.Length == 0 ? SecretVerdict.Wrong : await attempts.TryAsync(address, Purpose + name, password, async () =>
        {
            login = await FindAsync(name, password, cancellationToken);
            return login is not null;
        });
        switch (outcome)
        {
            case SecretVerdict.Right:
                memory.ForgetWrong(address);
                return Begin(http, login!);
            case SecretVerdict.Throttled:
                AttemptGate.SetRetryAfter(http.Response);
                return QbitReply.Forbidden(Banned);
            default:
                memory.CountWrong(address, Purpose + name, password, options.Value.BanLifetime);
                return memory.IsBanned(address, options.Value.MostFailures) ? QbitReply.Forbidden(Banned) : QbitReply.Fails;
        }
    }

    /// <summary>Ends the caller's session.</summary>
    public QbitReply LogOut(QbitCall call)
    {
        if (call.Caller.Session is { } id)
            sessions.End(id);
        call.Http.Response.Headers.Append("Set-Cookie", $"{Cookie}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/");
        return QbitReply.Done;
    }

    private static string ClientOf(HttpContext http) => $"{http.Connection.RemoteIpAddress} {http.Request.Headers.UserAgent}";

    private async ValueTask<QbitLogin?> FindAsync(string name, string password, CancellationToken cancellationToken)
    {
        if (all.RightsOf(password, asDownloadClient: true) != ApiRights.None)
            return new QbitLogin(password);
        return await accounts.CheckAsync(name, password, cancellationToken) is { } user
            ? new QbitLogin(Key: null, user.Name, user.Stamp) : null;
    }

    private async ValueTask<ApiRights> RightsOfAsync(QbitLogin login, CancellationToken cancellationToken)
    {
        if (login.Key is { } key)
            return all.RightsOf(key, asDownloadClient: true);

        // A session without a user is checked against its key or network on each call.
        if (login.User is not { } name)
            return ApiRights.None;
        return await accounts.FindAsync(name, cancellationToken) is { } user && user.Stamp == login.Stamp
            ? Roles.RightsOf(user.Role) : ApiRights.None;
    }

    private async ValueTask<(QbitCaller Caller, QbitReply? Refusal)> IdentifyAsync(HttpContext http, string key)
    {
        var (outcome, rights) = await keys.TryAsync(http, key, asDownloadClient: true);
        if (outcome == SecretVerdict.Right)
            return (new QbitCaller(rights, $"key {ClientOf(http)}"), null);
        if (outcome == SecretVerdict.Throttled)
            AttemptGate.SetRetryAfter(http.Response);
        return (QbitCaller.Nobody, QbitReply.Forbidden());
    }

    private bool IsTrusted(HttpContext http) =>
        networks.Includes(http, options.Value.Networks) || (options.Value.TrustsThisMachine && networks.IsThisMachine(http));

    private QbitReply Begin(HttpContext http, QbitLogin login)
    {
        ConnectionSlot.Keep(http);
        http.Response.Headers.Append(
            "Set-Cookie", $"{Cookie}={sessions.Begin(login)}; HttpOnly; path=/; SameSite=Lax{(http.Request.IsHttps ? "; secure" : "")}");
        return QbitReply.Ok;
    }
}
