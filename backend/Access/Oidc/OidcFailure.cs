using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace NzbDav.Access;

/// <summary>What a person sees when signing in with OpenID Connect failed.</summary>
internal sealed partial class OidcFailure
{
    /// <summary>Answers for the handler.</summary>
    public static async Task AnswerAsync(RemoteFailureContext context)
    {
        context.HandleResponse();

        // Whatever else fails does so before the provider is asked: a way back that this browser did not begin, or a refusal that it brings.
        await AnswerAsync(context.HttpContext, context.Failure as OidcException ?? Unexpected(context));
    }

    /// <summary>Answers with a page for browsers and JSON for others.</summary>
    public static async Task AnswerAsync(HttpContext http, OidcException failure)
    {
        LogFailed(http.RequestServices.GetRequiredService<ILogger<OidcFailure>>(), failure.Message);
        if (http.Request.Headers.Accept.ToString().Contains("text/html", StringComparison.OrdinalIgnoreCase))
            await AccessReply.PageAsync(http, failure.Status, "Signing in failed", $"<p>{WebUtility.HtmlEncode(failure.Message)}</p>\n<p><a href=\"{WebUtility.HtmlEncode(http.Request.PathBase.Add("/").ToUriComponent())}\">Back</a></p>");
        else
            await AccessReply.RefuseAsync(http, failure.Status, failure.Message);
    }

    private static OidcException Unexpected(RemoteFailureContext context) => context.Failure is OperationCanceledException
        ? new OidcException("The browser left before it was signed in.") { Status = StatusCodes.Status400BadRequest }
        : context.HttpContext.Request.Query.ContainsKey("error")
            ? new OidcException("The sign-in provider has refused.") { Status = StatusCodes.Status403Forbidden }
            : new OidcException("This sign-in was not begun in this browser, was used already, or took too long: begin again.") { Status = StatusCodes.Status400BadRequest };

    [LoggerMessage(520, LogLevel.Warning, "signing in with OpenID Connect failed: {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);
}
