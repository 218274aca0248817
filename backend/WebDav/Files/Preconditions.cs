using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Files;

/// <summary>The conditional headers in the order of RFC 9110 §13.2.2. Pure: looks at headers and validators only.</summary>
internal static class Preconditions
{
    /// <summary>Evaluates the headers of a request.</summary>
    /// <param name="headers">Request headers.</param>
    /// <param name="isRead">GET or HEAD.</param>
    /// <param name="etag">The item's tag; null if there is no item.</param>
    /// <param name="modified">The item's modification time; ignored without an item.</param>
    public static PreconditionOutcome Evaluate(IHeaderDictionary headers, bool isRead, string? etag, DateTimeOffset modified)
    {
        // 1. "When recipient is the origin server and If-Match is present, evaluate the If-Match precondition"
        if (headers.IfMatch is { Count: > 0 } ifMatch)
        {
            if (etag is null || !EntityTags.Contains(ifMatch, etag, weak: false))
                return PreconditionOutcome.Failed;
        }
        else if (etag is not null && TryDate(headers.IfUnmodifiedSince, out var unmodified) && Seconds(modified) > Seconds(unmodified))
        {
            // 2. If-Match is not present and If-Unmodified-Since is.
            return PreconditionOutcome.Failed;
        }

        // 3. "When If-None-Match is present": if it is false, 304 for GET and HEAD, 412 for other methods.
        if (headers.IfNoneMatch is { Count: > 0 } ifNoneMatch)
        {
            if (etag is not null && EntityTags.Contains(ifNoneMatch, etag, weak: true))
                return isRead ? PreconditionOutcome.NotModified : PreconditionOutcome.Failed;
        }
        else if (isRead && etag is not null && TryDate(headers.IfModifiedSince, out var since) && Seconds(modified) <= Seconds(since))
        {
            // 4. "When the method is GET or HEAD, If-None-Match is not present, and If-Modified-Since is present"
            return PreconditionOutcome.NotModified;
        }

        return PreconditionOutcome.Proceed;
    }

    /// <summary>5. Whether a Range header applies: no If-Range, or one that names exactly this state of the item.</summary>
    public static bool RangeApplies(in StringValues ifRange, string etag, DateTimeOffset modified)
    {
        if (ifRange.Count == 0)
            return true;
        if (ifRange.Count > 1)
            return false;
        var value = ifRange[0].AsSpan().Trim(" \t");
        if (value.StartsWith('"') || value.StartsWith("W/", StringComparison.Ordinal))
            return EntityTags.Matches(value, etag, weak: false);
        return TryDate(ifRange, out var date) && Seconds(date) == Seconds(modified);
    }

    // "A recipient MUST ignore the If-Modified-Since header field if [...] the field value is not a valid HTTP-date, the field value
    // has more than one member"
    private static bool TryDate(in StringValues header, out DateTimeOffset date)
    {
        date = default;
        return header.Count == 1 && HeaderUtilities.TryParseDate(header[0], out date);
    }

    // HTTP dates have no fractions of seconds, so the comparison ignores them.
    private static long Seconds(DateTimeOffset time) => ItemDates.Clamp(time).ToUnixTimeSeconds();
}

/// <summary>The result of evaluating the conditional headers.</summary>
internal enum PreconditionOutcome
{
    /// <summary>Process the method.</summary>
    Proceed,

    /// <summary>304: the client has these bytes.</summary>
    NotModified,

    /// <summary>412: the item is not in the state that the client expects.</summary>
    Failed,
}
