using System.Globalization;
using NzbDav.Catalog;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Puts together what engine, tree and list know of a torrent.</summary>
internal static class TorrentBodies
{
    /// <summary>A torrent; one of <paramref name="torrent"/> and <paramref name="place"/> is not null.</summary>
    /// <param name="torrent">As it is open; null if it is closed.</param>
    /// <param name="place">Where it was published, or which job is to bring it.</param>
    /// <param name="shelved">As the user has it; null if he does not.</param>
    public static T Of<T>(Torrent? torrent, CatalogTorrent? place, ShelfTorrent? shelved)
        where T : TorrentBody, new()
    {
        var activity = torrent?.Activity ?? TorrentActivity.None;
        return new T
        {
            InfoHash = torrent?.Hash.ToString() ?? place!.InfoHash,
            Name = shelved?.Entry.Name ?? torrent?.Name ?? place?.Name ?? torrent!.Hash.ToString(),
            ItemId = Text(place?.ItemId),
            JobId = Text(place?.JobId),
            State = torrent is null ? TorrentStateBody.Closed : activity.IsDescribed ? TorrentStateBody.Active : TorrentStateBody.Metadata,
            Private = activity.IsPrivate || shelved is { IsPrivate: true },
            Size = activity.IsDescribed ? activity.Size : place?.Size ?? 0,
            Pieces = activity.IsDescribed ? activity.Pieces : null,
            Have = torrent is null ? null : activity.Have,
            Peers = activity.Peers,
            Seeds = activity.Seeds,
            DownRate = activity.DownRate,
            UpRate = activity.UpRate,
            Downloaded = shelved?.Totals.Downloaded ?? torrent?.Bytes.Payload ?? 0,
            Uploaded = shelved?.Totals.Uploaded ?? torrent?.Bytes.Uploaded ?? 0,
            Readers = activity.Readers,
            Reason = shelved?.Reason ?? activity.Reason,
            Phase = (TorrentPhaseBody?)shelved?.State,
            Category = shelved?.Entry.Category,
            Kept = shelved is { Policy.Keep: true },
            Forced = shelved is { IsForced: true },
            Progress = shelved?.Progress,
            Ratio = shelved?.Ratio,
            Position = shelved is { Position: > 0 and var position } ? position : null,
            KnownSeeds = shelved?.KnownSeeds,
            KnownLeechers = shelved?.KnownLeechers,
            Eta = shelved?.Eta?.TotalSeconds,
        };
    }

    /// <summary>What it has done so far.</summary>
    public static TorrentTimesBody TimesOf(ShelfTorrent torrent) => new(
        torrent.Entry.Added, torrent.Entry.Completed, torrent.Entry.LastActive,
        torrent.Totals.Active.TotalSeconds, torrent.Totals.Seeding.TotalSeconds, torrent.Totals.Idle.TotalSeconds);

    /// <summary>An id as the interface writes it.</summary>
    public static string? Text(long? id) => id?.ToString(CultureInfo.InvariantCulture);
}
