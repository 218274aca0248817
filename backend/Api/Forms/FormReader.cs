using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Forms;

/// <summary>
/// Reads the forms of all interfaces, url-encoded or multipart, in order and within limits. A caller without a key can send at most
/// <see cref="FormBody.MostUnknown"/>, and nothing is written to disk before a key with the right to add jobs was seen. Thread-safe.
/// </summary>
/// <param name="intake">Stores files.</param>
/// <param name="mostUpload">Gives the most bytes that a caller who may add jobs may send.</param>
internal sealed class FormReader(NzbIntake intake, Func<long> mostUpload)
{
    /// <summary>Reads a request's form to its end, or until it refuses the caller.</summary>
    /// <param name="http">The request; its body is a form.</param>
    /// <param name="form">Receives values and files as they arrive, and says what its caller may send.</param>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="FormTooLargeException">It is larger than this caller may send.</exception>
    /// <exception cref="IOException">It ends too early, or a file cannot be stored.</exception>
    public async ValueTask ReadAsync(HttpContext http, CallForm form)
    {
        var body = new FormBody(http, MostOf(form.Rights));
        if (form.Rights != ApiRights.None && http.Request.ContentLength > body.Limit)
            throw new FormTooLargeException(body.Limit);
        if (body.HasParts)
        {
            await ReadPartsAsync(body, form, http.RequestAborted);
            return;
        }

        foreach (var (name, value) in await body.ReadPairsAsync(http.RequestAborted))
            form.Add(name, value);
        await form.AdmitsAsync(null);
    }

    private async ValueTask ReadPartsAsync(FormBody body, CallForm form, CancellationToken cancellationToken)
    {
        var room = FormBody.MostValues;
        (string FileName, ReadOnlyMemory<byte> Bytes)? early = null;
        while (await body.NextAsync(cancellationToken) is { } part)
        {
            if (part.FileName is not { } fileName)
            {
                var value = await FormBody.ReadAsync(part.Body, Math.Min(room, form.MostField), cancellationToken)
                    ?? throw (room > form.MostField
                        ? new InvalidDataException($"A field is longer than {form.MostField} bytes.") : new FormTooLargeException(room));
                room -= value.Length;
                form.Add(part.Name, Encoding.UTF8.GetString(value.Span));
                if (!await form.AdmitsAsync(part.Name))
                    return;
                body.Limit = MostOf(form.Rights);
            }
            else if (form.Wants(part.Name))
            {
                if (form.AwaitsKey)
                {
                    // The key may follow later: until then the file is kept in memory, up to the limit for unknown callers.
                    var bytes = await FormBody.ReadAsync(part.Body, FormBody.MostUnknown, cancellationToken)
                        ?? throw new FormTooLargeException(FormBody.MostUnknown);
                    early = (fileName, bytes);
                    continue;
                }

                if (!form.AdmitsFile())
                    return;
                early = null;
                await AddAsync(form, fileName, part.Body, cancellationToken);
            }
        }

        if (await form.AdmitsAsync(null) && early is { } held)
        {
            using var stream = new MemoryStream(held.Bytes.ToArray(), writable: false);
            await AddAsync(form, held.FileName, stream, cancellationToken);
        }
    }

    private async ValueTask AddAsync(CallForm form, string fileName, Stream body, CancellationToken cancellationToken)
    {
        if (form.Rights.HasFlag(ApiRights.Add))
            form.Add(new SentFile(fileName, await intake.ReceiveAsync(body, cancellationToken)));
    }

    private long MostOf(ApiRights rights) =>
        rights == ApiRights.None ? FormBody.MostUnknown
            : rights.HasFlag(ApiRights.Add) ? mostUpload() : FormBody.MostValues;
}
