using System.Diagnostics.CodeAnalysis;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace NzbDav.Api.Forms;

/// <summary>
/// The form in a request's body, url-encoded or multipart: read in order, as it arrives, and within limits. The interface that reads it
/// decides what a caller may send, and what becomes of each value and file.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "The bounded body owns nothing: the server disposes the request's own.")]
internal sealed class FormBody
{
    /// <summary>Most values and files in one form; ASP.NET Core has the same limit.</summary>
    public const int MostParts = 1_024;

    /// <summary>Most bytes of a body from a caller without a valid key.</summary>
    public const int MostUnknown = 64 << 10;

    /// <summary>Most bytes of all values together. Ten thousand info-hashes have 410 KB, a thousand ids of jobs 26 KB.</summary>
    public const int MostValues = 1 << 20;

    /// <summary>RFC 2046 allows 70 characters.</summary>
    private const int LongestBoundary = 128;

    private const int PartBuffer = 16 << 10;

    private readonly BoundedBody _body;
    private readonly MultipartReader? _reader;
    private int _count;

    /// <param name="http">The request.</param>
    /// <param name="most">Most bytes that the caller may send.</param>
    /// <exception cref="InvalidDataException">The media type or the boundary is not valid.</exception>
    public FormBody(HttpContext http, long most)
    {
        // The limit is enforced here: the server's own would close the connection while the client still sends, and the client would never
        // learn why.
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
        var type = MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var parsed)
            ? parsed
            : throw new InvalidDataException("The media type of the form cannot be read.");
        _body = new BoundedBody(http.Request.Body, most);
        if (IsMultipart(type))
            _reader = new MultipartReader(
                BoundaryOf(type) ?? throw new InvalidDataException("The boundary of the form is missing or too long."), _body, PartBuffer);
    }

    /// <summary>Most bytes that the caller may send: more, once the form itself has shown who it is.</summary>
    public long Limit
    {
        get => _body.Limit;
        set => _body.Limit = value;
    }

    /// <summary>True if it is read by <see cref="NextAsync"/>, false if by <see cref="ReadPairsAsync"/>.</summary>
    public bool HasParts => _reader is not null;

    /// <summary>True for a multipart form whose boundary can be used.</summary>
    public static bool IsMultipart(HttpRequest request) =>
        MediaTypeHeaderValue.TryParse(request.ContentType, out var type) && IsMultipart(type) && BoundaryOf(type) is not null;

    /// <summary>The next part; null after the last one.</summary>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="FormTooLargeException">The body is longer than <see cref="Limit"/>.</exception>
    public async ValueTask<FormPart?> NextAsync(CancellationToken cancellationToken)
    {
        if (await _reader!.ReadNextSectionAsync(cancellationToken) is not { } section)
            return null;
        CountPart();
        return FormPart.Read(section) ?? throw new InvalidDataException("A part of the form has no name.");
    }

    /// <summary>The values of a url-encoded form.</summary>
    /// <inheritdoc cref="NextAsync"/>
    public async ValueTask<IReadOnlyList<(string Name, string Value)>> ReadPairsAsync(CancellationToken cancellationToken)
    {
        Limit = Math.Min(Limit, MostValues);
        var bytes = await ReadAsync(_body, MostValues, cancellationToken) ?? throw new FormTooLargeException(MostValues);
        var pairs = new List<(string, string)>();
        foreach (var pair in new QueryStringEnumerable(Encoding.UTF8.GetString(bytes.Span)))
        {
            CountPart();
            pairs.Add((pair.DecodeName().ToString(), pair.DecodeValue().ToString()));
        }

        return pairs;
    }

    /// <summary>The bytes of a part; null if it has more than so many.</summary>
    public static async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(Stream source, int most, CancellationToken cancellationToken)
    {
        var bytes = new byte[512];
        var filled = 0;
        while (true)
        {
            if (filled == bytes.Length)
                Array.Resize(ref bytes, bytes.Length * 2);
            var read = await source.ReadAsync(bytes.AsMemory(filled), cancellationToken);
            if (read == 0)
                return bytes.AsMemory(0, filled);
            filled += read;
            if (filled > most)
                return null;
        }
    }

    private static bool IsMultipart(MediaTypeHeaderValue type) =>
        type.MediaType.Equals("multipart/form-data", StringComparison.OrdinalIgnoreCase);

    private static string? BoundaryOf(MediaTypeHeaderValue type) =>
        HeaderUtilities.RemoveQuotes(type.Boundary).ToString() is { Length: > 0 and <= LongestBoundary } boundary ? boundary : null;

    private void CountPart()
    {
        if (++_count > MostParts)
            throw new InvalidDataException($"The form has more than {MostParts} parts.");
    }
}

/// <summary>A part of a form (RFC 7578 §4.2).</summary>
/// <param name="Name">Name of the field.</param>
/// <param name="FileName">The file name as it was sent; null if the part is not a file, empty if the name cannot be read.</param>
/// <param name="Body">Its bytes, until the next part is read.</param>
internal readonly record struct FormPart(string Name, string? FileName, Stream Body)
{
    /// <summary>Null when the part has no name.</summary>
    public static FormPart? Read(MultipartSection section)
    {
        if (!ContentDispositionHeaderValue.TryParse(section.ContentDisposition, out var disposition)
            || !disposition.DispositionType.Equals("form-data", StringComparison.OrdinalIgnoreCase))
            return null;
        return new FormPart(HeaderUtilities.RemoveQuotes(disposition.Name).ToString(), FileNameOf(disposition), section.Body);
    }

    private static string? FileNameOf(ContentDispositionHeaderValue disposition)
    {
        var name = disposition.FileName;
        try
        {
            // Without a value ("filename*" and nothing behind it) the framework throws.
            var isWhole = disposition.Parameters.All(
                static parameter => parameter.Value.HasValue || !parameter.Name.Equals("filename*", StringComparison.OrdinalIgnoreCase));
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
