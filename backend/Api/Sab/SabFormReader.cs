using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab;

/// <summary>
/// Reads the form of a call in order and within limits. A caller without a key can send at most <see cref="FormBody.MostUnknown"/>, and
/// nothing is written to disk before a key with the right to add jobs was seen.
/// </summary>
internal sealed class SabFormReader(SabGate gate, NzbIntake intake, Live<SabOptions> options)
{
    /// <summary>Reads the form into the call, and takes the key from it unless the call already has one.</summary>
    /// <returns>Null on success, or why the form was not read to its end.</returns>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="IOException">It ends too early, or a file cannot be stored.</exception>
    public async ValueTask<ErrorAnswer?> ReadAsync(HttpContext http, SabCall call)
    {
        var body = new FormBody(http, MostOf(call));
        var form = call.Form = new SabForm();
        try
        {
            if (call.Rights != ApiRights.None && http.Request.ContentLength > body.Limit)
                throw new FormTooLargeException(body.Limit);
            return body.HasParts ? await ReadPartsAsync(body, form, call, http) : await ReadUrlEncodedAsync(body, form, call, http);
        }
        catch (FormTooLargeException e)
        {
            return gate.RefusalOf(call) ?? new ErrorAnswer(e.Message);
        }
    }

    private async ValueTask<ErrorAnswer?> ReadUrlEncodedAsync(FormBody body, SabForm form, SabCall call, HttpContext http)
    {
        foreach (var (name, value) in await body.ReadPairsAsync(http.RequestAborted))
            form.Add(name, value);
        return await gate.AuthenticateFormAsync(http, call);
    }

    private async ValueTask<ErrorAnswer?> ReadPartsAsync(FormBody body, SabForm form, SabCall call, HttpContext http)
    {
        var room = FormBody.MostValues;
        (int Rank, string FileName, ReadOnlyMemory<byte> Bytes)? early = null;
        while (await body.NextAsync(http.RequestAborted) is { } part)
        {
            var name = part.Name;
            if (part.FileName is not { } fileName)
            {
                var value = await FormBody.ReadAsync(part.Body, room, http.RequestAborted) ?? throw new FormTooLargeException(room);
                room -= value.Length;
                form.Add(name, Encoding.UTF8.GetString(value.Span));
                if (name.Equals(SabGate.KeyName, StringComparison.OrdinalIgnoreCase)
                    && await gate.AuthenticateFormAsync(http, call) is { } refusal)
                    return refusal;
                body.Limit = MostOf(call);
                continue;
            }

            var rank = SabForm.RankOf(name);
            if (rank <= Math.Max(form.FileRank, early?.Rank ?? 0))
                continue;
            if (call.Key is null)
            {
                // The key may follow later: until then the file is kept in memory, up to the limit for unknown callers.
                var bytes = await FormBody.ReadAsync(part.Body, FormBody.MostUnknown, http.RequestAborted)
                    ?? throw new FormTooLargeException(FormBody.MostUnknown);
                early = (rank, fileName, bytes);
                continue;
            }

            if (gate.ModeOf(call) is not null && gate.RefusalOf(call) is { } refused)
                return refused;
            if (call.Rights.HasFlag(ApiRights.Add))
                await form.KeepAsync(rank, fileName, await intake.ReceiveAsync(part.Body, http.RequestAborted));
        }

        if (await gate.AuthenticateFormAsync(http, call) is { } throttled)
            return throttled;
        if (early is { } held && held.Rank > form.FileRank && call.Rights.HasFlag(ApiRights.Add))
        {
            using var stream = new MemoryStream(held.Bytes.ToArray(), writable: false);
            await form.KeepAsync(held.Rank, held.FileName, await intake.ReceiveAsync(stream, http.RequestAborted));
        }

        return null;
    }

    private long MostOf(SabCall call) => call.Rights switch
    {
        ApiRights.None => FormBody.MostUnknown,
        var rights when rights.HasFlag(ApiRights.Add) => options.Value.MaxUploadBytes,
        _ => FormBody.MostValues,
    };
}
