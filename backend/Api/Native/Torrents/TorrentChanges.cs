using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Replies;
using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Changes that operators make to torrents.</summary>
internal static class TorrentChanges
{
    private const int MostHashes = 1_000;

    /// <summary>Enough for a thousand hashes, or the numbers of several thousand files.</summary>
    private const int MostJson = 128 << 10;

    /// <summary>Torrents are switched off, so there is no engine.</summary>
    public static ErrorBody Off { get; } = new("Torrents are switched off (NzbDav__Torrents__Enabled).");

    public static async Task<Results<Ok<ActionAnswerBody>, UnprocessableEntity<ErrorBody>, Conflict<ErrorBody>, EmptyHttpResult>> ActAsync(
        HttpContext http, TorrentList list, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, TorrentJson.Default.TorrentsActionBody, MostJson) is not { } body)
            return TypedResults.Empty;
        if (body is not { Action: { } action, Hashes: { Count: > 0 and <= MostHashes } hashes })
            return TypedResults.UnprocessableEntity(
                new ErrorBody(
                $"action must be one of {string.Join(", ", Enum.GetNames<TorrentActionName>()).ToLowerInvariant()}; hashes must have 1 " +
                $"to {MostHashes} info-hashes."));
        if (list.Shelf is not { } shelf)
            return TypedResults.Conflict(Off);
        var listed = (await shelf.ListAsync(cancellationToken)).Select(static torrent => torrent.Hash).ToHashSet(StringComparer.Ordinal);
        var known = hashes.Distinct(StringComparer.Ordinal).ToLookup(listed.Contains);
        await RunAsync(shelf, action, [.. known[true]], cancellationToken);
        return TypedResults.Ok(new ActionAnswerBody(
            known[true].Count(), [.. known[false].Select(static hash => new RefusedBody(hash, "There is no such torrent."))]));
    }

    public static async Task<Results<
        Ok<TorrentPriorityBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, Conflict<ErrorBody>, EmptyHttpResult>>
        PrioritizeAsync(
        HttpContext http, string hash, TorrentList list, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, TorrentJson.Default.TorrentPriorityBody, MostJson) is not { } body)
            return TypedResults.Empty;
        if (body is not { Priority: { } priority, Files: { Count: > 0 } files })
            return TypedResults.UnprocessableEntity(
                new ErrorBody("files must have at least one file number, and priority must be skip, normal, high or highest."));
        if (list.Shelf is not { } shelf)
            return TypedResults.Conflict(Off);
        if (await shelf.FindAsync(hash, cancellationToken) is null)
            return TypedResults.NotFound(TorrentEndpoints.Unknown(hash));
        return await shelf.SetFilePriorityAsync(hash, files, priority, cancellationToken)
            ? TypedResults.Ok(body)
            : TypedResults.UnprocessableEntity(new ErrorBody("The torrent has no such file, or its contents are not known yet."));
    }

    public static async Task<Results<
        Ok<TorrentPolicyBody>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, Conflict<ErrorBody>, EmptyHttpResult>> SetPolicyAsync(
        HttpContext http, string hash, TorrentList list, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, TorrentJson.Default.TorrentPolicyBody) is not { } body)
            return TypedResults.Empty;
        if (body.FindFault() is { } fault)
            return TypedResults.UnprocessableEntity(new ErrorBody(fault));
        if (list.Shelf is not { } shelf)
            return TypedResults.Conflict(Off);
        if (await shelf.FindAsync(hash, cancellationToken) is null)
            return TypedResults.NotFound(TorrentEndpoints.Unknown(hash));
        await shelf.UpdateAsync([hash], entry => entry with { Policy = body.ToPolicy() }, cancellationToken);
        return TypedResults.Ok(body);
    }

    private static Task RunAsync(
        TorrentShelf shelf, TorrentActionName action, IReadOnlyList<string> hashes, CancellationToken cancellationToken)
    {
        switch (action)
        {
            case TorrentActionName.Start:
                return shelf.StartAsync(hashes, cancellationToken);
            case TorrentActionName.Stop:
                return shelf.StopAsync(hashes, cancellationToken);
            case TorrentActionName.Force:
                return shelf.ForceAsync(hashes, force: true, cancellationToken);
            case TorrentActionName.Unforce:
                return shelf.ForceAsync(hashes, force: false, cancellationToken);
            case TorrentActionName.Recheck:
                return shelf.RecheckAsync(hashes, cancellationToken);
            case TorrentActionName.Announce:
                shelf.Reannounce(hashes);
                return Task.CompletedTask;
            default:
                var move = action switch
                {
                    TorrentActionName.Top => QueueMove.Top,
                    TorrentActionName.Up => QueueMove.Up,
                    TorrentActionName.Down => QueueMove.Down,
                    _ => QueueMove.Bottom
                };
                return shelf.MoveAsync(hashes, move, cancellationToken);
        }
    }
}

/// <summary>An action on torrents.</summary>
/// <param name="Hashes">1 to 1000 info-hashes.</param>
/// <param name="Action">The action.</param>
internal sealed record TorrentsActionBody(IReadOnlyList<string>? Hashes, TorrentActionName? Action);

/// <summary>An action on torrents.</summary>
internal enum TorrentActionName
{
    /// <summary>Start them; the error of a failed torrent is cleared.</summary>
    Start,

    /// <summary>Stop them: they leave their swarms. Their files can still be read.</summary>
    Stop,

    /// <summary>Let them run regardless of the limits on active torrents and the share limits.</summary>
    Force,

    /// <summary>Apply these limits to them again.</summary>
    Unforce,

    /// <summary>Hash what is on disk, one torrent after the other.</summary>
    Recheck,

    /// <summary>Ask trackers and other sources for peers now.</summary>
    Announce,

    /// <summary>Move to the front of the queue.</summary>
    Top,

    /// <summary>Move one place forward.</summary>
    Up,

    /// <summary>Move one place back.</summary>
    Down,

    /// <summary>Move to the end of the queue.</summary>
    Bottom,
}

/// <summary>A new download priority for files of a torrent that is kept.</summary>
/// <param name="Files">Their numbers in the torrent, counting padding files.</param>
/// <param name="Priority">The new priority. A file that is being read is downloaded in any case.</param>
internal sealed record TorrentPriorityBody(IReadOnlyList<int>? Files, FilePriority? Priority);
