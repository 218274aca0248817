using System.Globalization;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Files;

/// <summary>The headers of a response that is a file.</summary>
internal static class FileHeaders
{
    /// <summary>
    /// Forbids shared caches. Without it Cloudflare, for one, loads a whole file whose address ends in <c>.mkv</c> into its cache for one
    /// range of it, and continues to serve it from there when a link has expired.
    /// </summary>
    private const string ForOne = "private, no-transform";

    public static void SetValidators(HttpResponse response, IStoreFile file, DateTimeOffset modified)
    {
        response.Headers.ETag = file.ETag;
        response.Headers.LastModified = modified.ToString("R", CultureInfo.InvariantCulture);
        response.Headers.AcceptRanges = "bytes";
        if (response.Headers.CacheControl.Count == 0)
            response.Headers.CacheControl = ForOne;
    }

    public static void SetHeaders(HttpResponse response, IStoreFile file, DateTimeOffset modified, string contentType, long contentLength)
    {
        SetValidators(response, file, modified);
        response.ContentType = contentType;
        response.ContentLength = contentLength;
        response.Headers.XContentTypeOptions = "nosniff";
    }
}
