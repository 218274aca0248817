using System.Globalization;
using NzbDav.Catalog.Browsing;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Builds the bodies of torrents from the engine, the tree and the user's list.</summary>
internal static class TorrentBodies
{
    /// <summary>The body of a torrent; at least one of <paramref name="torrent"/> and <paramref name="place"/> is not null.</summary>
    /// <param name="torrent">The open torrent; null if it is closed.</param>
    /// <param name="place">Where it was published, or the job that will publish it.</param>
    /// <param name="shelved">Its entry in the user's list; null if there is none.</param>
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

    /// <summary>Its times since it was added.</summary>
    public static TorrentTimesBody TimesOf(ShelfTorrent torrent) => new(
        torrent.Entry.Added, torrent.Entry.Completed, torrent.Entry.LastActive,
        torrent.Totals.Active.TotalSeconds, torrent.Totals.Seeding.TotalSeconds, torrent.Totals.Idle.TotalSeconds);

    /// <summary>The text of an id.</summary>
    public static string? Text(long? id) => id?.ToString(CultureInfo.InvariantCulture);
}
