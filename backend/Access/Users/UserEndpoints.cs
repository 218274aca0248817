using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Access.Sessions;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Users;

/// <summary><c>/api/v1/users</c>, for administrators.</summary>
internal static class UserEndpoints
{
    private const string Path = AccessRules.Native + "/users";

    public static void MapUsers(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, ListAsync).Needs(ApiRights.Manage).WithName("listUsers").WithTags("users").Produces<UserListBody>();
        routes.MapPost(Path, AddAsync).NeedsConfirmed(ApiRights.Manage).WithName("addUser").WithTags("users")
            .AcceptsJson<NewUserBody>().Produces<UserBody>(StatusCodes.Status201Created).Refuses(StatusCodes.Status409Conflict);
        routes.MapPatch(Path + "/{name}", ChangeAsync).NeedsConfirmed(ApiRights.Manage).WithName("changeUser").WithTags("users")
            .AcceptsJson<RoleBody>().Produces<UserBody>().Refuses(StatusCodes.Status404NotFound, StatusCodes.Status409Conflict);
        routes.MapDelete(Path + "/{name}", RemoveAsync).Needs(ApiRights.Manage).WithName("removeUser").WithTags("users")
            .Produces(StatusCodes.Status204NoContent).Refuses(StatusCodes.Status404NotFound, StatusCodes.Status409Conflict);
        routes.MapPut(Path + "/{name}/password", SetPasswordAsync).Needs(ApiRights.Manage).WithName("setUserPassword").WithTags("users")
            .AcceptsJson<PasswordBody>().Produces(StatusCodes.Status204NoContent).Refuses(StatusCodes.Status404NotFound);
    }

    private static async Task ListAsync(HttpContext http, UserAccounts accounts)
    {
        var users = await accounts.ListAsync(http.RequestAborted);
        await JsonReply.WriteAsync(
            http, StatusCodes.Status200OK, new UserListBody([.. users.Select(UserBody.Of)]), UserJson.Default.UserListBody);
    }

    private static async Task AddAsync(HttpContext http, UserAccounts accounts, AttemptGate gate)
    {
        if (await JsonBody.ReadAsync(http, UserJson.Default.NewUserBody) is not { } body)
            return;
        var result = await accounts.CreateAsync(body.Username, body.Password, body.Role ?? UserRole.Administrator, http.RequestAborted);
        if (!await AccessReply.IsDoneAsync(http, result))
            return;
        gate.Forget();
        await JsonReply.WriteAsync(http, StatusCodes.Status201Created, UserBody.Of(result.User!), UserJson.Default.UserBody);
    }

    private static async Task ChangeAsync(HttpContext http, UserAccounts accounts, string name)
    {
        if (await JsonBody.ReadAsync(http, UserJson.Default.RoleBody) is not { } body)
            return;
        if (body.Role is not { } role)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "Say the role: viewer, operator or administrator.");
            return;
        }

        var result = await accounts.SetRoleAsync(name, role, http.RequestAborted);
        if (await AccessReply.IsDoneAsync(http, result))
            await JsonReply.WriteAsync(http, StatusCodes.Status200OK, UserBody.Of(result.User!), UserJson.Default.UserBody);
    }

    private static async Task RemoveAsync(HttpContext http, UserAccounts accounts, SessionRegistry sessions, string name)
    {
        var ended = await sessions.ListAsync(new Caller(CallerKind.Password, ApiRights.None, name), http.RequestAborted);
        if (!await AccessReply.IsDoneAsync(http, await accounts.RemoveAsync(name, http.RequestAborted)))
            return;
        sessions.Forget(ended.Select(session => session.Id));
        http.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private static async Task SetPasswordAsync(HttpContext http, SignIn signIn, PasswordAgain again, string name)
    {
        if (await JsonBody.ReadAsync(http, UserJson.Default.PasswordBody) is not { } body)
            return;

        // Somebody who finds a signed-in browser must neither lock its owner out nor become another user.
        var own = Caller.Of(http) is { Kind: CallerKind.Password, Name: { } caller } && StoredUser.Fold(caller) == StoredUser.Fold(name);
        if (own ? !await signIn.IsOwnAsync(http, name, body.Current) : !await again.AdmitAsync(http))
            return;
        if (await AccessReply.IsDoneAsync(http, await signIn.ChangePasswordAsync(http, name, body.Password, own)))
            http.Response.StatusCode = StatusCodes.Status204NoContent;
    }
}

/// <summary>A new user.</summary>
internal sealed record NewUserBody
{
    /// <summary>1 to 64 characters.</summary>
    public string? Username { get; init; }

    /// <summary>10 to 256 characters.</summary>
    public string? Password { get; init; }

    /// <summary>The user's role; null: administrator.</summary>
    public UserRole? Role { get; init; }
}

/// <summary>A change of a password.</summary>
internal sealed record PasswordBody
{
    /// <summary>The current password; required when users change their own.</summary>
    public string? Current { get; init; }

    public string? Password { get; init; }
}

/// <summary>A change of a role.</summary>
internal sealed record RoleBody
{
    /// <summary>The user's role from the next request on.</summary>
    public UserRole? Role { get; init; }
}

/// <summary>A user, as shown to administrators.</summary>
/// <param name="Username">The name.</param>
/// <param name="Role">The user's role.</param>
/// <param name="Created">When the user was created.</param>
/// <param name="LastSeen">The latest request, to the minute; null: none yet.</param>
internal sealed record UserBody(string Username, UserRole Role, DateTimeOffset Created, DateTimeOffset? LastSeen)
{
    public static UserBody Of(StoredUser user) => new(user.Name, user.Role, user.Created, user.LastSeen);
}

/// <summary>All users by name.</summary>
internal sealed record UserListBody(IReadOnlyList<UserBody> Users);

/// <summary>JSON settings of users.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<UserRole>)])]
[JsonSerializable(typeof(NewUserBody))]
[JsonSerializable(typeof(PasswordBody))]
[JsonSerializable(typeof(RoleBody))]
[JsonSerializable(typeof(UserBody))]
[JsonSerializable(typeof(UserListBody))]
internal sealed partial class UserJson : JsonSerializerContext;
