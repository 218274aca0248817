using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Users;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Sessions;

/// <summary>
/// <c>/api/v1/session</c>: who is signed in; signing in and out, and changing one's own password. <c>/api/v1/sessions</c>: the signed-in
/// browsers.
/// </summary>
internal static class SessionEndpoints
{
    private const string Path = AccessRules.Native + "/session";
    private const string All = AccessRules.Native + "/sessions";

    public static void MapSession(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, ShowAsync).IsOpen().WithName("getSession").WithTags("session").Produces<SessionBody>();
        routes.MapPost(Path, SignInAsync).BeginsSession().WithName("signIn").WithTags("session").AcceptsJson<SignInBody>()
            .Produces<SessionBody>().Refuses(StatusCodes.Status401Unauthorized, StatusCodes.Status429TooManyRequests);
        routes.MapDelete(Path, SignOutAsync).IsOpen().WithName("signOut").WithTags("session").Produces(StatusCodes.Status204NoContent);
        routes.MapPut(Path + "/password", ChangePasswordAsync).Needs(ApiRights.Read).WithName("changeOwnPassword").WithTags("session")
            .AcceptsJson<OwnPasswordBody>().Produces<SessionBody>().Refuses(StatusCodes.Status409Conflict);
        routes.MapPost(Path + "/confirmation", ConfirmAsync).Needs(ApiRights.Manage).WithName("confirm").WithTags("session")
            .AcceptsJson<ConfirmationAskBody>().Produces<ConfirmationBody>().Refuses(StatusCodes.Status429TooManyRequests);
    }

    public static void MapSessions(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(All, ListAsync).Needs(ApiRights.Read).WithName("listSessions").WithTags("session").Produces<SessionListBody>();
        routes.MapDelete(All + "/{id}", EndAsync).Needs(ApiRights.Read).WithName("endSession").WithTags("session")
            .Produces(StatusCodes.Status204NoContent).Refuses(StatusCodes.Status404NotFound);
        routes.MapDelete(All, EndOthersAsync).Needs(ApiRights.Read).WithName("endOtherSessions").WithTags("session")
            .Produces(StatusCodes.Status204NoContent);
    }

    /// <summary>Responds with the current session.</summary>
    public static async Task WriteAsync(HttpContext http, SignIn signIn) =>
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, await signIn.DescribeAsync(http), SessionJson.Default.SessionBody);

    private static async Task ConfirmAsync(HttpContext http, PasswordAgain again)
    {
        if (await JsonBody.ReadAsync(http, SessionJson.Default.ConfirmationAskBody) is not { } body)
            return;
        if (await again.RefuseAsync(http, body.Username, body.Password) is { } refusal)
            await refusal.ExecuteAsync(http);
        else
            await JsonReply.WriteAsync(http, StatusCodes.Status200OK, again.Confirm(Caller.Of(http)), SessionJson.Default.ConfirmationBody);
    }

    private static Task ShowAsync(HttpContext http, SignIn signIn) => WriteAsync(http, signIn);

    private static async Task SignInAsync(HttpContext http, SignIn signIn)
    {
        if (await JsonBody.ReadAsync(http, SessionJson.Default.SignInBody) is not { } body)
            return;
        switch (await signIn.CheckAsync(http.Connection.RemoteIpAddress, body.Username, body.Password, http.RequestAborted))
        {
            case (SecretVerdict.Right, { } user):
                await signIn.BeginAsync(http, user);
                await WriteAsync(http, signIn);
                break;
            case (SecretVerdict.Throttled, _):
                await AccessReply.SlowDownAsync(http);
                break;
            default:
                await JsonReply.RefuseAsync(http, StatusCodes.Status401Unauthorized, "The name or the password is wrong.");
                break;
        }
    }

    private static async Task SignOutAsync(HttpContext http, SessionRegistry sessions)
    {
        var caller = Caller.Of(http);
        if (caller.Session is { } session)
            await sessions.EndAsync([session], http.RequestAborted);
        if (caller.HasCookie)
            await SessionCookie.SignOutAsync(http);
        http.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private static async Task ChangePasswordAsync(HttpContext http, SignIn signIn)
    {
        if (await JsonBody.ReadAsync(http, SessionJson.Default.OwnPasswordBody) is not { } body)
            return;
        if (Caller.Of(http) is not { Kind: CallerKind.Password, Name: { } name })
        {
            await JsonReply.RefuseAsync(
                http, StatusCodes.Status409Conflict, "You did not sign in with a password of this server: there is none to change.");
            return;
        }

        if (await signIn.IsOwnAsync(http, name, body.Old)
            && await AccessReply.IsDoneAsync(http, await signIn.ChangePasswordAsync(http, name, body.New, own: true)))
            await WriteAsync(http, signIn);
    }

    private static async Task ListAsync(HttpContext http, SessionRegistry sessions, bool all = false)
    {
        var caller = Caller.Of(http);
        if (all && !caller.Rights.HasFlag(ApiRights.Manage))
        {
            await JsonReply.RefuseAsync(
                http, StatusCodes.Status403Forbidden, "It takes the right to manage to see the sessions of others.");
            return;
        }

        var list = await sessions.ListAsync(all ? null : caller, http.RequestAborted);
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, new SessionListBody([.. list.Select(session => Of(session, caller))]),
            SessionJson.Default.SessionListBody);
    }

    private static async Task EndAsync(HttpContext http, SessionRegistry sessions, string id)
    {
        var caller = Caller.Of(http);
        var reachable = await sessions.ListAsync(caller.Rights.HasFlag(ApiRights.Manage) ? null : caller, http.RequestAborted);
        if (!reachable.Any(session => session.Id == id))
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status404NotFound, "There is no such session, or it is not yours.");
            return;
        }

        await sessions.EndAsync([id], http.RequestAborted);
        http.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private static async Task EndOthersAsync(HttpContext http, SessionRegistry sessions)
    {
        var caller = Caller.Of(http);
        var own = await sessions.ListAsync(caller, http.RequestAborted);
        await sessions.EndAsync([.. own.Select(session => session.Id).Where(id => id != caller.Session)], http.RequestAborted);
        http.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private static SessionInfoBody Of(StoredSession session, Caller caller) =>
        new(session.Id, session.Username, session.Via, session.StartedAt, session.Seen, session.Address, session.Program,
            session.Id == caller.Session);
}

/// <summary>A name and a password.</summary>
internal sealed record SignInBody
{
    public string? Username { get; init; }

    public string? Password { get; init; }
}

/// <summary>A change of one's own password.</summary>
internal sealed record OwnPasswordBody
{
    /// <summary>The current password.</summary>
    public string? Old { get; init; }

    /// <summary>The new password: 10 to 256 characters.</summary>
    public string? New { get; init; }
}

/// <summary>Sessions, most recently seen first.</summary>
internal sealed record SessionListBody(IReadOnlyList<SessionInfoBody> Sessions);

/// <summary>A signed-in browser.</summary>
/// <param name="Id">Identifies it; gives no access.</param>
/// <param name="Username">Its user.</param>
/// <param name="Via">How it began: <c>password</c> or <c>oidc</c>.</param>
/// <param name="Begun">When it began.</param>
/// <param name="LastSeen">Time of its latest request, to the minute.</param>
/// <param name="Address">Address of that request.</param>
/// <param name="Program">The client in short: <c>Firefox on Linux</c>; null if unknown.</param>
/// <param name="Current">True for the session of this request.</param>
internal sealed record SessionInfoBody(
    string Id, string Username, string Via, DateTimeOffset Begun, DateTimeOffset LastSeen, string? Address, string? Program, bool Current);

/// <summary>JSON settings of sessions.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<SessionState>), typeof(CamelCaseEnum<UserRole>)])]
[JsonSerializable(typeof(ConfirmationAskBody))]
[JsonSerializable(typeof(ConfirmationBody))]
[JsonSerializable(typeof(OwnPasswordBody))]
[JsonSerializable(typeof(SessionBody))]
[JsonSerializable(typeof(SessionListBody))]
[JsonSerializable(typeof(SetupBody))]
[JsonSerializable(typeof(SignInBody))]
internal sealed partial class SessionJson : JsonSerializerContext;
