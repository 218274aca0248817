using System.Net;
using Microsoft.AspNetCore.Antiforgery;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Connections;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Users;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Sessions;

/// <summary>Begins and describes sessions.</summary>
internal sealed partial class SignIn(UserAccounts accounts, AttemptGate gate, SetupToken setup, LiveAccess access, ServerFacts facts,
    SessionRegistry sessions, IAntiforgery antiforgery, ILogger<SignIn> logger)
{
    /// <summary>Checks a name and password.</summary>
    /// <returns>The user, if they are right.</returns>
    public async ValueTask<(SecretVerdict Outcome, StoredUser? User)> CheckAsync(
        IPAddress? address, string? name, string? password, CancellationToken cancellationToken)
    {
        StoredUser? user = null;
        var outcome = await gate.TryAsync(
            address, $"user {StoredUser.Fold(name ?? "")}", password ?? "", async () =>
                (user = await accounts.CheckAsync(name, password, cancellationToken)) is not null);
        if (outcome == SecretVerdict.Throttled && gate.DrainRefusedCount() is > 0 and var refused)
            LogThrottled(logger, refused, address);
        else if (outcome == SecretVerdict.Wrong)
            LogWrong(logger, address);
        return (outcome, user);
    }

    /// <summary>True if the password is the caller's own; otherwise responds with the reason.</summary>
    public async ValueTask<bool> IsOwnAsync(HttpContext http, string name, string? password) =>
        await CheckAsync(http.Connection.RemoteIpAddress, name, password, http.RequestAborted) switch
        {
            (SecretVerdict.Right, _) => true,
            (SecretVerdict.Throttled, _) => await AccessReply.SlowDownAsync(http),
            _ => await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, "The current password is wrong."),
        };

    /// <summary>Creates the first user for a caller with the token of this start.</summary>
    public async ValueTask<(SecretVerdict Outcome, AccountResult? Result)> SetUpAsync(HttpContext http, SetupBody body)
    {
        if (await accounts.AnyAsync(http.RequestAborted))
            return (SecretVerdict.Right, new AccountResult(AccountOutcome.AlreadySetUp, "There is a user already: sign in."));
        var outcome = await gate.TryAsync(
            http.Connection.RemoteIpAddress, "setup", body.Token ?? "", () => ValueTask.FromResult(setup.Matches(body.Token)));
        if (outcome != SecretVerdict.Right)
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

    /// <summary>Starts a session in the browser.</summary>
    public async Task BeginAsync(HttpContext http, StoredUser user)
    {
        // A new sign-in in the same browser ends the former session.
        if (Caller.Of(http).Session is { } former)
            await sessions.EndAsync([former], http.RequestAborted);
        ConnectionSlot.Keep(http);
        var principal = SessionIdentity.Of(user, await sessions.BeginAsync(http, user.Name, CallerKind.Password));
        await SessionCookie.SignInAsync(http, principal);
        http.User = principal;
        http.Features.Set(SessionIdentity.CallerOf(principal, CallerKind.Password, user.Role));
    }

    /// <summary>
    /// Changes a user's password, ends the user's sessions, and starts a new one for the browser that asked, if the user is its own.
    /// </summary>
    public async Task<AccountResult> ChangePasswordAsync(HttpContext http, string name, string? password, bool own)
    {
        var of = new Caller(CallerKind.Password, ApiRights.None, name);
        var ended = await sessions.ListAsync(of, http.RequestAborted);
        var result = await accounts.SetPasswordAsync(name, password, http.RequestAborted);
        if (result is not { Outcome: AccountOutcome.Done, User: { } user })
            return result;
        sessions.Forget(ended.Select(session => session.Id));
        gate.Forget();
        if (own)
            await BeginAsync(http, user);
        return result;
    }

    /// <summary>The state of sign-in for the caller.</summary>
    public async ValueTask<SessionBody> DescribeAsync(HttpContext http)
    {
        var caller = Caller.Of(http);
        var oidc = access.Current.Oidc is null ? null : OidcPaths.Start.Value;
        if (caller.Rights == ApiRights.None)
            return new SessionBody
            {
                State = await accounts.AnyAsync(http.RequestAborted) ? SessionState.SignedOut : SessionState.Setup,
                OidcPath = oidc,
                Demo = facts.IsDemo
            };
        return new SessionBody
        {
            State = SessionState.SignedIn,
            Username = caller.Name,
            Via = caller.Kind.ToString().ToLowerInvariant(),
            Role = Roles.Of(caller.Rights),
            Rights = Roles.NamesOf(caller.Rights),
            CsrfToken = caller.IsAmbient ? antiforgery.GetAndStoreTokens(http).RequestToken : null,
            OidcPath = oidc,
            Demo = facts.IsDemo,
            Version = facts.Version,
        };
    }

    [LoggerMessage(510, LogLevel.Warning, "wrong name or password for the interface from {Address}")]
    private static partial void LogWrong(ILogger logger, IPAddress? address);

    [LoggerMessage(511, LogLevel.Warning,
        "too many wrong passwords: {Refused} attempts were not looked at, the last for the interface from {Address}")]
    private static partial void LogThrottled(ILogger logger, long refused, IPAddress? address);

    [LoggerMessage(512, LogLevel.Information, "the first user was made: the set-up token counts no more")]
    private static partial void LogSetUp(ILogger logger);
}

/// <summary>The state that an interface needs before it shows anything.</summary>
internal sealed record SessionBody
{
    /// <summary>The state that decides which page is shown first.</summary>
    public required SessionState State { get; init; }

    /// <summary>The signed-in user; null if nobody is signed in, or without a name.</summary>
    public string? Username { get; init; }

    /// <summary>The role with these <see cref="Rights"/>; null if signed out, and for keys with fewer rights than a viewer.</summary>
    public UserRole? Role { get; init; }

    /// <summary>How the caller was identified: <c>password</c>, <c>oidc</c>, <c>proxy</c>, <c>network</c> or <c>key</c>.</summary>
    public string? Via { get; init; }

    /// <summary>The caller's rights: some of <c>read</c>, <c>add</c>, <c>change</c>, <c>manage</c>.</summary>
    public IReadOnlyList<string> Rights { get; init; } = [];

    /// <summary>The value that a browser must send as <c>X-CSRF-Token</c> with every change; null with a key, which needs none.</summary>
    public string? CsrfToken { get; init; }

    /// <summary>Path of the sign-in with OpenID Connect, below the URL base; null if there is no provider.</summary>
    public string? OidcPath { get; init; }

    /// <summary>True for the demo.</summary>
    public bool Demo { get; init; }

    /// <summary>Version of the server; null if signed out.</summary>
    public string? Version { get; init; }
}

/// <summary>States of sign-in.</summary>
internal enum SessionState
{
    /// <summary>There is no user yet.</summary>
    Setup,

    /// <summary>The caller is not signed in.</summary>
    SignedOut,

    /// <summary>The caller has some rights.</summary>
    SignedIn,
}
