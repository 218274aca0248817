using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;

namespace NzbDav.Access.Proxies;

/// <summary>
/// Sets the security headers of pages and responses. Must come after WebDAV and the signed links, whose bytes players read.
/// </summary>
internal sealed class SecurityHeaders(LiveAccess access)
{
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var headers = http.Response.Headers;
        var frames = access.Current.Frames;
        headers.ContentSecurityPolicy = PagePolicy.Strict(frames);
        headers.XContentTypeOptions = "nosniff";

        // This header supports no list; current browsers follow the policy.
        if (frames.Count == 0)
            headers.XFrameOptions = "DENY";

        // Not "no-referrer": browsers would send "Origin: null" with forms.
        headers["Referrer-Policy"] = "same-origin";
        headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        if (access.Current.Hsts && http.Request.IsHttps)
            headers.StrictTransportSecurity = "max-age=31536000";
        return next(http);
    }
}

/// <summary>The content security policy of this server's responses.</summary>
public static class PagePolicy
{
    private const string Styles = "style-src 'self'";

    private const string BeforeFrames =
        $"default-src 'self'; script-src 'self'; {Styles}; img-src 'self' data:; connect-src 'self'; media-src 'self'; font-src 'self'; " +
        $"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors ";

    /// <summary>Allows nothing inline and nothing from other hosts, and frames only on these sites.</summary>
    /// <param name="frames">Origins; empty: none.</param>
    internal static string Strict(IReadOnlyList<string> frames) =>
        BeforeFrames + (frames.Count == 0 ? "'none'" : $"'self' {string.Join(' ', frames)}");

    /// <summary>Allows inline styles with a nonce in this response. A nonce is for one response, which must not be cached.</summary>
    /// <returns>The nonce: 128 random bits, base64.</returns>
    public static string AllowStyles(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        var nonce = Convert.ToBase64String(RandomNumberGenerator.GetBytes(16));
        var headers = http.Response.Headers;
        headers.ContentSecurityPolicy = headers.ContentSecurityPolicy.ToString()
            .Replace(Styles, $"{Styles} 'nonce-{nonce}'", StringComparison.Ordinal);
        return nonce;
    }
}
