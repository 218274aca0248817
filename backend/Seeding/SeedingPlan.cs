namespace NzbDav.Seeding;

/// <summary>Decides which torrents run within the limits on active ones.</summary>
internal static class SeedingPlan
{
    /// <summary>Info-hashes of the torrents that run.</summary>
    /// <param name="torrents">All torrents, ordered by turn.</param>
    /// <param name="mostDownloads">See <see cref="SeedingOptions.MaxActiveDownloads"/>; 0: no limit.</param>
    /// <param name="mostSeeds">See <see cref="SeedingOptions.MaxActiveSeeds"/>; 0: no limit.</param>
    public static IReadOnlySet<string> Decide(IEnumerable<PlannedTorrent> torrents, int mostDownloads, int mostSeeds)
    {
        var running = new HashSet<string>(StringComparer.Ordinal);
        var (downloads, seeds) = (0, 0);
        foreach (var torrent in torrents)
        {
            var isFree = torrent.IsForced || torrent.Need is TorrentNeed.Probe or TorrentNeed.Await or TorrentNeed.Release;
            var runs = torrent.Need switch
            {
                TorrentNeed.None => false,
                TorrentNeed.Download => isFree || mostDownloads == 0 || downloads < mostDownloads,
                TorrentNeed.Seed => isFree || mostSeeds == 0 || seeds < mostSeeds,
                _ => true,
            };
            if (!runs)
                continue;
            running.Add(torrent.Hash);
            if (isFree || torrent.IsSlow)
                continue;
            if (torrent.Need == TorrentNeed.Download)
                downloads++;
            else
                seeds++;
        }

        return running;
    }
}
