using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.Net.Http.Headers;
using NzbDav.Access.Replies;
using NzbDav.Content;
using NzbDav.Library;
using NzbDav.Library.Media;
using NzbDav.Library.Opening;
using NzbDav.Library.Subtitles;
using NzbDav.Library.Zip;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Files;

/// <summary>Responses made from the bytes of files: folders as .zip, subtitles for browsers, media information from containers.</summary>
internal sealed class FileBytes(FileFinder finder, FolderZips zips, FileMedia media, LibraryStore store, FileSender sender)
{
    /// <summary>In seconds. No subtitles are off by more.</summary>
    private const double MostShift = 86_400;

    private const string NoFile = "There is no such file.";

    public async Task ZipAsync(HttpContext http, string id, CancellationToken cancellationToken)
    {
        if (await finder.FindAsync(id, cancellationToken) is not { Item.IsCollection: true } found)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status404NotFound, "There is no such collection.");
            return;
        }

        if (await zips.MakeAsync(found.Item, cancellationToken) is not { } zip)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status422UnprocessableEntity,
                "There are too many files for one archive: download the collections in it one by one.");
            return;
        }

        http.Response.Headers.CacheControl = "private, no-cache, no-transform";
        http.Response.Headers.ContentDisposition = Attachment.Of(zip.Name);
        await sender.SendAsync(http, zip, StorePath.TryParse(FileInspection.PathOf(found.Names))!, StreamOrigin.Native,
            static (http, status, reason) => JsonReply.RefuseAsync(http, status, reason).AsTask());
    }

    public async Task<Results<Ok<MediaBody>, NotFound<ErrorBody>>> MediaAsync(string id, CancellationToken cancellationToken)
    {
        if (await finder.FindAsync(id, cancellationToken) is not { Item.IsCollection: false } found)
            return TypedResults.NotFound(new ErrorBody(NoFile));
        var info = await media.ReadAsync(found.Item, cancellationToken);
        return TypedResults.Ok(MediaBody.Of(info));
    }

    public async Task<Results<
        ContentHttpResult, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, JsonHttpResult<ErrorBody>>> SubtitleAsync(
        HttpContext http, string id, double? shiftSeconds, CancellationToken cancellationToken)
    {
        if (shiftSeconds is { } given && !(Math.Abs(given) <= MostShift))
            return TypedResults.UnprocessableEntity(new ErrorBody($"shiftSeconds must be a number from -{MostShift} to {MostShift}."));
        if (await finder.FindAsync(id, cancellationToken) is not { Item.IsCollection: false } found
            || await store.FindFileAsync(found.Item.Id, cancellationToken) is not { } file)
            return TypedResults.NotFound(new ErrorBody(NoFile));
        if (!SubtitleNames.IsText(file.Name))
            return TypedResults.UnprocessableEntity(new ErrorBody("Only .srt and .vtt files can be shown as subtitles."));
        if (file.Length > WebVtt.Largest)
            return TypedResults.UnprocessableEntity(
                new ErrorBody($"The file is larger than {WebVtt.Largest >> 20} MB: subtitles are not."));
        byte[] bytes;
        try
        {
            bytes = await ReadAsync(file, cancellationToken);
        }
        catch (ContentException e)
        {
            return e.Fault == ContentFault.Unavailable
                ? TypedResults.Json(new ErrorBody(e.Message), statusCode: StatusCodes.Status503ServiceUnavailable)
                : TypedResults.NotFound(new ErrorBody(e.Message));
        }

        if (WebVtt.Convert(bytes, TimeSpan.FromSeconds(shiftSeconds ?? 0)) is not { } vtt)
            return TypedResults.UnprocessableEntity(new ErrorBody("There are no subtitles in the file."));
        http.Response.Headers.CacheControl = "private, no-cache, no-transform";
        return TypedResults.Text(vtt, "text/vtt", System.Text.Encoding.UTF8);
    }

    private static async Task<byte[]> ReadAsync(IStoreFile file, CancellationToken cancellationToken)
    {
        var opened = await file.OpenAsync(cancellationToken);
        if (opened.Content is not { } content)
            throw new ContentException(opened.Fault, opened.Reason ?? "The file cannot be read.");
        var bytes = new byte[content.Length];
        await using var stream = new CombinedStream(content, ReadIntent.Download);
        await stream.ReadExactlyAsync(bytes, cancellationToken);
        return bytes;
    }
}

/// <summary>Media information from a file's container.</summary>
/// <param name="Container">Its name: <c>Matroska</c>, <c>WebM</c>, <c>MP4</c>, <c>AVI</c>, <c>MPEG-TS</c>…; null: no known
/// container.</param>
/// <param name="Mime">Media type with codecs, fit for <c>canPlayType</c>; null without a container.</param>
/// <param name="DurationSeconds">Length in seconds; null: the container does not say.</param>
/// <param name="Tracks">In the container's order.</param>
/// <param name="Reason">Why some information is missing; null: nothing is missing.</param>
internal sealed record MediaBody(
    string? Container, string? Mime, double? DurationSeconds, IReadOnlyList<MediaTrackBody> Tracks, string? Reason)
{
    public static MediaBody Of(MediaInfo info) => new(
        info.Container, info.Mime, info.Duration?.TotalSeconds, [.. info.Tracks.Select(MediaTrackBody.Of)], info.Reason);
}

/// <summary>A track of a film.</summary>
/// <param name="Kind">Video, audio or subtitle.</param>
/// <param name="Codec">In the notation of RFC 6381, fit for <c>canPlayType</c> (<c>avc1.640028</c>); null: not known.</param>
/// <param name="Name">Name of the codec, for people.</param>
/// <param name="Language">As written in the container: ISO 639-2 or BCP 47; null: none.</param>
/// <param name="Width">In pixels; null unless it is video.</param>
/// <param name="Height">In pixels; null unless it is video.</param>
/// <param name="Channels">Audio channels; null unless it is audio.</param>
/// <param name="Default">Players choose it by default.</param>
internal sealed record MediaTrackBody(
    MediaTrackKind Kind, string? Codec, string Name, string? Language, int? Width, int? Height, int? Channels, bool Default)
{
    public static MediaTrackBody Of(MediaTrack track) => new(
        track.Kind switch
        {
            TrackKind.Video => MediaTrackKind.Video,
            TrackKind.Audio => MediaTrackKind.Audio,
            _ => MediaTrackKind.Subtitle
        },
        track.Codec, track.Name, track.Language, track.Width, track.Height, track.Channels, track.IsDefault);
}

/// <summary>Kind of a track.</summary>
internal enum MediaTrackKind
{
    /// <summary>Video.</summary>
    Video,

    /// <summary>Audio.</summary>
    Audio,

    /// <summary>Subtitles, as text or as pictures of text.</summary>
    Subtitle,
}

/// <summary>Makes browsers save a response.</summary>
internal static class Attachment
{
    /// <summary>The header <c>Content-Disposition</c> with a name in any script (RFC 6266).</summary>
    public static string Of(string name)
    {
        var header = new ContentDispositionHeaderValue("attachment");
        header.SetHttpFileName(name);
        return header.ToString();
    }
}
