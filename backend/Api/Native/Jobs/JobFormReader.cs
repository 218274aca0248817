using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Net.Http.Headers;
using NzbDav.Access.Replies;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Forms;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Reads the files and fields of a form as they arrive, within limits. Files go straight to disk.</summary>
internal sealed class JobFormReader(NzbIntake intake, Live<SabOptions> options)
{
    /// <summary>Most files and fields of one form.</summary>
    public const int MostParts = 1_024;

    private const int MostField = 4 << 10;
    private const int LongestBoundary = 128;

    /// <summary>Reads the form. Null if it is not a form or too large: then 400, 413 or 415 has been sent.</summary>
    public async ValueTask<JobForm?> ReadAsync(HttpContext http)
    {
        if (!MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var type) || !type.MediaType.Equals("multipart/form-data", StringComparison.OrdinalIgnoreCase)
            || HeaderUtilities.RemoveQuotes(type.Boundary).ToString() is not { Length: > 0 and <= LongestBoundary } boundary)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status415UnsupportedMediaType, "Send a form: multipart/form-data.");
            return null;
        }

        // The limit is enforced here: the server's own would close the connection while the client still sends, and the client would never learn why.
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
        var most = options.Value.MaxUploadBytes;
        var form = new JobForm();
        try
        {
            if (http.Request.ContentLength > most)
                throw new FormTooLargeException(most);
            await ReadAsync(new MultipartReader(boundary, new BoundedBody(http.Request.Body, most)), form, http.RequestAborted);
            return form;
        }
        catch (FormTooLargeException e)
        {
            await form.DisposeAsync();
            await JsonReply.RefuseAsync(http, StatusCodes.Status413PayloadTooLarge, e.Message);
        }
        catch (Exception e) when (e is InvalidDataException or IOException and not CatalogException && !http.RequestAborted.IsCancellationRequested)
        {
            await form.DisposeAsync();
            await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, $"The form cannot be read: {e.Message}");
        }
        catch
        {
            await form.DisposeAsync();
            throw;
        }

        return null;
    }

    private async Task ReadAsync(MultipartReader reader, JobForm form, CancellationToken cancellationToken)
    {
        var parts = 0;
        while (await reader.ReadNextSectionAsync(cancellationToken) is { } section)
        {
            if (++parts > MostParts)
                throw new InvalidDataException($"it has more than {MostParts} parts.");
            var part = FormPart.Read(section) ?? throw new InvalidDataException("a part has no name.");
            if (part.FileName is { } fileName)
                form.Files.Add((Path.GetFileName(fileName.Replace('\\', '/')), await intake.ReceiveAsync(section.Body, cancellationToken)));
            else
                form.Values.TryAdd(part.Name, await ReadFieldAsync(section.Body, cancellationToken));
        }
    }

    private static async ValueTask<string> ReadFieldAsync(Stream source, CancellationToken cancellationToken)
    {
        var bytes = new byte[MostField + 1];
        var read = await source.ReadAtLeastAsync(bytes, bytes.Length, throwOnEndOfStream: false, cancellationToken);
        return read <= MostField ? Encoding.UTF8.GetString(bytes, 0, read) : throw new InvalidDataException($"a field is longer than {MostField} bytes.");
    }
}
