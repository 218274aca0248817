using System.Globalization;

namespace NzbDav.Torrents.Network;

/// <summary>Answers of HTTP servers other than content: redirects and pauses.</summary>
internal static class HttpAnswers
{
    /// <summary>The same limit as for the other HTTP clients of this program.</summary>
    public const int MostRedirects = 5;

    /// <summary>
    /// The target of a redirect. Null if the response is no redirect; otherwise the response is disposed. Redirects from https to http are
    /// followed too, which handlers do not do: the server chose this, and the requests are no secret.
    /// </summary>
    /// <param name="response">The response to a request for <paramref name="from"/>.</param>
    /// <param name="from">Address of the request.</param>
    /// <param name="left">Number of redirects that may still be followed.</param>
    /// <exception cref="HttpRequestException">Too many redirects, or one to another scheme.</exception>
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

    /// <summary>The pause that the server demands (<c>Retry-After</c>, RFC 9110, section 10.2.3); null = none.</summary>
    public static TimeSpan? RetryAfter(HttpResponseMessage response, TimeProvider time) =>
        response.Headers.RetryAfter is not { } header ? null : header.Delta ?? (header.Date is { } date ? date - time.GetUtcNow() : null);
}
