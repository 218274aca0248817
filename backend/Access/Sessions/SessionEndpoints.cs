using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace NzbDav.Access;

/// <summary><c>/api/v1/session</c>: who is signed in; signing in and out.</summary>
internal static class SessionEndpoints
{
    private const string Path = AccessRules.Native + "/session";

    public static void MapSession(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, TellAsync).IsOpen().Produces<SessionBody>();
        routes.MapPost(Path, SignInAsync).BeginsSession().Produces<SessionBody>();
        routes.MapDelete(Path, (Delegate)SignOutAsync).IsOpen().Produces(StatusCodes.Status204NoContent);
    }

    /// <summary>Answers with the session as it is now.</summary>
    public static async Task WriteAsync(HttpContext http, SignIn signIn) =>
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, await signIn.DescribeAsync(http), SessionJson.Default.SessionBody);

    private static Task TellAsync(HttpContext http, SignIn signIn) => WriteAsync(http, signIn);

    private static async Task SignInAsync(HttpContext http, SignIn signIn)
    {
        if (await JsonBody.ReadAsync(http, SessionJson.Default.SignInBody) is not { } body)
            return;
        switch (await signIn.CheckAsync(http.Connection.RemoteIpAddress, body.Username, body.Password, http.RequestAborted))
        {
            case (AttemptOutcome.Right, { } user):
                await SignIn.BeginAsync(http, user);
                await WriteAsync(http, signIn);
                break;
            case (AttemptOutcome.Throttled, _):
                await AccessReply.SlowDownAsync(http);
                break;
            default:
                await JsonReply.RefuseAsync(http, StatusCodes.Status401Unauthorized, "The name or the password is wrong.");
                break;
        }
    }

    private static async Task SignOutAsync(HttpContext http)
    {
        if (Caller.Of(http).HasCookie)
            await SessionCookie.SignOutAsync(http);
        http.Response.StatusCode = StatusCodes.Status204NoContent;
    }
}
