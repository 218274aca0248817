using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Net.Http.Headers;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Forms;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>Reads forms, url-encoded or multipart, in order and within limits. Files go to the spool of imports, and only for callers who may add jobs.</summary>
internal sealed class QbitFormReader(NzbIntake intake, Live<SabOptions> options)
{
    /// <summary>Most bytes of a login form.</summary>
    public const int MostUnknown = 64 << 10;

    /// <summary>Most bytes of all values together. Ten thousand info-hashes have 410 KB.</summary>
    public const int MostValues = 1 << 20;

    /// <summary>RFC 2046 allows 70 characters.</summary>
    private const int LongestBoundary = 128;

    /// <summary>Reads the form of a request; null if it has none.</summary>
    /// <param name="http">The request.</param>
    /// <param name="rights">What the caller may do.</param>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="FormTooLargeException">It is larger than this caller may send.</exception>
    /// <exception cref="IOException">It ends too early, or a file cannot be stored.</exception>
    public async ValueTask<QbitForm?> ReadAsync(HttpContext http, ApiRights rights)
    {
        if (!http.Request.HasFormContentType)
            return null;

        // The limit is enforced here: the server's own would close the connection while the client still sends, and the client would never learn why.
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
        var type = MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var parsed) ? parsed : throw new InvalidDataException("The media type of the form cannot be read.");
        var takesFiles = rights.HasFlag(ApiRights.Add);
        var body = new BoundedBody(http.Request.Body, rights == ApiRights.None ? MostUnknown : takesFiles ? options.Value.MaxUploadBytes : MostValues);
        var form = new QbitForm();
        var isRead = false;
        try
        {
            if (type.MediaType.Equals("multipart/form-data", StringComparison.OrdinalIgnoreCase))
                await ReadPartsAsync(new MultipartReader(BoundaryOf(type), body, MostUnknown / 4), form, takesFiles, http.RequestAborted);
            else
                await ReadUrlEncodedAsync(body, form, http.RequestAborted);
            isRead = true;
            return form;
        }
        finally
        {
            if (!isRead)
                await form.DisposeAsync();
        }
    }

    private static string BoundaryOf(MediaTypeHeaderValue type)
    {
        var boundary = HeaderUtilities.RemoveQuotes(type.Boundary).ToString();
        return boundary.Length is > 0 and <= LongestBoundary ? boundary : throw new InvalidDataException("The boundary of the form is missing or too long.");
    }

    private static async ValueTask ReadUrlEncodedAsync(BoundedBody body, QbitForm form, CancellationToken cancellationToken)
    {
        body.Limit = Math.Min(body.Limit, MostValues);
        foreach (var pair in new QueryStringEnumerable(await ReadTextAsync(body, MostValues, cancellationToken)))
            form.Add(pair.DecodeName().ToString(), pair.DecodeValue().ToString());
    }

    private async ValueTask ReadPartsAsync(MultipartReader reader, QbitForm form, bool takesFiles, CancellationToken cancellationToken)
    {
        var room = MostValues;
        while (await reader.ReadNextSectionAsync(cancellationToken) is { } section)
        {
            var part = FormPart.Read(section) ?? throw new InvalidDataException("A part of the form has no name.");
            if (part.FileName is not { } fileName)
            {
                var value = await ReadTextAsync(section.Body, room, cancellationToken);
                room -= value.Length;
                form.Add(part.Name, value);
            }
            else if (takesFiles)
            {
                form.Add(fileName, await intake.ReceiveAsync(section.Body, cancellationToken));
            }
        }
    }

    private static async ValueTask<string> ReadTextAsync(Stream source, int most, CancellationToken cancellationToken)
    {
        var bytes = new byte[512];
        var filled = 0;
        while (true)
        {
            if (filled == bytes.Length)
                Array.Resize(ref bytes, bytes.Length * 2);
            var read = await source.ReadAsync(bytes.AsMemory(filled), cancellationToken);
            if (read == 0)
                return Encoding.UTF8.GetString(bytes, 0, filled);
            filled += read;
            if (filled > most)
                throw new FormTooLargeException(most);
        }
    }
}
