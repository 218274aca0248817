using System.Text.Json;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Settings;
using NzbDav.Seeding;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>The trackers of torrents. Addresses are shown without parts that may be personal keys; clients may name a tracker by the
/// address as shown or in full.</summary>
internal sealed class TrackerCalls(QbitList list, Live<QbitOptions> options) : IQbitCalls
{
    private const int NotAsked = 1;

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("torrents/trackers", ListAsync, "hash"),
        QbitRoute.Change("torrents/addTrackers", AddAsync, "hash", "urls"),
        QbitRoute.Change("torrents/editTracker", EditAsync, "hash", "origUrl", "newUrl"),
        QbitRoute.Change("torrents/removeTrackers", RemoveAsync, "hash", "urls"),
    ];

    /// <summary>Writes the trackers of a torrent.</summary>
    /// <param name="writer">At a position where an array is valid.</param>
    /// <param name="tiers">Its trackers.</param>
    /// <param name="known">The known states of its trackers, if the torrent is in its swarm.</param>
    public static void Write(Utf8JsonWriter writer, IReadOnlyList<IReadOnlyList<Uri>> tiers, IReadOnlyList<TrackerStatus> known)
    {
        foreach (var (tier, trackers) in tiers.Index())
        {
            foreach (var tracker in trackers)
            {
                var url = TrackerStatus.Shown(tracker);
                var status = known.FirstOrDefault(status => status.Url == url);
                Write(writer, url, tier, status?.State switch
                {
                    TrackerState.Working => 2,
                    TrackerState.Waiting or null => NotAsked,
                    _ => 4
                }, status?.Message ?? "", status);
            }
        }
    }

    private async ValueTask<QbitReply> ListAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        var tiers = torrent.Source is null ? [] : await list.Shelf!.Trackers.ListAsync(torrent.Hash, cancellationToken) ?? [];
        var known = torrent.Source is null ? [] : list.Shelf!.GetDetails(torrent.Hash)?.Trackers ?? [];
        return QbitReply.Json(writer =>
        {
            writer.WriteStartArray();
            var isPrivate = torrent.IsPrivate == true;
            foreach (var (source, isOn) in new[] { ("DHT", options.Value.Dht), ("PeX", options.Value.PeerExchange),
                ("LSD", options.Value.LocalDiscovery) })
                Write(writer, $"** [{source}] **", tier: -1, isOn && !isPrivate ? 2 : 0, isPrivate ? "This torrent is private" : "",
                    status: null);
            Write(writer, tiers, known);
            writer.WriteEndArray();
        });
    }

    private static void Write(Utf8JsonWriter writer, string url, int tier, int state, string message, TrackerStatus? status)
    {
        writer.WriteStartObject();
        writer.WriteString("msg", message);
        writer.WriteNumber("num_downloaded", status?.Downloaded ?? -1);
        writer.WriteNumber("num_leeches", status?.Leechers ?? -1);
        writer.WriteNumber("num_peers", status?.Peers ?? 0);
        writer.WriteNumber("num_seeds", status?.Seeds ?? -1);
        writer.WriteNumber("status", state);
        writer.WriteNumber("tier", tier);
        writer.WriteString("url", url);
        writer.WriteEndObject();
    }

    /// <summary>One address in each line; an empty line starts the next tier, as in qBittorrent. Addresses that exist already or are not
    /// valid are skipped.</summary>
    private async ValueTask<QbitReply> AddAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await FindAllAsync(call, cancellationToken) is not { } torrents)
            return QbitReply.NotFound();
        var asked = new List<(Uri Tracker, int Tier)>();
        var tier = 0;
        foreach (var line in call.Text("urls")!.Split('\n', StringSplitOptions.TrimEntries))
        {
            if (line.Length == 0)
                tier++;
            else if (Metainfo.ReadTracker(line) is { } tracker)
                asked.Add((tracker, tier));
        }

        foreach (var hash in torrents)
            await list.Shelf!.Trackers.ChangeAsync(hash, tiers => ShelfTrackers.Merge(tiers, asked), cancellationToken);
        return QbitReply.Done;
    }

    private async ValueTask<QbitReply> EditAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { Source: not null } torrent)
            return QbitReply.NotFound();
        var (before, after) = (call.Text("origUrl")!, call.Text("newUrl")!);
        if (before == after)
            return QbitReply.Done;
        if (Metainfo.ReadTracker(after) is not { } wanted)
            return QbitReply.BadRequest("New tracker URL is invalid");
        var conflict = "Tracker not found";
        var isChanged = await list.Shelf!.Trackers.ChangeAsync(
            torrent.Hash,
            tiers =>
            {
                if (Find(tiers, before) is not { } found)
                    return null;
                if (found != wanted && tiers.Any(tier => tier.Contains(wanted)))
                {
                    conflict = "New tracker URL already exists";
                    return null;
                }

                return [.. tiers.Select(tier => (IReadOnlyList<Uri>)[.. tier.Select(tracker => tracker == found ? wanted : tracker)])];
            },
            cancellationToken);
        if (!isChanged)
            return QbitReply.Conflict(conflict);
        list.Shelf.Reannounce([torrent.Hash]);
        return QbitReply.Done;
    }

    private async ValueTask<QbitReply> RemoveAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await FindAllAsync(call, cancellationToken) is not { } torrents)
            return QbitReply.NotFound();

        // Clients may escape each address separately, because the separator can occur in addresses.
        var urls = call.List("urls", '|').Select(Uri.UnescapeDataString).ToList();
        foreach (var hash in torrents)
        {
            await list.Shelf!.Trackers.ChangeAsync(
                hash,
                tiers =>
                {
                    var gone = urls.Select(url => Find(tiers, url)).OfType<Uri>().ToHashSet();
                    return gone.Count == 0 ? null : [.. tiers.Select(tier =>
                        (IReadOnlyList<Uri>)[.. tier.Where(tracker => !gone.Contains(tracker))]).Where(static tier => tier.Count > 0)];
                },
                cancellationToken);
        }

        return QbitReply.Done;
    }

    /// <summary>The tracker with this address: compared in full, then as shown to clients.</summary>
    private static Uri? Find(IReadOnlyList<IReadOnlyList<Uri>> tiers, string url)
    {
        var all = tiers.SelectMany(static tier => tier).ToList();
        return all.Find(tracker => tracker.OriginalString == url || (Metainfo.ReadTracker(url) is { } read && tracker == read))
            ?? all.Find(tracker => TrackerStatus.Shown(tracker) == url);
    }

    /// <summary>The torrents named by <c>hash</c>, one or several; <c>*</c> means all.</summary>
    /// <returns>Null if one of them is not in the list.</returns>
    private async ValueTask<IReadOnlyList<string>?> FindAllAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var known = (await list.ListAsync(cancellationToken)).Where(static torrent => torrent.Source is not null)
            .Select(static torrent => torrent.Hash).ToHashSet(StringComparer.Ordinal);
        if (call.Text("hash") is "*")
            return [.. known];
        var asked = call.List("hash", '|').Select(static text => text.ToLowerInvariant()).ToList();
        return asked.TrueForAll(known.Contains) ? asked : null;
    }
}
