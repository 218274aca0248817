using NzbDav.Api.QBittorrent.Labels;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.QBittorrent.Syncing;

/// <summary><c>sync/*</c>: the changes since a client's last call.</summary>
internal sealed class SyncCalls(QbitList list, QbitLabels labels, ServerState state) : IQbitCalls
{
    private readonly SyncClients<SyncData> _main = new();
    private readonly SyncClients<Dictionary<string, SortedDictionary<string, object?>>> _peers = new();

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("sync/maindata", MainAsync),
        QbitRoute.Read("sync/torrentPeers", PeersAsync, "hash"),
    ];

    private async ValueTask<QbitReply> MainAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var torrents = await list.ListAsync(cancellationToken);
        var now = new SyncData(
            torrents.ToDictionary(static torrent => torrent.Hash, TorrentColumns.ValuesOf, StringComparer.Ordinal),
            await labels.ListCategoriesAsync(cancellationToken),
            await labels.ListTagsAsync(cancellationToken),
            torrents.Where(static torrent => torrent.Tracker.Length > 0).GroupBy(static torrent => torrent.Tracker, StringComparer.Ordinal)
                .ToDictionary(static group => group.Key,
                    static group => (IReadOnlyList<string>)[.. group.Select(static torrent => torrent.Hash)], StringComparer.Ordinal),
            state.Read(torrents));
        var (before, rid) = _main.Next(call.Caller.Id, call.Number("rid") ?? 0, now);
        return SyncWriter.Write(before, now, rid);
    }

    private async ValueTask<QbitReply> PeersAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        var now = new Dictionary<string, SortedDictionary<string, object?>>(StringComparer.Ordinal);
        foreach (var peer in list.Shelf?.GetDetails(torrent.Hash)?.Peers ?? [])
            now[peer.Address.ToString()] = Of(peer);
        var (before, rid) = _peers.Next($"{call.Caller.Id} {torrent.Hash}", call.Number("rid") ?? 0, now);
        return QbitReply.Json(writer =>
        {
            writer.WriteStartObject();
            writer.WriteNumber("rid", rid);
            if (before is null)
            {
                writer.WriteBoolean("full_update", true);
                writer.WriteBoolean("show_flags", false);
            }

            writer.WriteStartObject("peers");
            foreach (var (address, members) in now)
            {
                var changed = before is not null && before.TryGetValue(address, out var known)
                    ? members.Where(member => !Equals(known[member.Key], member.Value)).ToList() : [.. members];
                if (changed.Count == 0)
                    continue;
                writer.WriteStartObject(address);
                foreach (var (name, value) in changed)
                    JsonValues.Write(writer, name, value);
                writer.WriteEndObject();
            }

            writer.WriteEndObject();
            if (before?.Keys.Where(address => !now.ContainsKey(address)).ToList() is { Count: > 0 } gone)
                JsonValues.Write(writer, "peers_removed", gone);
            writer.WriteEndObject();
        });
    }

    private static SortedDictionary<string, object?> Of(PeerStatus peer) => new(StringComparer.Ordinal)
    {
        ["client"] = peer.Client ?? "",
        ["connection"] = peer.IsUtp ? "μTP" : "BT",
        ["dl_speed"] = (long)peer.DownRate,
        ["downloaded"] = 0L,
        ["files"] = "",
        ["flags"] = (peer.DownRate > 0 ? "D" : peer.PeerChoking ? "d" : "") + (peer.UpRate > 0 ? " U" : "")
            + (peer.IsIncoming ? " I" : "") + (peer.IsUtp ? " P" : ""),
        ["flags_desc"] = "",
        ["ip"] = peer.Address.Address.ToString(),
        ["peer_id_client"] = "",
        ["port"] = (long)peer.Address.Port,
        ["progress"] = Math.Round(peer.Progress, 4),
        ["relevance"] = Math.Round(1 - peer.Progress, 4),
        ["up_speed"] = (long)peer.UpRate,
        ["uploaded"] = 0L,
    };
}
