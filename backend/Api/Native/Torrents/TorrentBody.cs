using System.Globalization;
using NzbDav.Catalog.Browsing;
using NzbDav.Seeding;
using NzbDav.Torrents;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>A torrent.</summary>
internal record TorrentBody
{
    /// <summary>40 hexadecimal digits, lower case.</summary>
    public string InfoHash { get; init; } = "";

    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>The item of the tree under which it was published; null: not yet.</summary>
    public string? ItemId { get; init; }

    /// <summary>The job that added it; null once that is forgotten.</summary>
    public string? JobId { get; init; }

    /// <summary>Its state.</summary>
    public TorrentStateBody State { get; init; }

    /// <summary>Its peers come only from its trackers. False while that is not known.</summary>
    public bool Private { get; init; }

    /// <summary>Total bytes; 0 while that is not known.</summary>
    public long Size { get; init; }

    /// <summary>Number of pieces; null while that is not known, and if it is closed.</summary>
    public int? Pieces { get; init; }

    /// <summary>Number of verified pieces held here; null if it is closed.</summary>
    public int? Have { get; init; }

    /// <summary>Connected peers, seeds included.</summary>
    public int Peers { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>Bytes per second from peers, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes per second to peers, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes received from peers since it was added, across restarts; without a phase, since it was opened.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes sent to peers since it was added, across restarts; without a phase, since it was opened.</summary>
    public long Uploaded { get; init; }

    /// <summary>
    /// Whether it waits, downloads, seeds or is stopped. Null if it is no longer in the user's list, though its files are still read.
    /// </summary>
    public TorrentPhaseBody? Phase { get; init; }

    /// <summary>Its category; null without a phase.</summary>
    public string? Category { get; init; }

    /// <summary>True: all of it is downloaded and kept outside the cache; false: only what is read, in the cache.</summary>
    public bool Kept { get; init; }

    /// <summary>It runs regardless of the limits.</summary>
    public bool Forced { get; init; }

    /// <summary>Share of the wanted bytes that is here, 0 to 1; null without a phase.</summary>
    public double? Progress { get; init; }

    /// <summary>Bytes sent per byte downloaded; null without a phase.</summary>
    public double? Ratio { get; init; }

    /// <summary>Its place among the torrents that are not complete, from 1; null for all others.</summary>
    public int? Position { get; init; }

    /// <summary>Peers in the swarm that have all of it, according to trackers; null: no tracker has said.</summary>
    public int? KnownSeeds { get; init; }

    /// <summary>Peers in the swarm that do not have all of it, according to trackers; null: no tracker has said.</summary>
    public int? KnownLeechers { get; init; }

    /// <summary>Seconds until all wanted bytes are here, at the current rate; null: not known.</summary>
    public double? Eta { get; init; }

    /// <summary>Number of readers of its files.</summary>
    public int Readers { get; init; }

    /// <summary>Why nothing arrives although something is wanted, or why it failed; null when nothing is wrong.</summary>
    public string? Reason { get; init; }

    /// <summary>The body of a torrent; at least one of <paramref name="torrent"/> and <paramref name="place"/> is not null.</summary>
    /// <param name="torrent">The open torrent; null if it is closed.</param>
    /// <param name="place">Where it was published, or the job that will publish it.</param>
    /// <param name="shelved">Its entry in the user's list; null if there is none.</param>
    public static T Of<T>(Torrent? torrent, CatalogTorrent? place, TorrentView? shelved)
        where T : TorrentBody, new()
    {
        var status = torrent?.LastStatus ?? TorrentStatus.None;
        return new T
        {
            InfoHash = torrent?.Hash.ToString() ?? place!.InfoHash,
            Name = shelved?.Entry.Name ?? torrent?.Name ?? place?.Name ?? torrent!.Hash.ToString(),
            ItemId = Text(place?.ItemId),
            JobId = Text(place?.JobId),
            State = torrent is null ? TorrentStateBody.Closed : status.IsDescribed ? TorrentStateBody.Active : TorrentStateBody.Metadata,
            Private = status.IsPrivate || shelved is { IsPrivate: true },
            Size = status.IsDescribed ? status.Size : place?.Size ?? 0,
            Pieces = status.IsDescribed ? status.Pieces : null,
            Have = torrent is null ? null : status.Have,
            Peers = status.Peers,
            Seeds = status.Seeds,
            DownRate = status.DownRate,
            UpRate = status.UpRate,
            Downloaded = shelved?.Totals.Downloaded ?? torrent?.Bytes.Payload ?? 0,
            Uploaded = shelved?.Totals.Uploaded ?? torrent?.Bytes.Uploaded ?? 0,
            Readers = status.Readers,
            Reason = shelved?.Reason ?? status.Reason,
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

    /// <summary>The text of an id.</summary>
    public static string? Text(long? id) => id?.ToString(CultureInfo.InvariantCulture);
}

/// <summary>State of a torrent in the user's list.</summary>
internal enum TorrentPhaseBody
{
    /// <summary>Peers are asked for the torrent's metadata.</summary>
    Metadata = TorrentState.Metadata,

    /// <summary>Not all wanted bytes are here; it waits for its turn.</summary>
    DownloadQueued = TorrentState.DownloadQueued,

    /// <summary>Wanted pieces are arriving.</summary>
    Downloading = TorrentState.Downloading,

    /// <summary>Pieces are wanted and none arrives: the reason says why.</summary>
    DownloadStalled = TorrentState.DownloadStalled,

    /// <summary>Stopped before all wanted bytes were here.</summary>
    DownloadStopped = TorrentState.DownloadStopped,

    /// <summary>Complete; it waits for its turn.</summary>
    SeedQueued = TorrentState.SeedQueued,

    /// <summary>Complete, and pieces are being sent to peers.</summary>
    Seeding = TorrentState.Seeding,

    /// <summary>Complete; nothing is being sent to a peer now.</summary>
    SeedIdle = TorrentState.SeedIdle,

    /// <summary>Complete and stopped, by the user or because it reached its limit.</summary>
    SeedStopped = TorrentState.SeedStopped,

    /// <summary>The bytes on disk are being hashed.</summary>
    Checking = TorrentState.Checking,

    /// <summary>The bytes on disk are being moved.</summary>
    Moving = TorrentState.Moving,

    /// <summary>Kept files are missing from the disk.</summary>
    Missing = TorrentState.Missing,

    /// <summary>It cannot continue: the reason says why.</summary>
    Failed = TorrentState.Failed,
}

/// <summary>State of a torrent.</summary>
internal enum TorrentStateBody
{
    /// <summary>In its swarm; its metadata has not arrived yet.</summary>
    Metadata,

    /// <summary>In its swarm.</summary>
    Active,

    /// <summary>Not in its swarm: it is opened when one of its files is read.</summary>
    Closed,
}

/// <summary>Torrents of the library and of the queue.</summary>
/// <param name="Torrents">Those in their swarms first, then at most 500 others, latest first.</param>
internal sealed record TorrentsBody(IReadOnlyList<TorrentBody> Torrents);
