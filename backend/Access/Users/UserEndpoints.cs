using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace NzbDav.Access;

/// <summary><c>/api/v1/users</c>, for administrators: all users are.</summary>
internal static class UserEndpoints
{
    private const string Path = AccessRules.Native + "/users";

    public static void MapUsers(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, ListAsync).Needs(ApiRights.Full).Produces<IReadOnlyList<UserBody>>();
        routes.MapPost(Path, AddAsync).Needs(ApiRights.Full).Produces<UserBody>(StatusCodes.Status201Created);
        routes.MapDelete(Path + "/{name}", RemoveAsync).Needs(ApiRights.Full).Produces(StatusCodes.Status204NoContent);
        routes.MapPut(Path + "/{name}/password", ChangeAsync).Needs(ApiRights.Full).Produces(StatusCodes.Status204NoContent);
    }

    private static async Task ListAsync(HttpContext http, UserAccounts accounts)
    {
        IReadOnlyList<UserBody> users = [.. (await accounts.ListAsync(http.RequestAborted)).Select(user => new UserBody(user.Name, user.Created))];
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, users, UserJson.Default.IReadOnlyListUserBody);
    }

    private static async Task AddAsync(HttpContext http, UserAccounts accounts, AttemptGate gate)
    {
        if (await JsonBody.ReadAsync(http, UserJson.Default.SignInBody) is not { } body)
            return;
        var result = await accounts.CreateAsync(body.Username, body.Password, http.RequestAborted);
        if (result.User is not { } user)
        {
            await AccessReply.RefuseAsync(http, result);
            return;
        }

        gate.Forget();
        await JsonReply.WriteAsync(http, StatusCodes.Status201Created, new UserBody(user.Name, user.Created), UserJson.Default.UserBody);
    }

    private static async Task RemoveAsync(HttpContext http, UserAccounts accounts, string name)
    {
        var result = await accounts.RemoveAsync(name, http.RequestAborted);
        if (result.Outcome == AccountOutcome.Done)
            http.Response.StatusCode = StatusCodes.Status204NoContent;
        else
            await AccessReply.RefuseAsync(http, result);
    }

    private static async Task ChangeAsync(HttpContext http, UserAccounts accounts, AttemptGate gate, SignIn signIn, string name)
    {
        if (await JsonBody.ReadAsync(http, UserJson.Default.PasswordBody) is not { } body)
            return;

        // Who finds a browser signed in shall not lock its owner out.
        var own = Caller.Of(http) is { Kind: CallerKind.Password } caller && string.Equals(caller.Name, name, StringComparison.OrdinalIgnoreCase);
        if (own)
        {
            var (outcome, _) = await signIn.CheckAsync(http.Connection.RemoteIpAddress, name, body.Current, http.RequestAborted);
            if (outcome == AttemptOutcome.Throttled)
                await AccessReply.SlowDownAsync(http);
            else if (outcome == AttemptOutcome.Wrong)
                await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, "The current password is wrong.");
            if (outcome != AttemptOutcome.Right)
                return;
        }

        var result = await accounts.SetPasswordAsync(name, body.Password, http.RequestAborted);
        if (result.User is not { } user)
        {
            await AccessReply.RefuseAsync(http, result);
            return;
        }

        gate.Forget();
        if (own)
            await SignIn.BeginAsync(http, user);
        http.Response.StatusCode = StatusCodes.Status204NoContent;
    }
}
