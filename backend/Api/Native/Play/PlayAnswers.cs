using Microsoft.AspNetCore.Http;
using NzbDav.Api.Native.Files;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Progress;
using NzbDav.Library;
using NzbDav.Library.Media;
using NzbDav.Library.Opening;

namespace NzbDav.Api.Native.Play;

/// <summary>From a job in the tree to the file that plays: chooses it, reads its first bytes, and makes a link. Thread-safe.</summary>
internal sealed class PlayAnswers(
    JobFiles jobFiles, TreeBrowser browser, ContentOpener opener, FileMedia media, PlayLinks links, TimeProvider time)
{
    /// <summary>How long the first bytes may take. Peers of a torrent have to be found first.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Most other files that are listed.</summary>
    private const int MostOthers = 500;

    /// <summary>Answers one of those who wait for an outcome.</summary>
    public async Task<(PlayAnswerBody? Answer, PlayFailure? Failure)> OfAsync(HttpContext http, PlayOutcome outcome, PlayOrderBody wish)
    {
        if (outcome is not { Failure: null, Job: { ItemId: { } folder } job })
            return (null, outcome.Failure ?? new PlayFailure(PlayFailure.Deleted, "Its files were deleted.", MayPass: true));
        var aborted = http.RequestAborted;
        var files = await jobFiles.ListAsync(folder, aborted);
        if (Choose(files, wish) is not { } item)
            return (null, new PlayFailure(PlayFailure.NoSuchFile, WhyNone(wish), MayPass: false));
        using var late = new CancellationTokenSource(Patience, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(late.Token, aborted);
        MediaInfo info;
        try
        {
            await ReadFirstAsync(item, both.Token);
            info = await media.ReadAsync(item, both.Token);
        }
        catch (ContentException e)
        {
            return (null, e.Fault switch
            {
                ContentFault.Missing => new PlayFailure(ImportFailure.Missing, e.Message, MayPass: false),
                ContentFault.Corrupt => new PlayFailure(ImportFailure.Corrupt, e.Message, MayPass: false),
                _ => new PlayFailure(ImportFailure.Unavailable, e.Message, MayPass: true),
            });
        }
        catch (OperationCanceledException) when (late.IsCancellationRequested && !aborted.IsCancellationRequested)
        {
            return (null, new PlayFailure(
                PlayFailure.NoBytes, $"No source has sent the first bytes within {Patience.TotalSeconds} seconds.", MayPass: true));
        }

        var paths = await browser.PathsAsync([item.Id], aborted);
        var above = paths.TryGetValue(item.Id, out var steps) ? new FoundItem(item, steps).Path : "/" + item.Name;
        var link = await links.LinkAsync(http, new FoundItem(item, steps ?? []), wish.Hours, info.Duration?.TotalSeconds, aborted);
        return (new PlayAnswerBody(
            link.Path, $"{http.Request.Scheme}://{http.Request.Host}{link.Path}", link.Expires, FileFinder.IdOf(job.Id),
            FileFinder.BodyOf(item, above), MediaBody.Of(info), await OthersAsync(files, item, aborted),
            TriedCopyBody.Of(outcome.Tried)), null);
    }

    /// <summary>The file that is wanted; null: there is none.</summary>
    internal static CatalogItem? Choose(IReadOnlyList<(CatalogItem Item, string Path)> files, PlayOrderBody wish)
    {
        if (wish.Name is { } name)
        {
            return files.FirstOrDefault(file => file.Item.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Item
                ?? files.FirstOrDefault(file => ("/" + file.Path).EndsWith("/" + name.Trim('/'), StringComparison.OrdinalIgnoreCase)).Item;
        }

        var playable = files.Where(static file => FileFinder.IsPlayable(file.Item));
        if ((wish.Season is not null || wish.Episode is not null) && !IsOnlyVideo(files))
        {
            playable = playable.Where(file => EpisodeNumbers.Find(file.Item.Name) is { } numbers ? numbers.Has(wish.Season, wish.Episode)
                : wish is { Season: null, Episode: { } episode } && EpisodeNumbers.FindAbsolute(file.Item.Name, out _) == episode);
        }

        return playable
            .OrderByDescending(static file => FileFinder.TypeOf(file.Item)!.StartsWith("video/", StringComparison.Ordinal))
            .ThenByDescending(static file => file.Item.Size).FirstOrDefault().Item;
    }

    /// <summary>True for a post of one film whose name tells no episode, as those of obfuscated posts do not: it is the one.</summary>
    private static bool IsOnlyVideo(IReadOnlyList<(CatalogItem Item, string Path)> files) =>
        files.Where(static file => FileFinder.TypeOf(file.Item)?.StartsWith("video/", StringComparison.Ordinal) == true).Take(2).ToArray()
            is [var only] && EpisodeNumbers.Find(only.Item.Name) is null;

    private static string WhyNone(PlayOrderBody wish) => wish switch
    {
        { Name: { } name } => $"It holds no file '{name}'.",
        { Season: null, Episode: null } => "It holds nothing that can be played.",
        { Season: { } season, Episode: null } => $"It holds no video of season {season}.",
        { Season: null, Episode: { } episode } => $"It holds no video of episode {episode}.",
        _ => $"It holds no video of season {wish.Season}, episode {wish.Episode}.",
    };

    private async Task ReadFirstAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        var content = await opener.OpenAsync(item, cancellationToken);
        if (content.Length == 0)
            return;
        await using var reader = content.OpenReader(0, Math.Min(content.Length, 1), ReadIntent.Probe);
        using var lease = await reader.NextAsync(cancellationToken);
    }

    private async Task<IReadOnlyList<FileItemBody>> OthersAsync(
        List<(CatalogItem Item, string Path)> files, CatalogItem chosen, CancellationToken cancellationToken)
    {
        var others = files.Where(file => file.Item.Id != chosen.Id && FileFinder.IsPlayable(file.Item))
            .OrderBy(static file => file.Path, NaturalOrder.Instance).Take(MostOthers).Select(static file => file.Item).ToList();
        var paths = await browser.PathsAsync([.. others.Select(static item => item.Id)], cancellationToken);
        return [.. others.Where(item => paths.ContainsKey(item.Id)).Select(item => FileFinder.BodyOf(new FoundItem(item, paths[item.Id])))];
    }
}
