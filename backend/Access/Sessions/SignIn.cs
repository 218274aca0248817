using System.Net;
using Microsoft.AspNetCore.Antiforgery;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog;

namespace NzbDav.Access;

/// <summary>Begins sessions and tells of them.</summary>
internal sealed partial class SignIn(UserAccounts accounts, AttemptGate gate, SetupToken setup, LiveAccess access, IAntiforgery antiforgery, ILogger<SignIn> logger)
{
    /// <summary>Checks a name and password.</summary>
    /// <returns>The user, if they are right.</returns>
    public async ValueTask<(AttemptOutcome Outcome, StoredUser? User)> CheckAsync(IPAddress? address, string? name, string? password, CancellationToken cancellationToken)
    {
        StoredUser? user = null;
        var outcome = await gate.TryAsync(
            address, $"user {StoredUser.Fold(name ?? "")}", password ?? "", async () => (user = await accounts.CheckAsync(name, password, cancellationToken)) is not null);
        if (outcome == AttemptOutcome.Throttled)
            LogThrottled(logger, address);
        else if (outcome == AttemptOutcome.Wrong)
            LogWrong(logger, address);
        return (outcome, user);
    }

    /// <summary>Makes the first user for whoever has the token of this start.</summary>
    public async ValueTask<(AttemptOutcome Outcome, AccountResult? Result)> SetUpAsync(HttpContext http, SetupBody body)
    {
        if (await accounts.AnyAsync(http.RequestAborted))
            return (AttemptOutcome.Right, new AccountResult(AccountOutcome.AlreadySetUp, "There is a user already: sign in."));
        var outcome = await gate.TryAsync(http.Connection.RemoteIpAddress, "setup", body.Token ?? "", () => ValueTask.FromResult(setup.Matches(body.Token)));
        if (outcome != AttemptOutcome.Right)
            return (outcome, null);
        var result = await accounts.CreateFirstAsync(body.Username, body.Password, http.RequestAborted);
        if (result is { Outcome: AccountOutcome.Done, User: { } user })
        {
            gate.Forget();
            LogSetUp(logger);
            await BeginAsync(http, user);
        }

        return (outcome, result);
    }

    /// <summary>Gives the browser a session.</summary>
    public static async Task BeginAsync(HttpContext http, StoredUser user)
    {
        var principal = SessionIdentity.Of(user);
        await SessionCookie.SignInAsync(http, principal);
        http.User = principal;
        http.Features.Set(SessionIdentity.CallerOf(principal));
    }

    /// <summary>How things stand for the caller.</summary>
    public async ValueTask<SessionBody> DescribeAsync(HttpContext http)
    {
        var caller = Caller.Of(http);
        var oidc = access.Current.Oidc is null ? null : OidcPaths.Start.Value;
        if (caller.Rights == ApiRights.None)
            return new SessionBody { State = await accounts.AnyAsync(http.RequestAborted) ? "signedOut" : "setup", OidcPath = oidc };
        return new SessionBody
        {
            State = "signedIn",
            Username = caller.Name,
            Via = caller.Kind.ToString().ToLowerInvariant(),
            Rights = [.. new[] { ApiRights.Read, ApiRights.Add, ApiRights.Change }.Where(right => caller.Rights.HasFlag(right)).Select(right => right.ToString().ToLowerInvariant())],
            CsrfToken = caller.IsAmbient ? antiforgery.GetAndStoreTokens(http).RequestToken : null,
            OidcPath = oidc,
        };
    }

    [LoggerMessage(510, LogLevel.Warning, "wrong name or password for the interface from {Address}")]
    private static partial void LogWrong(ILogger logger, IPAddress? address);

    [LoggerMessage(511, LogLevel.Warning, "too many wrong passwords for the interface from {Address}: slowed down")]
    private static partial void LogThrottled(ILogger logger, IPAddress? address);

    [LoggerMessage(512, LogLevel.Information, "the first user was made: the set-up token counts no more")]
    private static partial void LogSetUp(ILogger logger);
}
