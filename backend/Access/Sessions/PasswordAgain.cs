using Microsoft.AspNetCore.Http;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Sessions;

/// <summary>
/// Asks administrators for their password again before they see a secret: somebody else may be using their browser. Wrong ones count as at signing in. The full API
/// key is asked for nothing: it is a secret that opens as much. Thread-safe.
/// </summary>
public sealed class PasswordAgain
{
    private readonly SignIn _signIn;

    internal PasswordAgain(SignIn signIn) => _signIn = signIn;

    /// <summary>Judges what came with a request.</summary>
    /// <param name="http">The request, of somebody who may manage.</param>
    /// <param name="username">For callers without a password here: the administrator whose password it is.</param>
    /// <param name="password">The password.</param>
    /// <returns>The refusal; null: go on.</returns>
    public async ValueTask<IResult?> RefuseAsync(HttpContext http, string? username, string? password)
    {
        ArgumentNullException.ThrowIfNull(http);
        var caller = Caller.Of(http);
        if (caller.Kind == CallerKind.Key)
            return null;
        var name = caller.Kind == CallerKind.Password ? caller.Name : username;
        if (string.IsNullOrEmpty(name))
            return JsonReply.Error(StatusCodes.Status403Forbidden, "You have no password here: send the name and password of an administrator who has one, or use the full API key (keys/api in the configuration folder).");
        switch (await _signIn.CheckAsync(http.Connection.RemoteIpAddress, name, password, http.RequestAborted))
        {
            case (AttemptOutcome.Throttled, _):
                AccessReply.SetRetryAfter(http);
                return JsonReply.Error(StatusCodes.Status429TooManyRequests, AttemptGate.TooMany);
            case (AttemptOutcome.Right, { Role: UserRole.Administrator }):
                return null;
            default:
                return JsonReply.Error(StatusCodes.Status403Forbidden, "The password is wrong.");
        }
    }
}
