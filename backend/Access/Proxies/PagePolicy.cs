using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Proxies;

/// <summary>The content security policy of what this server answers.</summary>
public static class PagePolicy
{
    private const string BeforeStyles = "default-src 'self'; script-src 'self'; style-src 'self'";

    private const string BehindStyles =
        "; img-src 'self' data:; connect-src 'self'; media-src 'self'; font-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

    /// <summary>Nothing inline, nothing from elsewhere.</summary>
    internal const string Strict = BeforeStyles + BehindStyles;

    /// <summary>Lets this one answer carry styles of its own: those with the nonce. A nonce is good for one answer, which must not be kept.</summary>
    /// <returns>The nonce: 128 random bits, base64.</returns>
    public static string AllowStyles(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        var nonce = Convert.ToBase64String(RandomNumberGenerator.GetBytes(16));
        http.Response.Headers.ContentSecurityPolicy = $"{BeforeStyles} 'nonce-{nonce}'{BehindStyles}";
        return nonce;
    }
}
