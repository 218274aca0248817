using NzbDav.Access;
using NzbDav.Api.QBittorrent;
using NzbDav.Catalog;
using NzbDav.Import;
using NzbDav.Library;
using NzbDav.Library.Export;
using NzbDav.Library.Filling;
using NzbDav.Library.Health;
using NzbDav.Library.Holding;
using NzbDav.Usenet.Disk;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Settings;

/// <summary>All that is configured, checked. Immutable: a change is another record.</summary>
public sealed record NzbDavSettings
{
    /// <summary>The accounts; none is allowed, but then nothing can be played.</summary>
    public IReadOnlyList<ProviderOptions> Providers { get; init; } = [];

    /// <summary>The number of each account in the settings: <c>Usenet:Providers:NUMBER</c>. Ascending, perhaps with gaps.</summary>
    public IReadOnlyList<int> ProviderNumbers { get; init; } = [];

    /// <summary>WebDAV user; null when no credentials are set: then WebDAV is closed, except for the demo on loopback.</summary>
    public string? WebDavUsername { get; init; }

    /// <summary>WebDAV password.</summary>
    public string? WebDavPassword { get; init; }

    /// <summary>Show a folder that clients may write to as they like.</summary>
    public bool WebDavScratch { get; init; }

    /// <summary>Where the tree is mounted for those who follow links; absolute, without a slash at its end.</summary>
    public string WebDavMountPath { get; init; } = new LibraryOptions().MountPath;

    /// <summary>WebDAV deletes what a library has, or may have, a link to.</summary>
    public bool WebDavDeleteLinked { get; init; }

    /// <summary>How what libraries have no more is treated.</summary>
    public KeepingOptions Keeping { get; init; } = new();

    /// <summary>How posts are checked, and what is done about those that lost articles.</summary>
    public HealthOptions Health { get; init; } = new();

    /// <summary>Folders that are kept in step with categories.</summary>
    public IReadOnlyList<ExportOptions> Twins { get; init; } = [];

    /// <summary>Categories whose files the *arrs get as .strm files.</summary>
    public IReadOnlyList<string> StrmCategories { get; init; } = [];

    /// <summary>What the addresses in .strm files begin with; empty: there are none.</summary>
    public string StrmUrl { get; init; } = "";

    /// <summary>The HTTP interfaces.</summary>
    public ApiSettings Api { get; init; } = new();

    /// <summary>The qBittorrent interface.</summary>
    public QbitOptions Qbit { get; init; } = new();

    /// <summary>How people reach the server and sign in.</summary>
    public AccessOptions Access { get; init; } = new();

    /// <summary>Bound of the buffers for articles in MiB, 16 … 65,536. Torrents have their own.</summary>
    public int MemoryBudgetMiB { get; init; } = DefaultBudget.MiB;

    /// <summary>Bound of the starts of files that are kept on the disk, in MiB, 0 … 1,048,576; 0 keeps none.</summary>
    public int StartsMiB { get; init; } = 1_024;

    /// <summary>What players get in place of bytes that are gone.</summary>
    public HolePolicy Holes { get; init; }

    /// <summary>Bound of the articles that are kept on the disk, in GiB, 0 … 65,536; 0 keeps none.</summary>
    public int CacheGiB { get; init; }

    /// <summary>Where articles are kept; absolute. Null: below the configuration folder.</summary>
    public string? CacheFolder { get; init; }

    /// <summary>Readers that read as programs do which scan files give way to all others.</summary>
    public bool ScannersGiveWay { get; init; } = true;

    /// <summary>Folder in which streams are recorded as they happen; null: none are.</summary>
    public string? RecordTo { get; init; }

    /// <summary>Bound of the recordings in <see cref="RecordTo"/> in MiB, 4 … 65,536.</summary>
    public int RecordMiB { get; init; } = 256;

    /// <summary>Categories that exist from the start.</summary>
    public IReadOnlyList<string> Categories { get; init; } = ["books", "movies", "music", "other", "tv"];

    /// <summary>Largest .nzb that is taken, in MiB, 1 … 1,024.</summary>
    public int MaxNzbMiB { get; init; } = 512;

    /// <summary>The *arrs that this server talks to.</summary>
    public IReadOnlyList<ArrSettings> Arrs { get; init; } = [];

    /// <summary>How torrents are treated.</summary>
    public TorrentSettings Torrents { get; init; } = new();

    /// <summary>Backups, logs, export of metrics.</summary>
    public OperationSettings Operations { get; init; } = new();

    /// <summary>How jobs are taken in, but for the categories, the largest .nzb, and whether torrents are taken.</summary>
    internal ImportOptions ImportRules { get; init; } = new();

    /// <summary>How jobs are taken in.</summary>
    internal ImportOptions Import => ImportRules with { Categories = Categories, MaxNzbBytes = (long)MaxNzbMiB << 20, Torrents = Torrents.Enabled };

    /// <summary>What the tree shows.</summary>
    internal LibraryOptions Library => new() { MountPath = WebDavMountPath, AddressCategories = StrmCategories, AddressRoot = StrmUrl, DeletesLinked = WebDavDeleteLinked, Holes = Holes };

    /// <summary>How articles are kept on the disk.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal DiskCacheOptions DiskCache(string folder) => new(CacheFolder ?? DiskCacheOptions.In(folder), (long)CacheGiB << 30);

    /// <summary>Where the catalog and its backups are.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal CatalogOptions Catalog(string folder) => new() { ConfigFolder = folder, BackupFolder = Operations.BackupFolder ?? Path.Combine(folder, "backups") };

    /// <summary>True when WebDAV asks for a password.</summary>
    public bool HasWebDavCredentials => WebDavUsername is not null;
}
