using System.Text.Json;
using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>
/// The members of a torrent in <c>torrents/info</c> and <c>sync/maindata</c>, sorted by name. Clients can also sort by them.
/// </summary>
internal static class TorrentColumns
{
    private const string HashName = "hash";

    private static readonly (string Name, Func<QbitTorrent, object?> Get)[] All =
    [
        ("added_on", static torrent => torrent.AddedOn),
        ("amount_left", static torrent => torrent.AmountLeft),
        ("auto_tmm", static _ => false),
        ("availability", static torrent => torrent.Availability),
        ("category", static torrent => torrent.Category),
        ("comment", static torrent => torrent.Source?.Origin.Comment ?? ""),
        ("completed", static torrent => torrent.Completed),
        ("completion_on", static torrent => torrent.CompletionOn),
        ("content_path", static torrent => torrent.ContentPath),
        ("dl_limit", static torrent => torrent.DownLimit),
        ("dlspeed", static torrent => torrent.DownSpeed),
        ("download_path", static _ => ""),
        ("downloaded", static torrent => torrent.Downloaded),
        ("downloaded_session", static torrent => torrent.Downloaded),
        ("eta", static torrent => torrent.Eta),
        ("f_l_piece_prio", static torrent => torrent.IsEdgesFirst),
        ("force_start", static torrent => torrent.IsForced),
        ("has_metadata", static torrent => torrent.HasMetadata),
        (HashName, static torrent => torrent.Hash),
        ("inactive_seeding_time_limit", static torrent => torrent.InactiveLimit),
        ("infohash_v1", static torrent => torrent.Hash),
        ("infohash_v2", static _ => ""),
        ("last_activity", static torrent => torrent.LastActivity),
        ("magnet_uri", static torrent => torrent.MagnetLink),
        ("max_inactive_seeding_time", static torrent => torrent.MaxInactive),
        ("max_ratio", static torrent => torrent.MaxRatio),
        ("max_seeding_time", static torrent => torrent.MaxSeedingTime),
        ("name", static torrent => torrent.Name),
        ("num_complete", static torrent => torrent.KnownSeeds),
        ("num_incomplete", static torrent => torrent.KnownLeechers),
        ("num_leechs", static torrent => torrent.Leechers),
        ("num_seeds", static torrent => torrent.Seeds),
        ("popularity", static _ => 0.0),
        ("priority", static torrent => torrent.Priority),
        ("private", static torrent => torrent.IsPrivate),
        ("progress", static torrent => torrent.Progress),
        ("ratio", static torrent => torrent.Ratio),
        ("ratio_limit", static torrent => torrent.RatioLimit),
        ("reannounce", static _ => 0L),
        ("root_path", static torrent => torrent.RootPath),
        ("save_path", static torrent => torrent.SavePath),
        ("seeding_time", static torrent => torrent.SeedingTime),
        ("seeding_time_limit", static torrent => torrent.SeedingTimeLimit),
        ("seen_complete", static torrent => torrent.SeenComplete),
        ("seq_dl", static torrent => torrent.IsSequential),
        ("size", static torrent => torrent.Size),
        ("state", static torrent => torrent.State),
        ("super_seeding", static _ => false),
        ("tags", static torrent => torrent.Tags),
        ("time_active", static torrent => torrent.TimeActive),
        ("total_size", static torrent => torrent.TotalSize),
        ("tracker", static torrent => torrent.Tracker),
        ("trackers_count", static torrent => torrent.TrackerCount),
        ("up_limit", static torrent => torrent.UpLimit),
        ("uploaded", static torrent => torrent.Uploaded),
        ("uploaded_session", static torrent => torrent.Uploaded),
        ("upspeed", static torrent => torrent.UpSpeed),
    ];

    /// <summary>The value of each member, for <see cref="Write"/> and <see cref="WriteChanges"/>.</summary>
    public static object?[] ValuesOf(QbitTorrent torrent) => Array.ConvertAll(All, column => column.Get(torrent));

    /// <summary>Sorts torrents by a member.</summary>
    /// <returns>Null if there is no such member.</returns>
    public static IEnumerable<QbitTorrent>? Sort(IEnumerable<QbitTorrent> torrents, string name, bool descending)
    {
        var column = Array.Find(All, column => column.Name == name);
        if (column.Get is not { } get)
            return null;
        return descending ? torrents.OrderByDescending(get, Order.Instance) : torrents.OrderBy(get, Order.Instance);
    }

    /// <summary>Writes all members.</summary>
    /// <param name="writer">Inside an object.</param>
    /// <param name="values">The result of <see cref="ValuesOf"/>.</param>
    /// <param name="withHash">False in <c>sync/maindata</c>, where the hash is the key.</param>
    public static void Write(Utf8JsonWriter writer, object?[] values, bool withHash)
    {
        for (var i = 0; i < All.Length; i++)
        {
            if (withHash || All[i].Name != HashName)
                JsonValues.Write(writer, All[i].Name, values[i]);
        }
    }

    /// <summary>Writes the members that differ.</summary>
    public static void WriteChanges(Utf8JsonWriter writer, object?[] before, object?[] after)
    {
        for (var i = 0; i < All.Length; i++)
        {
            if (!Equals(before[i], after[i]))
                JsonValues.Write(writer, All[i].Name, after[i]);
        }
    }

    /// <summary>Compares numbers and flags by value and text ignoring case; unknown values come first.</summary>
    private sealed class Order : IComparer<object?>
    {
        public static readonly Order Instance = new();

        public int Compare(object? x, object? y) =>
            x is string left && y is string right
                ? string.Compare(left, right, StringComparison.OrdinalIgnoreCase) : Comparer<object?>.Default.Compare(x, y);
    }
}
