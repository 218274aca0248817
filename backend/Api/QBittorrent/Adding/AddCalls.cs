using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Keys;
using NzbDav.Api.Jobs;
using NzbDav.Api.QBittorrent.Labels;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Import.Intake;
using NzbDav.Import.Options;
using NzbDav.Seeding;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Api.QBittorrent.Adding;

/// <summary><c>torrents/add</c>: .torrent files, magnet links, info-hashes, and web addresses of these.</summary>
internal sealed partial class AddCalls(QbitList list, QbitLabels labels, TorrentIntake intake, UrlFetcher fetcher,
    JobActions actions, Live<ImportOptions> options, Live<SabOptions> paths, TimeProvider time, ILogger<AddCalls> logger) : IQbitCalls
{
    /// <summary>Time limit for fetching an address: clients wait about 100 seconds for an answer.</summary>
    private static readonly TimeSpan FetchTimeout = TimeSpan.FromSeconds(60);

    public IEnumerable<QbitRoute> Routes => [new("torrents/add", ApiRights.Add, AddAsync) { IsCommand = true }];

    /// <summary>As in qBittorrent: <c>Ok.</c> if at least one could be added, and 415 as soon as a file is not a torrent.</summary>
    private async ValueTask<QbitReply> AddAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var wish = await ReadOptionsAsync(call, cancellationToken);
        var done = false;
        foreach (var url in call.List("urls", '\n'))
            done |= await AddLinkAsync(url, wish, cancellationToken);
        foreach (var file in call.Form?.Files ?? [])
        {
            var (metainfo, error) = await TorrentIntake.ReadAsync(file.Content, cancellationToken);
            if (metainfo is null)
            {
                LogRefused(logger, error!);
                return QbitReply.Error(StatusCodes.Status415UnsupportedMediaType, $"Error: '{file.Name}' is not a valid torrent file.");
            }

            done |= await AddFileAsync(metainfo, file.Content, wish, cancellationToken);
        }

        return done ? QbitReply.Ok : QbitReply.Fails;
    }

    /// <summary>The options for what is added. A category that does not exist is created, as in qBittorrent; a name that cannot be a folder
    /// name counts as no category.</summary>
    private async ValueTask<AddOptions> ReadOptionsAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var category = call.Text("category") is { Length: > 0 } asked && QbitLabels.CanBeCategory(asked)
            ? await labels.FindCategoryAsync(asked, cancellationToken) ?? asked : null;
        if (category is not null)
            await labels.CreateCategoryAsync(category, "", cancellationToken);
        // The client says that its data is here already. It is not, and cannot be imported.
        var expectsData = call.Flag("skip_checking") ?? false;
        if (expectsData)
            LogExpected(logger);
        var torrent = new NewTorrent
        {
            Name = call.Text("rename")?.Trim() is { Length: > 0 } name ? name : null,
            Tags = TagCalls.TagsOf(call),
            SavePath = call.Text("savepath")?.Trim() is { Length: > 0 } path ? path : expectsData ? paths.Value.CompletedPath : null,
            Layout = call.Text("contentLayout") is { Length: > 0 } layout ? layout : null,
            Policy = ShareLimits.Of(call, new TorrentPolicy()),
            IsStopped = expectsData || (call.Flag("stopped") ?? call.Flag("paused") ?? false),
            IsForced = call.Flag("forced") ?? false,
            IsSequential = call.Flag("sequentialDownload") ?? false,
            IsEdgesFirst = call.Flag("firstLastPiecePrio") ?? false,
            UploadLimit = call.Number("upLimit") is > 0 and var up ? up : null,
            DownloadLimit = call.Number("dlLimit") is > 0 and var down ? down : null,
        };
        return new AddOptions(category, torrent, call.Flag("addToTopOfQueue") ?? false);
    }

    private async ValueTask<bool> AddLinkAsync(string link, AddOptions wish, CancellationToken cancellationToken)
    {
        if (InfoHash.TryParse(link, out var hash))
            link = $"magnet:?xt=urn:btih:{hash}";
        if (!Uri.TryCreate(link, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https"))
            return await AddMagnetAsync(link, wish, cancellationToken);
        using var late = new CancellationTokenSource(FetchTimeout, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        FetchedUrl fetched;
        try
        {
            fetched = await fetcher.FetchAsync(link, both.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            LogRefused(logger, $"{address.Host} did not answer in time");
            return false;
        }

        if (fetched.Magnet is { } magnet)
            return await AddMagnetAsync(magnet, wish, cancellationToken);
        if (fetched.Body is not { } body)
        {
            LogRefused(logger, $"{address.Host}: {fetched.Error}");
            return false;
        }

        await using (body)
        {
            if (await TorrentIntake.ReadMagnetAsync(body, cancellationToken) is { } text)
                return await AddMagnetAsync(text, wish, cancellationToken);
            var (metainfo, error) = await TorrentIntake.ReadAsync(body, cancellationToken);
            if (metainfo is not null)
                return await AddFileAsync(metainfo, body, wish, cancellationToken);
            LogRefused(logger, $"{address.Host}: {error}");
            return false;
        }
    }

    private async ValueTask<bool> AddMagnetAsync(string link, AddOptions wish, CancellationToken cancellationToken)
    {
        var read = MagnetLink.Read(link);
        if (!read.Succeeded)
        {
            LogRefused(logger, read.Error!);
            return false;
        }

        IReadOnlyList<Uri>[] trackers = [.. read.Value.Trackers.Select(static tracker => (IReadOnlyList<Uri>)[tracker])];
        return await KnownAsync(read.Value.Hash, trackers, wish, cancellationToken)
            ?? await EndAsync(await intake.AddMagnetAsync(link, RequestOf(wish, fileName: ""), cancellationToken), wish, cancellationToken);
    }

    private async ValueTask<bool> AddFileAsync(Metainfo metainfo, IntakeFile file, AddOptions wish, CancellationToken cancellationToken)
    {
        // Torrent names are often numbers or noise, and the folder of a single film must not be named like a file.
        var info = metainfo.Info;
        var name = info.Files.Count == 1 && info.Files[0].Path == info.Name ? Path.GetFileNameWithoutExtension(info.Name) : info.Name;
        return await KnownAsync(info.Hash, info.IsPrivate ? [] : metainfo.Trackers, wish, cancellationToken)
            ?? await EndAsync(await intake.AddAsync(RequestOf(wish, name + TorrentIntake.TorrentEnding), file, cancellationToken), wish,
                cancellationToken);
    }

    private IntakeRequest RequestOf(AddOptions wish, string fileName) => new()
    {
        FileName = fileName,
        Source = JobSource.Api,
        Category = wish.Category ?? options.Value.DefaultCategory,
        Torrent = wish.Torrent,
        RecordsRefusals = false,
    };

    /// <summary>
    /// The result of adding a torrent that is already in the list. qBittorrent refuses it, and the *arrs would then send it again and
    /// again. Here it counts as added if it is in the requested category, and a failed one is retried. Trackers that it did not have yet
    /// are added.
    /// </summary>
    /// <returns>Null if it is not in the list.</returns>
    private async ValueTask<bool?> KnownAsync(
        InfoHash hash, IReadOnlyList<IReadOnlyList<Uri>> trackers, AddOptions wish, CancellationToken cancellationToken)
    {
        if (list.Shelf is not { } shelf || await shelf.FindAsync(hash.ToString(), cancellationToken) is not { } known)
            return null;
        if (wish.Category is { } category && !known.Entry.Category.Equals(category, StringComparison.OrdinalIgnoreCase))
            return false;
        await shelf.Trackers.MergeAsync(known, trackers, cancellationToken);
        if (known is { State: TorrentState.Failed, ItemId: null, JobId: { } id }
            && await actions.FindAsync(id, cancellationToken) is ({ } job, _))
            await actions.RetryAsync(job, cancellationToken);
        return true;
    }

    private async ValueTask<bool> EndAsync(IntakeResult taken, AddOptions wish, CancellationToken cancellationToken)
    {
        if (taken.Job is not { ContentHash: { } hash })
        {
            LogRefused(logger, taken.Error ?? "it has no info-hash");
            return false;
        }

        if (wish.IsFirst && list.Shelf is { } shelf)
            await shelf.MoveAsync([hash], QueueMove.Top, cancellationToken);
        return true;
    }

    /// <param name="Category">The category; null: none was named.</param>
    /// <param name="Torrent">The options of the torrent.</param>
    /// <param name="IsFirst">Put it first in the queue.</param>
    private sealed record AddOptions(string? Category, NewTorrent Torrent, bool IsFirst);

    [LoggerMessage(
        416, LogLevel.Warning,
        "A torrent was added with skip_checking: NzbDav cannot use data that another client has. It is stopped, with nothing of it held; " +
        "starting it downloads it.")]
    private static partial void LogExpected(ILogger logger);

    [LoggerMessage(412, LogLevel.Warning, "A torrent was refused: {Reason}")]
    private static partial void LogRefused(ILogger logger, string reason);
}
