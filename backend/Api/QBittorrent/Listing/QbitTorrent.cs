using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>
/// A torrent, or an NZB job shown as one, as in <c>torrents/info</c>. Speeds are bytes per second, sizes bytes, times Unix seconds.
/// </summary>
internal sealed record QbitTorrent
{
    /// <summary>The value of <c>eta</c> that means "not known": a hundred days.</summary>
    public const long UnknownEta = 8_640_000;

    /// <summary>A share limit's value for "as in the settings".</summary>
    public const int GlobalLimit = -2;

    /// <summary>A share limit's value for "no limit".</summary>
    public const int NoLimit = -1;

    public required string Hash { get; init; }

    public required string Name { get; init; }

    public required string State { get; init; }

    public required string Category { get; init; }

    public string Tags { get; init; } = "";

    public required string SavePath { get; init; }

    /// <summary>The path to import: the folder in the mount. Empty before it is known.</summary>
    public string ContentPath { get; init; } = "";

    public string RootPath { get; init; } = "";

    public long AddedOn { get; init; }

    public long CompletionOn { get; init; } = -1;

    public long LastActivity { get; init; }

    public long SeenComplete { get; init; } = -1;

    public double Progress { get; init; }

    public long Size { get; init; }

    public long TotalSize { get; init; } = -1;

    public long AmountLeft { get; init; }

    public long Completed { get; init; }

    public long Downloaded { get; init; }

    public long Uploaded { get; init; }

    public long DownSpeed { get; init; }

    public long UpSpeed { get; init; }

    public long Eta { get; init; } = UnknownEta;

    public long Seeds { get; init; }

    public long Leechers { get; init; }

    public long KnownSeeds { get; init; } = -1;

    public long KnownLeechers { get; init; } = -1;

    public double Availability { get; init; } = -1;

    public double Ratio { get; init; }

    public double RatioLimit { get; init; } = GlobalLimit;

    public double MaxRatio { get; init; } = NoLimit;

    public long SeedingTime { get; init; }

    public long SeedingTimeLimit { get; init; } = GlobalLimit;

    public long MaxSeedingTime { get; init; } = NoLimit;

    public long InactiveLimit { get; init; } = GlobalLimit;

    public long MaxInactive { get; init; } = NoLimit;

    public long TimeActive { get; init; }

    public long Priority { get; init; }

    public long DownLimit { get; init; }

    public long UpLimit { get; init; }

    public bool IsForced { get; init; }

    public bool IsSequential { get; init; }

    public bool IsEdgesFirst { get; init; }

    public bool HasMetadata { get; init; }

    /// <summary>Null while that is not known.</summary>
    public bool? IsPrivate { get; init; }

    public string Tracker { get; init; } = "";

    public long TrackerCount { get; init; }

    public string MagnetLink { get; init; } = "";

    /// <summary>The torrent; null for an NZB job.</summary>
    public TorrentView? Source { get; init; }

    /// <summary>
    /// True for a torrent that is only streamed and can be imported: it is not seeded, whatever limits it has, so its client need not wait
    /// for anything before it cleans up.
    /// </summary>
    public static bool IsDoneWith(TorrentView torrent) =>
        torrent is { IsReady: true, IsForced: false, Policy.Keep: false, ExpectsData: false };

    /// <summary>
    /// The ratio limit that the client applies. 0 is reached at once: it also stands for a torrent that reached the limits of its category,
    /// which the client does not know.
    /// </summary>
    private static double RatioLimitOf(TorrentView torrent) =>
        IsDoneWith(torrent) ? 0
        : torrent.Entry.Policy.Ratio
            ?? (torrent.State == TorrentState.SeedStopped && torrent.Policy.IsReached(torrent.Ratio, torrent.Totals) ? 0 : GlobalLimit);

    /// <summary>Builds the entry of a torrent.</summary>
    /// <param name="torrent">The torrent.</param>
    /// <param name="completedPath">The folder of completed downloads, as seen by the programs that import from it.</param>
    /// <param name="isVisible">True if its published files can be listed there.</param>
    public static QbitTorrent Of(TorrentView torrent, string completedPath, bool isVisible)
    {
        var (entry, policy, own) = (torrent.Entry, torrent.Policy, torrent.Entry.Policy);
        var isDone = torrent is { IsReady: true, ExpectsData: false };
        var folder = torrent.ContentPath.Count > 1 ? torrent.ContentPath[0] : entry.Category;
        var savePath = folder.Length == 0 ? completedPath : $"{completedPath}/{folder}";
        var contentPath = torrent.ContentPath.Count > 1
            ? $"{completedPath}/{string.Join('/', torrent.ContentPath)}" : torrent.IsDescribed ? $"{savePath}/{torrent.Name}" : "";
        var streamed = isDone && !policy.Keep;
        return new QbitTorrent
        {
            Hash = torrent.Hash,
            Name = torrent.Name,
            State = QbitState.Of(torrent, isVisible),
            Category = entry.Category,
            Tags = string.Join(", ", entry.Tags),
            SavePath = savePath,
            ContentPath = contentPath,
            RootPath = torrent.IsSingleFile ? "" : contentPath,
            AddedOn = entry.Added.ToUnixTimeSeconds(),
            CompletionOn = (entry.Completed ?? entry.Ready)?.ToUnixTimeSeconds() ?? -1,
            LastActivity = (entry.LastActive ?? entry.Added).ToUnixTimeSeconds(),
            SeenComplete = entry.Ready?.ToUnixTimeSeconds() ?? -1,
            Progress = isDone ? 1 : Math.Min(torrent.Progress, 0.999),
            Size = torrent.Wanted,
            TotalSize = torrent.IsDescribed ? torrent.Size : -1,
            AmountLeft = streamed ? 0 : Math.Max(0, torrent.Wanted - torrent.Held),
            Completed = streamed ? torrent.Wanted : torrent.Held,
            Downloaded = torrent.Totals.Downloaded,
            Uploaded = torrent.Totals.Uploaded,
            DownSpeed = (long)torrent.DownRate,
            UpSpeed = (long)torrent.UpRate,
            Eta = torrent.Eta is { TotalSeconds: < UnknownEta } eta && !isDone ? (long)eta.TotalSeconds : UnknownEta,
            Seeds = torrent.Seeds,
            Leechers = torrent.Leechers,
            KnownSeeds = torrent.KnownSeeds ?? -1,
            KnownLeechers = torrent.KnownLeechers ?? -1,
            Availability = Math.Round(torrent.Availability, 3),
            Ratio = Math.Round(torrent.Ratio, 4),
            RatioLimit = RatioLimitOf(torrent),
            MaxRatio = policy.Ratio ?? NoLimit,
            SeedingTime = (long)torrent.Totals.Seeding.TotalSeconds,
            SeedingTimeLimit = own.SeedMinutes ?? GlobalLimit,
            MaxSeedingTime = (long?)policy.SeedTime?.TotalMinutes ?? NoLimit,
            InactiveLimit = own.IdleMinutes ?? GlobalLimit,
            MaxInactive = (long?)policy.IdleTime?.TotalMinutes ?? NoLimit,
            TimeActive = (long)torrent.Totals.Active.TotalSeconds,
            Priority = torrent.Position,
            DownLimit = entry.DownloadLimit ?? 0,
            UpLimit = entry.UploadLimit ?? 0,
            IsForced = torrent.IsForced,
            IsSequential = entry.IsSequential,
            IsEdgesFirst = entry.IsEdgesFirst,
            HasMetadata = torrent.IsDescribed,
            IsPrivate = torrent.IsDescribed ? torrent.IsPrivate : null,
            Tracker = torrent.Tracker ?? "",
            TrackerCount = torrent.Tracker is null ? 0 : 1,
            MagnetLink = $"magnet:?xt=urn:btih:{torrent.Hash}&dn={Uri.EscapeDataString(torrent.Name)}",
            Source = torrent,
        };
    }
}
