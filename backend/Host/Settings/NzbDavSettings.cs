using NzbDav.Access.Options;
using NzbDav.Api.Completion;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Arr.Client;
using NzbDav.Api.Native.Play;
using NzbDav.Arr.Indexers;
using NzbDav.Catalog.Database;
using NzbDav.Content.Proxies;
using NzbDav.Host.Logging;
using NzbDav.Import.Options;
using NzbDav.Library.Export;
using NzbDav.Library.Filling;
using NzbDav.Library.Health;
using NzbDav.Library.Holding;
using NzbDav.Library.Items;
using NzbDav.Mount;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Disk;

namespace NzbDav.Host.Settings;

/// <summary>All settings, validated. Immutable: a change makes another record.</summary>
public sealed record NzbDavSettings
{
    /// <summary>The accounts. There may be none, but then no posts can be played.</summary>
    public IReadOnlyList<ProviderOptions> Providers { get; init; } = [];

    /// <summary>The number of each account in the settings, <c>Usenet:Providers:NUMBER</c>: ascending, possibly with gaps.</summary>
    public IReadOnlyList<int> ProviderNumbers { get; init; } = [];

    /// <summary>WebDAV user; null when no credentials are set: then WebDAV is closed, except for the demo on loopback.</summary>
    public string? WebDavUsername { get; init; }

    /// <summary>WebDAV password.</summary>
    public string? WebDavPassword { get; init; }

    /// <summary>True to show a folder that clients may write to.</summary>
    public bool WebDavScratch { get; init; }

    /// <summary>Where the tree is mounted for programs that follow links; absolute, without a trailing slash.</summary>
    public string WebDavMountPath { get; init; } = new LibraryOptions().MountPath;

    /// <summary>The mount of this process.</summary>
    public MountOptions Mount { get; init; } = new();

    /// <summary>True if WebDAV may delete files to which a library has, or may have, a link.</summary>
    public bool WebDavDeleteLinked { get; init; }

    /// <summary>How files that libraries no longer use are treated.</summary>
    public KeepingOptions Keeping { get; init; } = new();

    /// <summary>How posts are checked, and what is done about posts with missing articles.</summary>
    public HealthOptions Health { get; init; } = new();

    /// <summary>Folders that are kept in step with categories.</summary>
    public IReadOnlyList<ExportOptions> Twins { get; init; } = [];

    /// <summary>Categories whose files are offered to the *arrs as .strm files.</summary>
    public IReadOnlyList<string> StrmCategories { get; init; } = [];

    /// <summary>The beginning of the addresses in .strm files; empty: there are none.</summary>
    public string StrmUrl { get; init; } = "";

    /// <summary>The HTTP interfaces.</summary>
    public ApiSettings Api { get; init; } = new();

    /// <summary>The qBittorrent interface.</summary>
    public QbitOptions Qbit { get; init; } = new();

    /// <summary>How people reach the server and sign in.</summary>
    public AccessOptions Access { get; init; } = new();

    /// <summary>Limit of the buffers for articles in MiB, 16 … 65,536. Torrents have their own.</summary>
    public int MemoryBudgetMiB { get; init; } = DefaultBudget.MiB;

    /// <summary>Limit of the starts of files kept on disk, in MiB, 0 … 1,048,576; 0 keeps none.</summary>
    public int StartsMiB { get; init; } = 1_024;

    /// <summary>What players get in place of missing bytes.</summary>
    public HolePolicy Holes { get; init; }

    /// <summary>Limit of the articles kept on disk, in GiB, 0 … 65,536; 0 keeps none.</summary>
    public int CacheGiB { get; init; }

    /// <summary>Folder of these articles; absolute. Null: below the configuration folder.</summary>
    public string? CacheFolder { get; init; }

    /// <summary>True: readers that look like programs that scan files yield to all others.</summary>
    public bool ScannersYield { get; init; } = true;

    /// <summary>Folder in which streams are recorded; null: they are not recorded.</summary>
    public string? RecordTo { get; init; }

    /// <summary>Limit of the recordings in <see cref="RecordTo"/> in MiB, 4 … 65,536.</summary>
    public int RecordMiB { get; init; } = 256;

    /// <summary>Categories that exist from the start.</summary>
    public IReadOnlyList<string> Categories { get; init; } = ["books", "movies", "music", "other", "tv"];

    /// <summary>Largest .nzb that is accepted, in MiB, 1 … 1,024.</summary>
    public int MaxNzbMiB { get; init; } = DefaultBudget.NzbMiB;

    /// <summary>The configured *arrs.</summary>
    public IReadOnlyList<ArrSettings> Arrs { get; init; } = [];

    /// <summary>The indexers that are searched for what to play, beside those of each Prowlarr.</summary>
    public IReadOnlyList<IndexerOptions> Indexers { get; init; } = [];

    /// <summary>Settings of searches.</summary>
    public SearchOptions Search { get; init; } = new();

    /// <summary>Settings of torrents.</summary>
    public TorrentSettings Torrents { get; init; } = new();

    /// <summary>Backups, logs, export of metrics.</summary>
    public OperationSettings Operations { get; init; } = new();

    /// <summary>Options of imports, except the categories, the largest .nzb, and whether torrents are accepted.</summary>
    internal ImportOptions ImportRules { get; init; } = new();

    /// <summary>Options of imports.</summary>
    internal ImportOptions Import =>
        ImportRules with { Categories = Categories, MaxNzbBytes = (long)MaxNzbMiB << 20, Torrents = Torrents.Enabled };

    /// <summary>Options of the tree.</summary>
    internal LibraryOptions Library => new()
    {
        MountPath = WebDavMountPath,
        AddressCategories = StrmCategories,
        AddressRoot = StrmUrl,
        DeletesLinked = WebDavDeleteLinked,
        Holes = Holes
    };

    /// <summary>Options of the articles kept on disk.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal DiskCacheOptions DiskCache(string folder) => new(CacheFolder ?? DiskCacheOptions.In(folder), (long)CacheGiB << 30);

    /// <summary>Connection string of the catalog's PostgreSQL database, which only the environment can set; null: SQLite in the
    /// configuration folder.</summary>
    internal string? CatalogConnection { get; init; }

    /// <summary>
    /// Folder of the blobs of a catalog in PostgreSQL, which only the environment can set; null: they are in the database.
    /// </summary>
    internal string? CatalogBlobs { get; init; }

    /// <summary>
    /// Where the other gateways on the same catalog reach this one, without URL base and trailing slash; only the environment can set it.
    /// Null: by the name of this machine.
    /// </summary>
    internal string? GatewayAddress { get; init; }

    /// <summary>
    /// How long this gateway keeps its shares of connections without renewing them, which only the environment can set; null: the default.
    /// </summary>
    internal TimeSpan? GatewayLease { get; init; }

    /// <summary>
    /// Encrypts the keys of sessions and secrets in the configuration folder, which only the environment can set; null: they are stored in
    /// plain text.
    /// </summary>
    internal string? KeySecret { get; init; }

    /// <summary>Where the catalog and its backups are.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal CatalogOptions Catalog(string folder) => new()
    {
        ConfigFolder = folder,
        Connection = CatalogConnection,
        SharedBlobFolder = CatalogBlobs,
        ConnectionLeaseTime = GatewayLease ?? CatalogOptions.DefaultConnectionLeaseTime,
        BackupFolder = Operations.BackupFolder ?? Path.Combine(folder, "backups"),
    };

    /// <summary>True when WebDAV asks for a password.</summary>
    public bool HasWebDavCredentials => WebDavUsername is not null;
}

/// <summary>The validated settings of the HTTP interfaces.</summary>
public sealed record ApiSettings
{
    /// <summary>The key for everything; null: one is generated at the first start.</summary>
    public string? Key { get; init; }

    /// <summary>The key for programs that use this server as their download client; null: one is generated at the first start.</summary>
    public string? ClientKey { get; init; }

    /// <summary>The key that may only add jobs; null: there is none.</summary>
    public string? AddKey { get; init; }

    /// <summary>The key that may only read; null: there is none.</summary>
    public string? ReadKey { get; init; }

    /// <summary>See <see cref="NzbDav.Api.Sab.Calls.SabOptions.PrivateHosts"/>.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>See <see cref="NzbDav.Api.Sab.Calls.SabOptions.UserAgent"/>.</summary>
    public string UserAgent { get; init; } = NzbDav.Api.Sab.Calls.SabOptions.DefaultUserAgent;

    /// <summary>See <see cref="NzbDav.Api.Sab.Calls.SabOptions.Proxy"/>.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>Bandwidth of the line to the providers, in Mbit/s; null: not known.</summary>
    public int? LineMegabits { get; init; }

    /// <summary>The rclone that mounts the tree; null: there is none to notify.</summary>
    public RcloneOptions? Rclone { get; init; }
}

/// <summary>A configured Sonarr, Radarr, Lidarr or Prowlarr. Immutable.</summary>
public sealed record ArrSettings
{
    /// <summary>Its number in the settings.</summary>
    public required int Number { get; init; }

    /// <summary>Its name here.</summary>
    public required string Name { get; init; }

    /// <summary>Its address and key.</summary>
    public required ArrOptions Options { get; init; }

    /// <summary>The category of its downloads here.</summary>
    public required string Category { get; init; }

    /// <summary>True: stuck imports are removed from its queue by <see cref="Arr.Queue.QueueRule.Defaults"/>.</summary>
    public bool TidiesQueue { get; init; }

    /// <summary>The path of its library as it sees it, and the same folder as this server sees it; null: both see the same path.</summary>
    public (string Theirs, string Here)? Library { get; init; }
}

/// <summary>Settings for operating and monitoring the server: backups, logs, export of metrics. Immutable.</summary>
public sealed record OperationSettings
{
    /// <summary>Hours between backups, 0 … 8,760; 0: no scheduled backups.</summary>
    public int BackupEveryHours { get; init; } = 24;

    /// <summary>Number of backups that are kept, 1 … 1,000. Those made before an upgrade are counted separately.</summary>
    public int BackupKeep { get; init; } = 7;

    /// <summary>Folder of backups, absolute; null: <c>backups/</c> in the configuration folder.</summary>
    public string? BackupFolder { get; init; }

    /// <summary>Log levels.</summary>
    public LogLevels LogLevels { get; init; } = new();

    /// <summary>True: each line on the console is a JSON object.</summary>
    public bool LogJson { get; init; }

    /// <summary>Collector of metrics and traces; null: none.</summary>
    public OtlpSettings? Otlp { get; init; }
}

/// <summary>A collector that accepts OTLP, the protocol of OpenTelemetry.</summary>
/// <param name="Endpoint">Its address, without the path of a signal: <c>http://collector:4318</c>.</param>
/// <param name="Grpc">True for gRPC, false for protobuf over HTTP.</param>
/// <param name="Headers"><c>name=value</c>, separated by commas; null: none. Secret.</param>
public sealed record OtlpSettings(Uri Endpoint, bool Grpc, string? Headers);

/// <summary>The default budget of payload buffers, and of an .nzb: fixed shares of the machine's memory, within bounds.</summary>
internal static class DefaultBudget
{
    /// <summary>
    /// The least on any machine: 114 articles of read-ahead, which a line of 1 Gbit/s has in flight during a round trip of half a second.
    /// The process then stays below 220 MB.
    /// </summary>
    internal const int LeastMiB = 90;

    /// <summary>Four seconds at 1 Gbit/s: the read-ahead of readers.</summary>
    internal const int MostMiB = 512;

    /// <summary>Half a percent of the memory: 120 MiB of 24 GiB, 160 of 32, 320 of 64.</summary>
    internal const int PartOfMemory = 200;

    /// <summary>The budget of this machine. In a container with a memory limit the runtime counts three quarters of the limit.</summary>
    public static int MiB { get; } = Of(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>The budget of a machine with this many bytes of memory.</summary>
    internal static int Of(long memory) => (int)Math.Clamp((memory >> 20) / PartOfMemory, LeastMiB, MostMiB);

    /// <summary>
    /// The largest .nzb on this machine, in MiB: a quarter of the memory, as an import takes about as much memory as its .nzb has bytes.
    /// 96 MiB in a container of 512 MiB, of which the runtime counts three quarters; a post of 500 GB has 80 MB.
    /// </summary>
    public static int NzbMiB { get; } = NzbOf(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>The largest .nzb on a machine with this many bytes of memory.</summary>
    internal static int NzbOf(long memory) => (int)Math.Clamp((memory >> 20) / 4, 32, 512);
}
