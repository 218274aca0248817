namespace NzbDav.Seeding;

/// <summary>Why a torrent must be in its swarm.</summary>
internal enum TorrentNeed
{
    /// <summary>It need not be in its swarm.</summary>
    None,

    /// <summary>To check whether it can be read: head and tail of its main file, and a whole copy among its peers. Never waits for a turn.</summary>
    Probe,

    /// <summary>
    /// It is to be kept, and there is no room on the disk: like <see cref="Probe"/>, and it stays in its swarm. Never waits for a turn.
    /// </summary>
    Await,

    /// <summary>It is no longer kept: its data on disk goes back into the cache. Never waits for a turn.</summary>
    Release,

    /// <summary>To fetch all of its wanted files.</summary>
    Download,

    /// <summary>To seed.</summary>
    Seed,
}
