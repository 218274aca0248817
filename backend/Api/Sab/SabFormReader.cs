using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Net.Http.Headers;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Forms;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab;

/// <summary>
/// Reads the form of a call in order and within limits. A caller without a key can send at most <see cref="MostUnknown"/>, and nothing is written to disk before a key
/// with the right to add jobs was seen.
/// </summary>
internal sealed class SabFormReader(SabGate gate, NzbIntake intake, Live<SabOptions> options)
{
    /// <summary>Most bytes of a body from a caller without a valid key, and how far into a form the key may come.</summary>
    public const int MostUnknown = 64 << 10;

    /// <summary>Most bytes of all values together. A thousand ids of jobs have 26 KB.</summary>
    public const int MostValues = 1 << 20;

    /// <summary>RFC 2046 allows 70 characters.</summary>
    private const int LongestBoundary = 128;

    /// <summary>Reads the form into the call, and takes the key from it unless the call already has one.</summary>
    /// <returns>Null on success, or why the form was not read to its end.</returns>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="IOException">It ends too early, or a file cannot be stored.</exception>
    public async ValueTask<ErrorAnswer?> ReadAsync(HttpContext http, SabCall call)
    {
        // The limit is enforced here: the server's own would close the connection while the client still sends, and the client would never learn why.
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
        var type = MediaTypeHeaderValue.TryParse(http.Request.ContentType, out var parsed) ? parsed : throw new InvalidDataException("The media type of the form cannot be read.");
        var form = call.Form = new SabForm();
        var body = new BoundedBody(http.Request.Body, MostOf(call));
        try
        {
            if (call.Rights != ApiRights.None && http.Request.ContentLength > body.Limit)
                throw new FormTooLargeException(body.Limit);
            return type.MediaType.Equals("multipart/form-data", StringComparison.OrdinalIgnoreCase)
                ? await ReadPartsAsync(new MultipartReader(BoundaryOf(type), body, MostUnknown / 4), body, form, call, http)
                : await ReadUrlEncodedAsync(body, form, call, http);
        }
        catch (FormTooLargeException e)
        {
            return gate.RefusalOf(call) ?? new ErrorAnswer(e.Message);
        }
    }

    private static string BoundaryOf(MediaTypeHeaderValue type)
    {
        var boundary = HeaderUtilities.RemoveQuotes(type.Boundary).ToString();
        return boundary.Length is > 0 and <= LongestBoundary ? boundary : throw new InvalidDataException("The boundary of the form is missing or too long.");
    }

    private async ValueTask<ErrorAnswer?> ReadUrlEncodedAsync(BoundedBody body, SabForm form, SabCall call, HttpContext http)
    {
        body.Limit = Math.Min(body.Limit, MostValues);
        var bytes = await ReadValueAsync(body, MostValues, http.RequestAborted);
        foreach (var pair in new QueryStringEnumerable(Encoding.UTF8.GetString(bytes.Span)))
        {
            form.CountPart();
            form.Add(pair.DecodeName().ToString(), pair.DecodeValue().ToString());
        }

        return await gate.JudgeFormAsync(http, call);
    }

    private async ValueTask<ErrorAnswer?> ReadPartsAsync(MultipartReader reader, BoundedBody body, SabForm form, SabCall call, HttpContext http)
    {
        var room = MostValues;
        (int Rank, string FileName, ReadOnlyMemory<byte> Bytes)? early = null;
        while (await reader.ReadNextSectionAsync(http.RequestAborted) is { } section)
        {
            form.CountPart();
            var part = FormPart.Read(section) ?? throw new InvalidDataException("A part of the form has no name.");
            var name = part.Name;
            if (part.FileName is not { } fileName)
            {
                var value = await ReadValueAsync(section.Body, room, http.RequestAborted);
                room -= value.Length;
                form.Add(name, Encoding.UTF8.GetString(value.Span));
                if (name.Equals(SabGate.KeyName, StringComparison.OrdinalIgnoreCase) && await gate.JudgeFormAsync(http, call) is { } refusal)
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
                early = (rank, fileName, await ReadValueAsync(section.Body, MostUnknown, http.RequestAborted));
                continue;
            }

            if (gate.ModeOf(call) is not null && gate.RefusalOf(call) is { } refused)
                return refused;
            if (call.Rights.HasFlag(ApiRights.Add))
                await form.KeepAsync(rank, fileName, await intake.ReceiveAsync(section.Body, http.RequestAborted));
        }

        if (await gate.JudgeFormAsync(http, call) is { } throttled)
            return throttled;
        if (early is { } held && held.Rank > form.FileRank && call.Rights.HasFlag(ApiRights.Add))
        {
            using var bytes = new MemoryStream(held.Bytes.ToArray(), writable: false);
            await form.KeepAsync(held.Rank, held.FileName, await intake.ReceiveAsync(bytes, http.RequestAborted));
        }

        return null;
    }

    private long MostOf(SabCall call) => call.Rights switch
    {
        ApiRights.None => MostUnknown,
        var rights when rights.HasFlag(ApiRights.Add) => options.Value.MaxUploadBytes,
        _ => MostValues,
    };

    /// <exception cref="FormTooLargeException">The value is longer.</exception>
    private static async ValueTask<ReadOnlyMemory<byte>> ReadValueAsync(Stream source, int most, CancellationToken cancellationToken)
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
                throw new FormTooLargeException(most);
        }
    }
}
