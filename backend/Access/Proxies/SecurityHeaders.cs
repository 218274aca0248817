using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;

namespace NzbDav.Access.Proxies;

/// <summary>Sets the security headers of pages and answers. Goes in behind WebDAV and the signed links, whose bytes players read.</summary>
internal sealed class SecurityHeaders(LiveAccess access)
{
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var headers = http.Response.Headers;
        var frames = access.Current.Frames;
        headers.ContentSecurityPolicy = PagePolicy.Strict(frames);
        headers.XContentTypeOptions = "nosniff";

        // It knows no list; browsers of today follow the policy.
        if (frames.Count == 0)
            headers.XFrameOptions = "DENY";

        // Not "no-referrer": with it browsers send "Origin: null" with a form.
        headers["Referrer-Policy"] = "same-origin";
        headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        if (access.Current.Hsts && http.Request.IsHttps)
            headers.StrictTransportSecurity = "max-age=31536000";
        return next(http);
    }
}
