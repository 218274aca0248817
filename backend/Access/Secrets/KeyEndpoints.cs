using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Secrets;

/// <summary><c>/api/v1/keys/show</c>: shows an API key to a caller who enters the password again.</summary>
internal static class KeyEndpoints
{
    public static void MapKeys(this IEndpointRouteBuilder routes) =>
        routes.MapPost(AccessRules.Native + "/keys/show", ShowAsync).Needs(ApiRights.Manage).WithName("showKey").WithTags("settings")
            .AcceptsJson<KeyAskBody>().Produces<KeyBody>();

    private static async Task ShowAsync(HttpContext http, ApiKeys keys, PasswordAgain again)
    {
        if (await JsonBody.ReadAsync(http, KeyJson.Default.KeyAskBody) is not { } body)
            return;
        if (body.Key is not { } key)
            await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "Say which key: full, client, add or read.");
        else if (await again.RefuseAsync(http, body.Username, body.Password) is { } refusal)
            await refusal.ExecuteAsync(http);
        else
            await JsonReply.WriteAsync(http, StatusCodes.Status200OK, new KeyBody(keys.Of(key)), KeyJson.Default.KeyBody);
    }
}

/// <summary>Request to see an API key.</summary>
internal sealed record KeyAskBody
{
    /// <summary>The key to show.</summary>
    public KeyName? Key { get; init; }

    /// <summary>The caller's own password.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password is sent.</summary>
    public string? Username { get; init; }
}

/// <summary>An API key.</summary>
/// <param name="Value">The key; null: there is none.</param>
internal sealed record KeyBody(string? Value);

/// <summary>JSON settings of keys.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<KeyName>)])]
[JsonSerializable(typeof(KeyAskBody))]
[JsonSerializable(typeof(KeyBody))]
internal sealed partial class KeyJson : JsonSerializerContext;
