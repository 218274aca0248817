using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using Microsoft.IdentityModel.Tokens;
using NzbDav.Access.Replies;

namespace NzbDav.Access.Oidc;

/// <summary>Responses for failed sign-ins with OpenID Connect.</summary>
internal sealed partial class OidcFailure
{
    /// <summary>Responds for the handler. An unknown failure is a bug of this program: the server logs it and responds with 500.</summary>
    public static async Task AnswerAsync(RemoteFailureContext context)
    {
        if (Explain(context) is not { } failure)
            return;
        context.HandleResponse();
        await AnswerAsync(context.HttpContext, failure);
    }

    /// <summary>Responds with a page for browsers and with JSON for other clients.</summary>
    public static async Task AnswerAsync(HttpContext http, OidcException failure)
    {
        LogFailed(http.RequestServices.GetRequiredService<ILogger<OidcFailure>>(), failure.Message);
        if (http.Request.Headers.Accept.ToString().Contains("text/html", StringComparison.OrdinalIgnoreCase))
            await AccessReply.PageAsync(
                http, failure.Status, "Signing in failed",
                $"<p>{WebUtility.HtmlEncode(failure.Message)}</p>\n<p><a " +
                $"href=\"{WebUtility.HtmlEncode(http.Request.PathBase.Add("/").ToUriComponent())}\">Back</a></p>");
        else
            await JsonReply.RefuseAsync(http, failure.Status, failure.Message);
    }

    private static OidcException? Explain(RemoteFailureContext context) => context.Failure switch
    {
        OidcException known => known,
        SecurityTokenException or OpenIdConnectProtocolException when !context.HttpContext.Request.Query.ContainsKey("error") =>
            new OidcException("The sign-in provider's token cannot be trusted: " + Reason(context.Failure)),
        OperationCanceledException =>
            new OidcException("The browser left before it was signed in.") { Status = StatusCodes.Status400BadRequest },
        AuthenticationFailureException or OpenIdConnectProtocolException when context.HttpContext.Request.Query.ContainsKey("error") =>
            new OidcException("The sign-in provider has refused.") { Status = StatusCodes.Status403Forbidden },
        AuthenticationFailureException =>
            new OidcException("This sign-in was not begun in this browser, was used already, or took too long: begin again.")
            { Status = StatusCodes.Status400BadRequest },
        _ => null,
    };

    /// <summary>In this program's own words: messages of the library may repeat the token.</summary>
    private static string Reason(Exception failure) => failure switch
    {
        SecurityTokenExpiredException or SecurityTokenNotYetValidException or SecurityTokenInvalidLifetimeException =>
            "it is not valid now. Is the time right on both machines?",
        SecurityTokenInvalidIssuerException => "it was issued by somebody else.",
        SecurityTokenInvalidAudienceException => "it is for another client.",
        SecurityTokenInvalidSignatureException => "its signature fits none of the provider's keys.",
        OpenIdConnectProtocolInvalidNonceException => "it belongs to another sign-in. Begin again.",
        _ => "it lacks something. Look at the client's settings at the provider.",
    };

    [LoggerMessage(520, LogLevel.Warning, "signing in with OpenID Connect failed: {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}

/// <summary>Why a sign-in with OpenID Connect failed. The message is for the user and the log, and contains no secrets.</summary>
internal sealed class OidcException : Exception
{
    public OidcException()
    {
    }

    public OidcException(string message)
        : base(message)
    {
    }

    public OidcException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>No provider is configured.</summary>
    public static OidcException None() => new("No OpenID Connect provider is configured.") { Status = 404 };

    /// <summary>
    /// Status of the response: 403 for a user who is not allowed, 502 for an invalid response of the provider, 503 for a provider that does
    /// not answer.
    /// </summary>
    public int Status { get; init; } = 502;
}
