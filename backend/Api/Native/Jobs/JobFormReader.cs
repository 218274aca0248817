using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Replies;
using NzbDav.Api.Forms;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Reads the files and fields of a form as they arrive, within limits. Files go straight to disk.</summary>
internal sealed class JobFormReader(NzbIntake intake, Live<SabOptions> options)
{
    private const int MostField = 4 << 10;

    /// <summary>Reads the form. Null if it is not a form or too large: then 400, 413 or 415 has been sent.</summary>
    public async ValueTask<CallForm?> ReadAsync(HttpContext http)
    {
        if (!FormBody.IsMultipart(http.Request))
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status415UnsupportedMediaType, "Send a form: multipart/form-data.");
            return null;
        }

        var most = options.Value.MaxUploadBytes;
        var body = new FormBody(http, most)
        { TooManyParts = $"it has more than {FormBody.MostParts} parts.", PartWithoutName = "a part has no name." };
        var form = new CallForm();
        try
        {
            if (http.Request.ContentLength > most)
                throw new FormTooLargeException(most);
            await ReadAsync(body, form, http.RequestAborted);
            return form;
        }
        catch (FormTooLargeException e)
        {
            await form.DisposeAsync();
            await JsonReply.RefuseAsync(http, StatusCodes.Status413PayloadTooLarge, e.Message);
        }
        catch (Exception e)
            when (e is InvalidDataException or IOException and not CatalogException && !http.RequestAborted.IsCancellationRequested)
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

    private async Task ReadAsync(FormBody body, CallForm form, CancellationToken cancellationToken)
    {
        while (await body.NextAsync(cancellationToken) is { } part)
        {
            if (part.FileName is { } fileName)
            {
                form.Add(
                    new SentFile(Path.GetFileName(fileName.Replace('\\', '/')), await intake.ReceiveAsync(part.Body, cancellationToken)));
                continue;
            }

            var field = await FormBody.ReadAsync(part.Body, MostField, cancellationToken)
                ?? throw new InvalidDataException($"a field is longer than {MostField} bytes.");
            form.Add(part.Name, Encoding.UTF8.GetString(field.Span));
        }
    }
}
