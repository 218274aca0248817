using System.Net;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Callers;
using NzbDav.Access.Replies;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Sessions;

/// <summary>The first user: <c>POST /api/v1/setup</c>, and <c>/setup</c>, a page with a form that does the same.</summary>
internal static class SetupEndpoints
{
    public const string Page = "/setup";

    public static void MapSetup(this IEndpointRouteBuilder routes)
    {
        routes.MapPost(AccessRules.Native + "/setup", SetUpAsync).BeginsSession().WithName("setUp").WithTags("session")
            .AcceptsJson<SetupBody>().Produces<SessionBody>().Refuses(StatusCodes.Status409Conflict, StatusCodes.Status429TooManyRequests);
        routes.MapGet(Page, ShowAsync).IsOpen().ExcludeFromDescription();
        routes.MapPost(Page, SubmitAsync).BeginsSession().ExcludeFromDescription();
    }

    private static async Task SetUpAsync(HttpContext http, SignIn signIn)
    {
        if (await JsonBody.ReadAsync(http, SessionJson.Default.SetupBody) is not { } body)
            return;
        switch (await signIn.SetUpAsync(http, body))
        {
            case (SecretVerdict.Right, { Outcome: AccountOutcome.Done }):
                await SessionEndpoints.WriteAsync(http, signIn);
                break;
            case (SecretVerdict.Right, { } result):
                await AccessReply.RefuseAsync(http, result);
                break;
            case (SecretVerdict.Throttled, _):
                await AccessReply.SlowDownAsync(http);
                break;
            default:
                await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, WrongToken);
                break;
        }
    }

    private const string WrongToken = "This token is not valid. The log of this start shows the one that is.";

    private static async Task ShowAsync(HttpContext http, UserAccounts accounts) =>
        await WriteAsync(http, StatusCodes.Status200OK,
            await accounts.AnyAsync(http.RequestAborted) ? null : http.Request.Query["token"].ToString(), message: null);

    private static async Task SubmitAsync(HttpContext http, SignIn signIn)
    {
        JsonBody.Limit(http);
        if (!http.Request.HasFormContentType)
        {
            await WriteAsync(http, StatusCodes.Status415UnsupportedMediaType, token: "", "Send the form.");
            return;
        }

        IFormCollection form;
        try
        {
            form = await http.Request.ReadFormAsync(http.RequestAborted);
        }
        catch (Exception e) when (e is InvalidDataException or IOException and not BadHttpRequestException)
        {
            await WriteAsync(http, StatusCodes.Status400BadRequest, token: "", "The form is broken, or ends too early.");
            return;
        }

        var body = new SetupBody { Token = form["token"], Username = form["username"], Password = form["password"] };
        switch (await signIn.SetUpAsync(http, body))
        {
            case (SecretVerdict.Right, { Outcome: AccountOutcome.Done }):
                http.Response.StatusCode = StatusCodes.Status303SeeOther;
                http.Response.Headers.Location = http.Request.PathBase.Add("/").ToUriComponent();
                break;
            case (SecretVerdict.Right, { } result):
                await WriteAsync(http, AccessReply.StatusOf(result.Outcome),
                    result.Outcome == AccountOutcome.AlreadySetUp ? null : body.Token, result.Reason);
                break;
            case (SecretVerdict.Throttled, _):
                AccessReply.SetRetryAfter(http);
                await WriteAsync(http, StatusCodes.Status429TooManyRequests, body.Token, AttemptGate.TooMany);
                break;
            default:
                await WriteAsync(http, StatusCodes.Status403Forbidden, body.Token, WrongToken);
                break;
        }
    }

    /// <param name="http">The request.</param>
    /// <param name="status">The status.</param>
    /// <param name="token">Initial value of the form's token; null: there is a user, so there is no form.</param>
    /// <param name="message">What went wrong.</param>
    private static Task WriteAsync(HttpContext http, int status, string? token, string? message)
    {
        var form = token is null
            ? "<p>There is a user already.</p>"
            : $"""
               <form method="post" action="setup">
               <p><label>Token <input name="token" autocomplete="off" required value="{WebUtility.HtmlEncode(token)}"></label></p>
               <p><label>Name <input name="username" autocomplete="username" required></label></p>
               <p><label>Password <input name="password" type="password" autocomplete="new-password" minlength="{AccountRules.ShortestPassword}" required></label></p>
               <p><button>Make the first user</button></p>
               </form>
               """;
        return AccessReply.PageAsync(http, status, "Set-up", (message is null ? "" : $"<p>{WebUtility.HtmlEncode(message)}</p>\n") + form);
    }
}

/// <summary>The first user, and the token from the log.</summary>
internal sealed record SetupBody
{
    public string? Token { get; init; }

    public string? Username { get; init; }

    public string? Password { get; init; }
}

/// <summary>
/// The token in the log that allows creating the first user, once. New at each start. Thread-safe.
/// </summary>
public sealed class SetupToken
{
    /// <summary>32 hexadecimal digits.</summary>
    public string Value { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16));

    /// <summary>True for the right token. Takes the same time for a wrong one.</summary>
    public bool Matches(string? token) => SecretText.Matches(Value, token);
}
