using System.Globalization;

namespace NzbDav.Torrents.Network;

/// <summary>What HTTP servers answer beside content: redirects and pauses.</summary>
internal static class HttpAnswers
{
    /// <summary>As many as the handlers of other HTTP clients here follow.</summary>
    public const int MostRedirects = 5;

    /// <summary>
    /// The address that a redirect leads to; null if the response is none. Disposes one. Also from https to http, which handlers do not
    /// follow: the server chose so, and what is asked here is no secret.
    /// </summary>
    /// <param name="response">The response to a request for <paramref name="from"/>.</param>
    /// <param name="from">Address of the request.</param>
    /// <param name="left">How many redirects may still be followed.</param>
    /// <exception cref="HttpRequestException">It redirects too often, or to where HTTP cannot follow.</exception>
    public static Uri? Redirect(HttpResponseMessage response, Uri from, int left)
    {
        if ((int)response.StatusCode is not (301 or 302 or 303 or 307 or 308) || response.Headers.Location is not { } location)
            return null;
        response.Dispose();
        if (left == 0)
            throw new HttpRequestException(string.Create(CultureInfo.InvariantCulture, $"it redirects more than {MostRedirects} times"));
        if (!Uri.TryCreate(from, location, out var to) || to.Scheme is not ("http" or "https"))
            throw new HttpRequestException("it redirects to an address that is not of HTTP");
        return to;
    }

    /// <summary>How long the server asks not to be asked (<c>Retry-After</c>, RFC 9110, section 10.2.3); null = it does not say.</summary>
    public static TimeSpan? RetryAfter(HttpResponseMessage response, TimeProvider time) =>
        response.Headers.RetryAfter is not { } told ? null : told.Delta ?? (told.Date is { } date ? date - time.GetUtcNow() : null);
}
