using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>The calls of <c>torrents/*</c> that only read.</summary>
internal sealed class TorrentCalls(QbitList list, QbitTargets targets) : IQbitCalls
{
    private const string MediaType = "application/x-bittorrent";

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("torrents/info", InfoAsync),
        QbitRoute.Read("torrents/count", async (_, cancellationToken) =>
            QbitReply.Text((await list.ListAsync(cancellationToken)).Count.ToString(CultureInfo.InvariantCulture))),
        QbitRoute.Read("torrents/properties", (call, cancellationToken) => OfAsync(call, Properties, cancellationToken), "hash"),
        QbitRoute.Read("torrents/files", FilesAsync, "hash"),
        QbitRoute.Read("torrents/pieceStates", (call, cancellationToken) => OfAsync(call, PieceStates, cancellationToken), "hash"),
        QbitRoute.Read("torrents/pieceHashes", PieceHashesAsync, "hash"),

        // The file contains the passkeys of its trackers, so the right to read is not enough.
        new QbitRoute("torrents/export", ApiRights.Change, ExportAsync) { Requires = ["hash"] },
        QbitRoute.Read("torrents/downloadLimit",
            (call, cancellationToken) => LimitsAsync(call, static torrent => torrent.DownLimit, cancellationToken), "hashes"),
        QbitRoute.Read("torrents/uploadLimit",
            (call, cancellationToken) => LimitsAsync(call, static torrent => torrent.UpLimit, cancellationToken), "hashes"),
    ];

    private async ValueTask<QbitReply> InfoAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (TorrentQuery.Apply(call, await list.ListAsync(cancellationToken)) is not { } found)
            return QbitReply.BadRequest("'sort' parameter is invalid");
        var trackers = call.Flag("includeTrackers") ?? false ? await TrackersAsync(found, cancellationToken) : null;
        return QbitReply.Json(writer =>
        {
            writer.WriteStartArray();
            foreach (var torrent in found)
            {
                writer.WriteStartObject();
                TorrentColumns.Write(writer, TorrentColumns.ValuesOf(torrent), withHash: true);
                if (trackers is not null)
                {
                    writer.WriteStartArray("trackers");
                    TrackerCalls.Write(writer, trackers[torrent.Hash], list.Shelf?.GetDetails(torrent.Hash)?.Trackers ?? []);
                    writer.WriteEndArray();
                }

                writer.WriteEndObject();
            }

            writer.WriteEndArray();
        });
    }

    private async ValueTask<Dictionary<string, IReadOnlyList<IReadOnlyList<Uri>>>> TrackersAsync(
        IReadOnlyList<QbitTorrent> torrents, CancellationToken cancellationToken)
    {
        var all = new Dictionary<string, IReadOnlyList<IReadOnlyList<Uri>>>(StringComparer.Ordinal);
        foreach (var torrent in torrents)
            all[torrent.Hash] = torrent.Source is null || list.Shelf is null
                ? [] : await list.Shelf.Trackers.ListAsync(torrent.Hash, cancellationToken) ?? [];
        return all;
    }

    /// <summary>An answer about one torrent; 404 if there is none.</summary>
    private async ValueTask<QbitReply> OfAsync(QbitCall call, Func<QbitTorrent, QbitReply> answer, CancellationToken cancellationToken) =>
        await list.FindAsync(call.Hash(), cancellationToken) is { } torrent ? answer(torrent) : QbitReply.NotFound();

    private QbitReply Properties(QbitTorrent torrent)
    {
        var details = list.Shelf?.GetDetails(torrent.Hash);
        return QbitReply.Json(TorrentProperties.Of(torrent, details?.Peers.Count ?? 0));
    }

    /// <summary>Names begin with the published folder, so that save path and name together give the file's path in the mount.</summary>
    private async ValueTask<QbitReply> FilesAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        var files = torrent.Source is null || list.Shelf is null
            ? [] : await list.Shelf.ListFilesAsync(torrent.Hash, cancellationToken) ?? [];
        if (call.Text("indexes") is not null)
        {
            var asked = call.List("indexes", '|').Select(
                static text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var index) ? index : -1).ToHashSet();
            if (asked.Any(index => !files.Any(file => file.Index == index)))
                return QbitReply.Conflict("A file index is out of bounds.");
            files = [.. files.Where(file => asked.Contains(file.Index))];
        }

        return QbitReply.Json(writer =>
        {
            writer.WriteStartArray();
            foreach (var (place, file) in files.Index())
            {
                writer.WriteStartObject();
                writer.WriteNumber("availability", torrent.Availability);
                writer.WriteNumber("index", file.Index);
                if (place == 0)
                    writer.WriteBoolean("is_seed", torrent.Progress >= 1);
                writer.WriteString("name", RenameCalls.NameOf(torrent, file));
                writer.WriteStartArray("piece_range");
                writer.WriteNumberValue(file.Pieces.First);
                writer.WriteNumberValue(file.Pieces.Last);
                writer.WriteEndArray();
                writer.WriteNumber("priority", PriorityOf(file));
                writer.WriteNumber("progress",
                    torrent.Progress >= 1 && PriorityOf(file) > 0 ? 1 : file.Size == 0 ? 1 : Math.Round((double)file.Held / file.Size, 4));
                writer.WriteNumber("size", file.Size);
                writer.WriteEndObject();
            }

            writer.WriteEndArray();
        });
    }

    /// <summary>qBittorrent's numbers: 0 not downloaded, 1 normal, 6 high, 7 maximal.</summary>
    private static int PriorityOf(ShelfFile file) => file.Priority switch
    {
        FilePriority.Skip => 0,
        FilePriority.High => 6,
        FilePriority.Highest => 7,
        _ => 1,
    };

    /// <summary>For a torrent outside its swarm it is only known whether all pieces are kept.</summary>
    private QbitReply PieceStates(QbitTorrent torrent)
    {
        var whole = torrent.Source is { Policy.Keep: true, Entry.Completed: not null } ? PieceState.Held : PieceState.Missing;
        var runs = list.Shelf?.GetDetails(torrent.Hash)?.Runs;
        return QbitReply.Json(writer =>
        {
            writer.WriteStartArray();
            foreach (var run in runs ?? [new PieceRun(whole, torrent.Source?.Pieces ?? 0)])
            {
                for (var i = 0; i < run.Length; i++)
                    writer.WriteNumberValue(run.State switch { PieceState.Held => 2, PieceState.Wanted => 1, _ => 0 });
            }

            writer.WriteEndArray();
        });
    }

    private async ValueTask<QbitReply> PieceHashesAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        var info = (await ReadAsync(torrent, cancellationToken))?.Info;
        return QbitReply.Json(
            Enumerable.Range(0, info?.PieceCount ?? 0).Select(piece => Convert.ToHexStringLower(info!.HashOf(piece))).ToArray());
    }

    private async ValueTask<QbitReply> ExportAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        var shelf = torrent.Source is null ? null : list.Shelf;
        var trackers = shelf is null ? null : await shelf.Trackers.ListAsync(torrent.Hash, cancellationToken);
        var seeds = shelf is null ? null : await shelf.WebSeeds.ListAsync(torrent.Hash, cancellationToken);
        return await ReadAsync(torrent, cancellationToken) is { } metainfo
            ? new QbitReply(200, MediaType, metainfo.With(trackers, seeds).Write()) { FileName = torrent.Hash + ".torrent" }
            : QbitReply.Conflict("Unable to export torrent file. Error: it has no metadata yet.");
    }

    private async ValueTask<Metainfo?> ReadAsync(QbitTorrent torrent, CancellationToken cancellationToken) =>
        torrent.Source is null || list.Shelf is null ? null : await list.Shelf.ReadMetainfoAsync(torrent.Hash, cancellationToken);

    private async ValueTask<QbitReply> LimitsAsync(QbitCall call, Func<QbitTorrent, long> limit, CancellationToken cancellationToken)
    {
        var all = (await list.ListAsync(cancellationToken)).ToDictionary(static torrent => torrent.Hash, StringComparer.Ordinal);
        var meant = await targets.FindAsync(call, cancellationToken);
        return QbitReply.Json(meant.Torrents.ToDictionary(
            static hash => hash, hash => all.TryGetValue(hash, out var torrent) ? limit(torrent) : -1, StringComparer.Ordinal));
    }
}
