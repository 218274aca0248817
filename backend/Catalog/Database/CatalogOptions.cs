namespace NzbDav.Catalog.Database;

/// <summary>Where the catalog lives and how it is opened. Bound once; immutable.</summary>
public sealed record CatalogOptions
{
    /// <summary>The folder that holds all state. Made if it is missing.</summary>
    public required string ConfigFolder { get; init; }

    /// <summary>Connection string of a PostgreSQL database (Npgsql's keywords); null: SQLite, a file in the configuration folder.</summary>
    public string? Connection { get; init; }

    /// <summary>Connections that read at the same time; default 4. Reads take microseconds, so more buys little.</summary>
    public int ReadConnections { get; init; } = 4;

    /// <summary>How long to wait for another process that writes; default 10 s.</summary>
    public TimeSpan BusyTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a change made by another process may stay unseen by caches; default 1 s.</summary>
    public TimeSpan ForeignChangeInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Default of <see cref="ConnectionLeaseTime"/>: a server that is away for a minute interrupts no stream.</summary>
    public static readonly TimeSpan DefaultConnectionLeaseTime = TimeSpan.FromSeconds(80);

    /// <summary>
    /// How long a gateway's shares of connections last without a renewal (<see cref="Gateways.ConnectionLeaseStore"/>); at least 10 s.
    /// Longer:
    /// streams go on for longer without the database. Shorter: what a killed gateway had comes to others sooner.
    /// </summary>
    public TimeSpan ConnectionLeaseTime { get; init; } = DefaultConnectionLeaseTime;

    /// <summary>Paths kept in memory by the tree, about 300 bytes each; default 16,384.</summary>
    public int CachedPaths { get; init; } = 16_384;

    /// <summary>Where backups go; default <c>backups/</c> in the configuration folder.</summary>
    public string BackupFolder
    {
        get => field ?? Path.Combine(ConfigFolder, "backups");
        init;
    }

    /// <summary>False if the database does not exist yet. True for one on a server, which is not asked.</summary>
    public bool IsThere => Connection is not null || File.Exists(DatabasePath);

    /// <summary>The database file, if it is one.</summary>
    public string DatabasePath => Path.Combine(ConfigFolder, "nzbdav.sqlite");

    /// <summary>The folder of the reconstructed articles.</summary>
    public string PatchFolder => Path.Combine(ConfigFolder, "patches");

    /// <summary>A folder for the blobs of a catalog in PostgreSQL, the same for all its gateways; null: they are in the database. Not used
    /// with SQLite.</summary>
    public string? SharedBlobFolder { get; init; }

    /// <summary>True if blobs are rows of the database; false: they are files in <see cref="BlobFolder"/>.</summary>
    public bool HasBlobsInDatabase => Connection is not null && SharedBlobFolder is null;

    /// <summary>The folder of the blobs. If they are in the database: the folder in which earlier versions kept them, from which they are
    /// still read.</summary>
    public string BlobFolder => Connection is not null && SharedBlobFolder is { } shared ? shared : Path.Combine(ConfigFolder, "blobs");

    /// <summary>The folder of the copies of blobs that are in the database.</summary>
    public string BlobCacheFolder => Path.Combine(ConfigFolder, "cache", "blobs");

    /// <summary>The most bytes in <see cref="BlobCacheFolder"/>; default 1 GiB.</summary>
    public long BlobCacheBytes { get; init; } = 1L << 30;
}
