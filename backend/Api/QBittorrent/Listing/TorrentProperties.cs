namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>The members of <c>torrents/properties</c>. The limit of 100 connections is qBittorrent's default.</summary>
internal static class TorrentProperties
{
    private const int MostConnections = 100;

    public static SortedDictionary<string, object?> Of(QbitTorrent torrent, int connections)
    {
        var source = torrent.Source;
        var (fetching, seeding) = (Math.Max(1, torrent.TimeActive - torrent.SeedingTime), Math.Max(1, torrent.TimeActive));
        return new SortedDictionary<string, object?>(StringComparer.Ordinal)
        {
            ["addition_date"] = torrent.AddedOn,
            ["comment"] = source?.Origin.Comment ?? "",
            ["completion_date"] = torrent.CompletionOn,
            ["created_by"] = source?.Origin.CreatedBy ?? "",
            ["creation_date"] = source?.Origin.Created ?? -1,
            ["dl_limit"] = torrent.DownLimit > 0 ? torrent.DownLimit : -1,
            ["dl_speed"] = torrent.DownSpeed,
            ["dl_speed_avg"] = torrent.Downloaded / fetching,
            ["download_path"] = "",
            ["eta"] = torrent.Eta,
            ["has_metadata"] = torrent.HasMetadata,
            ["hash"] = torrent.Hash,
            ["infohash_v1"] = torrent.Hash,
            ["infohash_v2"] = "",
            ["is_private"] = torrent.IsPrivate ?? false,
            ["last_seen"] = torrent.SeenComplete,
            ["name"] = torrent.Name,
            ["nb_connections"] = connections,
            ["nb_connections_limit"] = MostConnections,
            ["peers"] = torrent.Leechers,
            ["peers_total"] = Math.Max(torrent.KnownLeechers, torrent.Leechers),
            ["piece_size"] = source is { PieceLength: > 0 } ? source.PieceLength : -1,
            ["pieces_have"] = source?.PiecesHeld ?? 0,
            ["pieces_num"] = source is { Pieces: > 0 } ? source.Pieces : -1,
            ["popularity"] = 0,
            ["private"] = torrent.IsPrivate,
            ["progress"] = torrent.Progress,
            ["reannounce"] = 0,
            ["save_path"] = torrent.SavePath,
            ["seeding_time"] = torrent.SeedingTime,
            ["seeds"] = torrent.Seeds,
            ["seeds_total"] = Math.Max(torrent.KnownSeeds, torrent.Seeds),
            ["share_ratio"] = torrent.Ratio,
            ["time_elapsed"] = torrent.TimeActive,
            ["total_downloaded"] = torrent.Downloaded,
            ["total_downloaded_session"] = torrent.Downloaded,
            ["total_size"] = torrent.TotalSize,
            ["total_uploaded"] = torrent.Uploaded,
            ["total_uploaded_session"] = torrent.Uploaded,
            ["total_wasted"] = 0,
            ["up_limit"] = torrent.UpLimit > 0 ? torrent.UpLimit : -1,
            ["up_speed"] = torrent.UpSpeed,
            ["up_speed_avg"] = torrent.Uploaded / seeding,
        };
    }
}
