using System.Globalization;
using System.Security;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Links;
using NzbDav.Library.Opening;

namespace NzbDav.Api.Native.Files;

/// <summary>Creates links that open one file without a password for a limited time, and playlists of one file.</summary>
internal sealed class PlayLinks(FileFinder finder, FileMedia media, MadeLinks links, TimeProvider time)
{
    /// <summary>Enough for an evening with pauses.</summary>
    private const int UsualHours = 12;

    /// <summary>How long to wait for the film's length. After that the usual lifetime is used.</summary>
    private static readonly TimeSpan LengthTimeout = TimeSpan.FromSeconds(2);

    public async Task<Results<Ok<PlayLinkBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> MakeAsync(
        HttpContext http, string id, CancellationToken cancellationToken)
    {
        var hours = default(int?);
        if (http.Request.ContentType is not null || http.Request.ContentLength > 0)
        {
            if (await JsonBody.ReadAsync(http, FilesJson.Default.PlayLinkRequestBody) is not { } body)
                return TypedResults.Empty;
            hours = body.Hours;
        }

        if (LinkEndpoints.FaultOf(hours, links.MostHours(http)) is { } fault)
            return TypedResults.UnprocessableEntity(new ErrorBody(fault));
        return await finder.FindAsync(id, cancellationToken) is { Item.IsCollection: false } found
            ? TypedResults.Ok(await LinkAsync(http, found, hours, cancellationToken))
            : TypedResults.NotFound(new ErrorBody("There is no such file."));
    }

    public async Task<Results<ContentHttpResult, NotFound<ErrorBody>, BadRequest<ErrorBody>>> PlaylistAsync(
        HttpContext http, string id, string? format, CancellationToken cancellationToken)
    {
        if (format is not (null or "m3u8" or "m3u" or "xspf" or "strm"))
            return TypedResults.BadRequest(new ErrorBody($"format must be m3u8, m3u, xspf or strm, not {format}."));
        if (await finder.FindAsync(id, cancellationToken) is not { Item.IsCollection: false } found)
            return TypedResults.NotFound(new ErrorBody("There is no such file."));
        format ??= "m3u8";
        var seconds = await SecondsAsync(found, cancellationToken);
        var link = await LinkAsync(http, found, hours: null, seconds, cancellationToken);
        var address = $"{http.Request.Scheme}://{http.Request.Host}{link.Path}";
        var title = Path.GetFileNameWithoutExtension(found.Item.Name).ReplaceLineEndings(" ");
        http.Response.Headers.CacheControl = "no-store";
        http.Response.Headers["Referrer-Policy"] = "no-referrer";
        http.Response.Headers.ContentDisposition = Attachment.Of(Path.GetFileNameWithoutExtension(found.Item.Name) + "." + format);
        return format switch
        {
            "strm" => TypedResults.Text(address + "\n", "text/plain", Encoding.UTF8),
            "xspf" => TypedResults.Text(Xspf(address, title, seconds), "application/xspf+xml", Encoding.UTF8),
            _ => TypedResults.Text(
                string.Create(
                CultureInfo.InvariantCulture, $"#EXTM3U\n#EXTINF:{(seconds is { } length ? Math.Round(length) : -1)},{title}\n{address}\n"),
                "audio/x-mpegurl", Encoding.UTF8),
        };
    }

    private async ValueTask<PlayLinkBody> LinkAsync(HttpContext http, FoundItem found, int? hours, CancellationToken cancellationToken) =>
        await LinkAsync(http, found, hours, hours is null ? await SecondsAsync(found, cancellationToken) : null, cancellationToken);

    /// <summary>Makes a link.</summary>
    /// <param name="http">The request of its maker.</param>
    /// <param name="found">The file.</param>
    /// <param name="hours">How long it works; null: 12 hours, or twice the film's length if that is longer.</param>
    /// <param name="seconds">The film's length; null: not known.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<PlayLinkBody> LinkAsync(
        HttpContext http, FoundItem found, int? hours, double? seconds, CancellationToken cancellationToken)
    {
        var length = TimeSpan.FromHours(hours ?? Math.Clamp(seconds * 2 / 3_600 ?? 0, UsualHours, links.MostHours(http)));
        var link = await links.MakeAsync(http, found.Item, length, isPlay: hours is null, cancellationToken);
        return new PlayLinkBody(link.Path, link.Expires, found.Item.Name);
    }

    /// <summary>Length of the film; null if it is not known within <see cref="LengthTimeout"/>.</summary>
    private async ValueTask<double?> SecondsAsync(FoundItem found, CancellationToken cancellationToken)
    {
        if (!FileFinder.IsPlayable(found.Item))
            return null;
        using var deadline = new CancellationTokenSource(LengthTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, deadline.Token);
        try
        {
            return (await media.ReadAsync(found.Item, either.Token)).Duration?.TotalSeconds;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    private static string Xspf(string address, string title, double? seconds)
    {
        var duration = seconds is { } length
            ? string.Create(CultureInfo.InvariantCulture, $"<duration>{Math.Round(length * 1_000)}</duration>") : "";
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track>"
            + $"<location>{XmlText.Escape(address)}</location><title>{XmlText.Escape(title)}</title>{duration}</track></trackList></playlist>\n";
    }
}

/// <summary>A request for a play link.</summary>
/// <param name="Hours">How many hours it works: from 1 to what <c>Access:LinkDays</c> allows, a week without the right to manage; null:
/// 12, or twice the film's length if that is longer.</param>
internal sealed record PlayLinkRequestBody(int? Hours);

/// <summary>A link that opens one file without a password.</summary>
/// <param name="Path">What follows scheme and host, including the URL base.</param>
/// <param name="Expires">When it stops working.</param>
/// <param name="Name">The file's name.</param>
internal sealed record PlayLinkBody(string Path, DateTimeOffset Expires, string Name);

/// <summary>Text in XML.</summary>
internal static class XmlText
{
    /// <summary>Escapes markup and removes characters that XML 1.0 cannot represent.</summary>
    public static string Escape(string text) =>
        SecurityElement.Escape(string.Concat(text.Where(c => c is '\t' or >= ' ' and not ('\uFFFE' or '\uFFFF'))));
}
