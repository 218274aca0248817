using System.Globalization;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Files;

/// <summary>The headers of an answer that is a file.</summary>
internal static class FileHeaders
{
    public static void SetValidators(HttpResponse response, IStoreFile file, DateTimeOffset modified)
    {
        response.Headers.ETag = file.ETag;
        response.Headers.LastModified = modified.ToString("R", CultureInfo.InvariantCulture);
        response.Headers.AcceptRanges = "bytes";
    }

    public static void SetHeaders(HttpResponse response, IStoreFile file, DateTimeOffset modified, string contentType, long contentLength)
    {
        SetValidators(response, file, modified);
        response.ContentType = contentType;
        response.ContentLength = contentLength;
        response.Headers.XContentTypeOptions = "nosniff";
    }
}
