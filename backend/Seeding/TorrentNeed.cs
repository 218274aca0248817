namespace NzbDav.Seeding;

/// <summary>What a torrent is to be in its swarm for.</summary>
internal enum TorrentNeed
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>To find out whether it can be read: head and tail of its main file, and a whole copy among its peers. Never waits.</summary>
    Probe,

    /// <summary>It is kept no more: what is on disk goes back into the cache. Never waits.</summary>
    Release,

    /// <summary>To be fetched whole.</summary>
    Download,

    /// <summary>To be seeded.</summary>
    Seed,
}
