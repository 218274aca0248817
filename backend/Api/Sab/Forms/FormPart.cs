using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace NzbDav.Api.Sab;

/// <summary>What a part of a form says of itself (RFC 7578 §4.2).</summary>
/// <param name="Name">Of the field.</param>
/// <param name="FileName">As it was sent; null for what is no file, empty for a file whose name cannot be read.</param>
internal readonly record struct FormPart(string Name, string? FileName)
{
    /// <summary>Null when the part has no name.</summary>
    public static FormPart? Read(MultipartSection section)
    {
        if (!ContentDispositionHeaderValue.TryParse(section.ContentDisposition, out var disposition) || !disposition.DispositionType.Equals("form-data", StringComparison.OrdinalIgnoreCase))
            return null;
        return new FormPart(HeaderUtilities.RemoveQuotes(disposition.Name).ToString(), FileNameOf(disposition));
    }

    private static string? FileNameOf(ContentDispositionHeaderValue disposition)
    {
        var name = disposition.FileName;
        try
        {
            if (!StringSegment.IsNullOrEmpty(disposition.FileNameStar))
                name = disposition.FileNameStar;
        }
        catch (NotSupportedException)
        {
            // An encoding that the runtime knows and refuses: UTF-7.
            return HeaderUtilities.RemoveQuotes(name).ToString();
        }

        return StringSegment.IsNullOrEmpty(name) ? null : HeaderUtilities.RemoveQuotes(name).ToString();
    }
}
