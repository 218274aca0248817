using System.Security.Cryptography;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Users;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Sessions;

/// <summary>A password, sent to confirm the caller.</summary>
internal sealed record ConfirmationAskBody
{
    /// <summary>The caller's own password.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password is sent.</summary>
    public string? Username { get; init; }
}

/// <summary>Proves for a while that the caller has entered the password again.</summary>
/// <param name="Confirmation">Send it as <c>X-Confirmation</c>, or as <c>confirmation</c> in the address of a download.</param>
/// <param name="Expires">When it expires.</param>
internal sealed record ConfirmationBody(string Confirmation, DateTimeOffset Expires);

/// <summary>
/// Asks administrators for their password again before they see a secret or do something that gives access to everything: somebody else may
/// be using their browser. Wrong passwords count as at sign-in. Calls with the full API key need no confirmation: the key is itself a
/// secret with the same rights. Thread-safe.
/// </summary>
public sealed class PasswordAgain
{
    /// <summary>The header with a confirmation.</summary>
    internal const string Header = "X-Confirmation";

    /// <summary>Query parameter for downloads, with which a browser sends no header.</summary>
    internal const string Parameter = "confirmation";

    /// <summary>Enough time to choose a file and begin to send it.</summary>
    internal static readonly TimeSpan Lifetime = TimeSpan.FromMinutes(2);

    private readonly SignIn _signIn;
    private readonly UserAccounts _accounts;
    private readonly IDataProtector _protector;
    private readonly TimeProvider _time;

    internal PasswordAgain(SignIn signIn, UserAccounts accounts, IDataProtectionProvider protection, TimeProvider time)
    {
        _signIn = signIn;
        _accounts = accounts;
        _protector = protection.CreateProtector("NzbDav.Confirmation");
        _time = time;
    }

    /// <summary>Checks the password of a request.</summary>
    /// <param name="http">The request, of a caller who may manage.</param>
    /// <param name="username">For callers without a password here: the administrator whose password is sent.</param>
    /// <param name="password">The password.</param>
    /// <returns>The refusal; null: continue.</returns>
    public async ValueTask<IResult?> RefuseAsync(HttpContext http, string? username, string? password)
    {
        ArgumentNullException.ThrowIfNull(http);
        var caller = Caller.Of(http);
        if (caller.Kind == CallerKind.Key)
            return null;
        var name = caller.Kind == CallerKind.Password ? caller.Name : username;
        if (string.IsNullOrEmpty(name))
            return JsonReply.Error(
                StatusCodes.Status403Forbidden,
                "You have no password here: send the name and password of an administrator who has one, or use the full API key " +
                "(keys/api in the configuration folder).");
        switch (await _signIn.CheckAsync(http.Connection.RemoteIpAddress, name, password, http.RequestAborted))
        {
            case (SecretVerdict.Throttled, _):
                AccessReply.SetRetryAfter(http);
                return JsonReply.Error(StatusCodes.Status429TooManyRequests, AttemptGate.TooMany);
            case (SecretVerdict.Right, { Role: UserRole.Administrator }):
                return null;
            default:
                return JsonReply.Error(StatusCodes.Status403Forbidden, "The password is wrong.");
        }
    }

    /// <summary>A confirmation for the caller, valid in this session only. Any gateway with the same keys accepts it.</summary>
    internal ConfirmationBody Confirm(Caller caller)
    {
        var expires = _time.GetUtcNow() + Lifetime;
        return new ConfirmationBody(_protector.Protect($"{expires.UtcTicks} {IdentityOf(caller)}"), expires);
    }

    /// <summary>True if the caller has entered the password for this request, or need not; otherwise responds with the reason.</summary>
    internal async ValueTask<bool> AdmitAsync(HttpContext http)
    {
        const string Ask = $"Enter your password again: POST {AccessRules.Native}/session/confirmation answers what to send as {Header}.";
        return await IsConfirmedAsync(http, Caller.Of(http)) || await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, Ask);
    }

    private static string IdentityOf(Caller caller) => $"{caller.Kind} {caller.Session} {caller.Name}";

    private async ValueTask<bool> IsConfirmedAsync(HttpContext http, Caller caller)
    {
        // The demo without a user has no password to ask for.
        if (caller.Kind == CallerKind.Key || (caller.Kind == CallerKind.Network && !await _accounts.AnyAsync(http.RequestAborted)))
            return true;
        var text = http.Request.Headers.TryGetValue(Header, out var header) ? header.ToString() : http.Request.Query[Parameter].ToString();
        if (text.Length == 0)
            return false;
        try
        {
            var parts = _protector.Unprotect(text).Split(' ', 2);
            return parts.Length == 2 && parts[1] == IdentityOf(caller) && long.TryParse(parts[0], out var ticks)
                && _time.GetUtcNow().UtcTicks < ticks;
        }
        catch (CryptographicException)
        {
            return false;
        }
    }
}
