using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>Reads forms, url-encoded or multipart. Files go to the spool of imports, and only for callers who may add jobs.</summary>
internal sealed class QbitFormReader(NzbIntake intake, Live<SabOptions> options)
{
    /// <summary>Reads the form of a request; null if it has none.</summary>
    /// <param name="http">The request.</param>
    /// <param name="rights">What the caller may do.</param>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="FormTooLargeException">It is larger than this caller may send.</exception>
    /// <exception cref="IOException">It ends too early, or a file cannot be stored.</exception>
    public async ValueTask<CallForm?> ReadAsync(HttpContext http, ApiRights rights)
    {
        if (!http.Request.HasFormContentType)
            return null;
        var takesFiles = rights.HasFlag(ApiRights.Add);
        var body = new FormBody(
            http, rights == ApiRights.None ? FormBody.MostUnknown : takesFiles ? options.Value.MaxUploadBytes : FormBody.MostValues);
        var form = new CallForm();
        var isRead = false;
        try
        {
            if (body.HasParts)
                await ReadPartsAsync(body, form, takesFiles, http.RequestAborted);
            else
                foreach (var (name, value) in await body.ReadPairsAsync(http.RequestAborted))
                    form.Add(name, value);
            isRead = true;
            return form;
        }
        finally
        {
            if (!isRead)
                await form.DisposeAsync();
        }
    }

    private async ValueTask ReadPartsAsync(FormBody body, CallForm form, bool takesFiles, CancellationToken cancellationToken)
    {
        var room = FormBody.MostValues;
        while (await body.NextAsync(cancellationToken) is { } part)
        {
            if (part.FileName is not { } fileName)
            {
                var value = await FormBody.ReadAsync(part.Body, room, cancellationToken) ?? throw new FormTooLargeException(room);
                room -= value.Length;
                form.Add(part.Name, Encoding.UTF8.GetString(value.Span));
            }
            else if (takesFiles)
            {
                form.Add(new SentFile(fileName, await intake.ReceiveAsync(part.Body, cancellationToken)));
            }
        }
    }
}
