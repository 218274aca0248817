using System.Globalization;
using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>The calls of <c>torrents/*</c> that change something, under their names in 4.x (<c>pause</c>, <c>resume</c>) and 5.x
/// (<c>stop</c>, <c>start</c>).</summary>
internal sealed class TorrentCommands(QbitList list, QbitTargets targets, NzbTorrents jobs, IServiceProvider services) : IQbitCalls
{
    private const string Hashes = "hashes";

    private readonly TorrentSessions? _sessions = services.GetService<TorrentSessions>();

    public IEnumerable<QbitRoute> Routes =>
    [
        Stop("stop"),
        Stop("pause"),
        Start("start"),
        Start("resume"),
        Force("setForceStart"),
        Force("setForcestart"),
        QbitRoute.Change("torrents/delete", DeleteAsync, Hashes),
        On("recheck", static (shelf, meant, _, cancellationToken) => shelf.RecheckAsync(meant, cancellationToken)),
        On("reannounce", static (shelf, meant, _, _) =>
        {
            shelf.Reannounce(meant);
            return Task.CompletedTask;
        }),
        Move("topPrio", QueueMove.Top),
        Move("bottomPrio", QueueMove.Bottom),
        Move("increasePrio", QueueMove.Up),
        Move("decreasePrio", QueueMove.Down),
        Update("toggleSequentialDownload", static (entry, _) => entry with { IsSequential = !entry.IsSequential }),
        Update("toggleFirstLastPiecePrio", static (entry, _) => entry with { IsEdgesFirst = !entry.IsEdgesFirst }),
        Update("setUploadLimit", static (entry, call) => entry with { UploadLimit = LimitOf(call) }),
        Update("setDownloadLimit", static (entry, call) => entry with { DownloadLimit = LimitOf(call) }),
        Update("setShareLimits", static (entry, call) => entry with { Policy = ShareLimits.Of(call, entry.Policy) }),
        QbitRoute.Change("torrents/setDownloadPath", static (_, _) => new(QbitReply.Done), "id", "path"),
        QbitRoute.Change("torrents/setAutoManagement", static (_, _) => new(QbitReply.Done), Hashes),
        QbitRoute.Change("torrents/setSuperSeeding", static (_, _) => new(QbitReply.Done), Hashes),
        QbitRoute.Change("torrents/filePrio", SetFilePriorityAsync, "hash", "id", "priority"),
        QbitRoute.Change("torrents/rename", RenameAsync, "hash", "name"),
        QbitRoute.Change("torrents/addPeers", AddPeersAsync, Hashes, "peers"),
    ];

    private QbitRoute Stop(string name) => On(
        name, static (shelf, meant, _, cancellationToken) => shelf.StopAsync(meant, cancellationToken), jobs.PauseAsync);

    private QbitRoute Start(string name) => On(
        name, static (shelf, meant, _, cancellationToken) => shelf.StartAsync(meant, cancellationToken), jobs.ResumeAsync);

    /// <summary>Some clients write the name in lower case.</summary>
    private QbitRoute Force(string name) =>
        On(name, static (shelf, meant, call, cancellationToken) => shelf.ForceAsync(meant, call.Flag("value") ?? false, cancellationToken));

    private QbitRoute Move(string name, QueueMove move) => On(
        name,
        (shelf, meant, _, cancellationToken) => shelf.MoveAsync(meant, move, cancellationToken),
        (ids, cancellationToken) => jobs.MoveAsync(ids, move, cancellationToken));

    private QbitRoute Update(string name, Func<TorrentEntry, QbitCall, TorrentEntry> change) =>
        On(name, (shelf, meant, call, cancellationToken) => shelf.UpdateAsync(meant, entry => change(entry, call), cancellationToken));

    /// <summary>A command for several torrents. Unknown torrents are skipped, as in qBittorrent.</summary>
    private QbitRoute On(string name, Func<TorrentShelf, IReadOnlyList<string>, QbitCall, CancellationToken, Task> run,
        Func<IReadOnlyList<long>, CancellationToken, Task>? onJobs = null) => QbitRoute.Change(
        "torrents/" + name,
        async (call, cancellationToken) =>
        {
            var meant = await targets.FindAsync(call, cancellationToken);
            if (meant.Torrents.Count > 0 && list.Shelf is { } shelf)
                await run(shelf, meant.Torrents, call, cancellationToken);
            if (meant.Jobs.Count > 0 && onJobs is not null)
                await onJobs(meant.Jobs, cancellationToken);
            return QbitReply.Done;
        },
        Hashes);

    /// <summary>Sonarr and Radarr omit <c>deleteFiles</c> when it is false.</summary>
    private async ValueTask<QbitReply> DeleteAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var meant = await targets.FindAsync(call, cancellationToken);
        var withFiles = call.Flag("deleteFiles") ?? false;
        if (list.Shelf is { } shelf)
            await shelf.RemoveAsync(meant.Torrents, withFiles, cancellationToken);
        await jobs.RemoveAsync(meant.Jobs, withFiles, cancellationToken);
        return QbitReply.Done;
    }

    private static long? LimitOf(QbitCall call) => call.Number("limit") is > 0 and var limit ? limit : null;

    private async ValueTask<QbitReply> SetFilePriorityAsync(QbitCall call, CancellationToken cancellationToken)
    {
        FilePriority? wanted = call.Number("priority") switch
        {
            0 => FilePriority.Skip,
            1 or 4 => FilePriority.Normal,
            6 => FilePriority.High,
            7 => FilePriority.Highest,
            _ => null,
        };
        if (wanted is not { } priority)
            return QbitReply.BadRequest("Priority is not valid");
        var files = new List<int>();
        foreach (var text in call.List("id", '|'))
        {
            if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var file))
                return QbitReply.BadRequest("File IDs must be integers");
            files.Add(file);
        }

        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent || list.Shelf is not { } shelf)
            return QbitReply.NotFound();
        if (!torrent.HasMetadata)
            return QbitReply.Conflict("Torrent's metadata has not yet downloaded");
        return await shelf.SetFilePriorityAsync(torrent.Hash, files, priority, cancellationToken)
            ? QbitReply.Done : QbitReply.Conflict("File ID is not valid");
    }

    private async ValueTask<QbitReply> RenameAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var name = call.Text("name")!.ReplaceLineEndings(" ").Trim();
        if (name.Length == 0)
            return QbitReply.Conflict("Incorrect torrent name");
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        if (NzbTorrents.JobOf(torrent.Hash) is { } job)
            return await jobs.RenameAsync(job, name, cancellationToken) ? QbitReply.Done : QbitReply.Conflict("Incorrect torrent name");
        await list.Shelf!.UpdateAsync([torrent.Hash], entry => entry with { Name = name }, cancellationToken);
        return QbitReply.Done;
    }

    private async ValueTask<QbitReply> AddPeersAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var texts = call.List("peers", '|');
        var peers = texts.Select(static text => IPEndPoint.TryParse(text, out var peer) && peer.Port > 0 ? peer : null).OfType<IPEndPoint>()
            .ToList();
        if (peers.Count == 0)
            return QbitReply.BadRequest("No valid peers were specified");
        var results = new SortedDictionary<string, Dictionary<string, int>>(StringComparer.Ordinal);
        foreach (var hash in (await targets.FindAsync(call, cancellationToken)).Torrents)
        {
            if (await list.FindAsync(hash, cancellationToken) is not { } torrent)
                continue;

            // BEP 27: a private torrent's peers come from its tracker alone.
            var open = torrent.IsPrivate == true || !InfoHash.TryParse(hash, out var known) ? null : _sessions?.Engine.Find(known);
            open?.AddPeers(peers);
            results[hash] = new Dictionary<string, int>(StringComparer.Ordinal)
            { ["added"] = open is null ? 0 : peers.Count, ["failed"] = texts.Length - (open is null ? 0 : peers.Count) };
        }

        return QbitReply.Json(results);
    }
}
