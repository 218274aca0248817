using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace NzbDav.Api.Forms;

/// <summary>A part of a form (RFC 7578 §4.2).</summary>
/// <param name="Name">Name of the field.</param>
/// <param name="FileName">The file name as it was sent; null if the part is not a file, empty if the name cannot be read.</param>
/// <param name="Body">Its bytes, until the next part is read.</param>
internal readonly record struct FormPart(string Name, string? FileName, Stream Body)
{
    /// <summary>Null when the part has no name.</summary>
    public static FormPart? Read(MultipartSection section)
    {
        if (!ContentDispositionHeaderValue.TryParse(section.ContentDisposition, out var disposition) || !disposition.DispositionType.Equals("form-data", StringComparison.OrdinalIgnoreCase))
            return null;
        return new FormPart(HeaderUtilities.RemoveQuotes(disposition.Name).ToString(), FileNameOf(disposition), section.Body);
    }

    private static string? FileNameOf(ContentDispositionHeaderValue disposition)
    {
        var name = disposition.FileName;
        try
        {
            // Without a value ("filename*" and nothing behind it) the framework throws.
            var isWhole = disposition.Parameters.All(static parameter => parameter.Value.HasValue || !parameter.Name.Equals("filename*", StringComparison.OrdinalIgnoreCase));
            if (isWhole && !StringSegment.IsNullOrEmpty(disposition.FileNameStar))
                name = disposition.FileNameStar;
        }
        catch (NotSupportedException)
        {
            // UTF-7: an encoding that the runtime recognises but refuses to decode.
            return HeaderUtilities.RemoveQuotes(name).ToString();
        }

        return StringSegment.IsNullOrEmpty(name) ? null : HeaderUtilities.RemoveQuotes(name).ToString();
    }
}
