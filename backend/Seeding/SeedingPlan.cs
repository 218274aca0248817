namespace NzbDav.Seeding;

/// <summary>Decides which torrents run, given the limits on active ones.</summary>
internal static class SeedingPlan
{
    /// <summary>Returns the info-hashes of the torrents that run.</summary>
    /// <param name="torrents">All torrents, in queue order.</param>
    /// <param name="mostDownloads">See <see cref="SeedingOptions.MaxActiveDownloads"/>; 0: no limit.</param>
    /// <param name="mostSeeds">See <see cref="SeedingOptions.MaxActiveSeeds"/>; 0: no limit.</param>
    public static IReadOnlySet<string> Decide(IEnumerable<PlannedTorrent> torrents, int mostDownloads, int mostSeeds)
    {
        var running = new HashSet<string>(StringComparer.Ordinal);
        var (downloads, seeds) = (0, 0);
        foreach (var torrent in torrents)
        {
            var isFree = torrent.IsForced || torrent.Need is TorrentNeed.Probe or TorrentNeed.Await or TorrentNeed.ReturnToCache;
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

/// <summary>Input of <see cref="SeedingPlan"/>: a torrent that may run.</summary>
/// <param name="Hash">Info-hash.</param>
/// <param name="Need">The reason to run it.</param>
/// <param name="IsForced">True if it runs regardless of the limits, and does not count towards them.</param>
/// <param name="IsSlow">True if nothing was transferred for a while: it runs without counting towards the limits.</param>
internal readonly record struct PlannedTorrent(string Hash, TorrentNeed Need, bool IsForced, bool IsSlow);

/// <summary>Why a torrent must be in its swarm.</summary>
internal enum TorrentNeed
{
    /// <summary>It need not be in its swarm.</summary>
    None,

    /// <summary>
    /// To check whether it can be read: head and tail of its main file are needed, and a whole copy among its peers. Never waits for its
    /// turn.
    /// </summary>
    Probe,

    /// <summary>
    /// It is to be kept, but the disk has no room. Like <see cref="Probe"/>, but it stays in its swarm. Never waits for its turn.
    /// </summary>
    Await,

    /// <summary>It is no longer kept: its data on disk goes back into the cache. Never waits for its turn.</summary>
    ReturnToCache,

    /// <summary>To fetch all of its wanted files.</summary>
    Download,

    /// <summary>To seed.</summary>
    Seed,
}
