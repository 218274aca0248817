namespace NzbDav.Catalog.Database;

/// <summary>Where the catalog lives and how it is opened. Bound once; immutable.</summary>
public sealed record CatalogOptions
{
    /// <summary>The folder that holds all state. Created if it is missing.</summary>
    public required string ConfigFolder { get; init; }

    /// <summary>Connection string of a PostgreSQL database (Npgsql's keywords); null: SQLite, a file in the configuration folder.</summary>
    public string? Connection { get; init; }

    /// <summary>Connections that read at the same time; default 4. Reads take microseconds, so more gain little.</summary>
    public int ReadConnections { get; init; } = 4;

    /// <summary>How long to wait for another process's write; default 10 s.</summary>
    public TimeSpan BusyTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long caches may miss a change by another process; default 1 s.</summary>
    public TimeSpan ForeignChangeInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Default of <see cref="ConnectionLeaseTime"/>: a server outage of a minute interrupts no stream.</summary>
    public static readonly TimeSpan DefaultConnectionLeaseTime = TimeSpan.FromSeconds(80);

    /// <summary>
    /// How long a gateway's connection leases last without renewal (<see cref="Gateways.ConnectionLeaseStore"/>); at least 10 s. Longer:
    /// streams survive a longer database outage. Shorter: the connections of a killed gateway are free sooner.
    /// </summary>
    public TimeSpan ConnectionLeaseTime { get; init; } = DefaultConnectionLeaseTime;

    /// <summary>Paths cached by the tree, about 300 bytes each; default 16,384.</summary>
    public int CachedPaths { get; init; } = 16_384;

    /// <summary>Where backups go; default <c>backups/</c> in the configuration folder.</summary>
    public string BackupFolder
    {
        get => field ?? Path.Combine(ConfigFolder, "backups");
        init;
    }

    /// <summary>False if the database does not exist yet. Always true with a server, which is not asked.</summary>
    public bool IsThere => Connection is not null || File.Exists(DatabasePath);

    /// <summary>The SQLite database file; not used with PostgreSQL.</summary>
    public string DatabasePath => Path.Combine(ConfigFolder, "nzbdav.sqlite");

    /// <summary>The folder of the reconstructed articles.</summary>
    public string PatchFolder => Path.Combine(ConfigFolder, "patches");

    /// <summary>
    /// A folder for the blobs of a PostgreSQL catalog, shared by all its gateways; null: they are in the database. Not used with SQLite.
    /// </summary>
    public string? SharedBlobFolder { get; init; }

    /// <summary>True if blobs are rows of the database; false if they are files in <see cref="BlobFolder"/>.</summary>
    public bool HasBlobsInDatabase => Connection is not null && SharedBlobFolder is null;

    /// <summary>
    /// The folder of the blobs. With blobs in the database: the folder where earlier versions kept them, which is still read.
    /// </summary>
    public string BlobFolder => Connection is not null && SharedBlobFolder is { } shared ? shared : Path.Combine(ConfigFolder, "blobs");

    /// <summary>Local cache of the blobs that are in the database.</summary>
    public string BlobCacheFolder => Path.Combine(ConfigFolder, "cache", "blobs");

    /// <summary>Size limit of <see cref="BlobCacheFolder"/>; default 1 GiB.</summary>
    public long BlobCacheBytes { get; init; } = 1L << 30;
}
