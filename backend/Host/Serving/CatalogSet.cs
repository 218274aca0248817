using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Gateways;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Properties;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Catalog.Users;

namespace NzbDav.Host.Serving;

/// <summary>The opened catalog with its stores. Disposal closes the database.</summary>
internal sealed class CatalogSet : IAsyncDisposable
{
    private CatalogSet(CatalogOptions options, CatalogDatabase database)
    {
        Options = options;
        Database = database;
        Blobs = new BlobStore(database);
        Collector = new BlobCollector(database, Blobs);
        Maps = new ExtentMapStore(database, Blobs);
        Tree = new TreeStore(database, Collector);
        Jobs = new JobStore(database, Blobs, Collector);
        Torrents = new TorrentStore(database);
        TorrentLabels = new TorrentLabels(database);
        Settings = new SettingStore(database);
        Links = new LinkStore(database);
        SignedLinks = new SignedLinkStore(database);
        AddonKeys = new AddonKeys(database);
        Unwanted = new UnwantedItems(database);
        Holds = new HoldStore(database, Unwanted);
        Aliases = new AliasStore(database);
        Properties = new PropertyStore(database);
        Users = new UserStore(database);
        Sessions = new SessionStore(database);
        Keys = new KeyStore(database);
    }

    public CatalogOptions Options { get; }

    public CatalogDatabase Database { get; }

    public BlobStore Blobs { get; }

    public BlobCollector Collector { get; }

    public ExtentMapStore Maps { get; }

    public TreeStore Tree { get; }

    public JobStore Jobs { get; }

    public TorrentStore Torrents { get; }

    public TorrentLabels TorrentLabels { get; }

    public SettingStore Settings { get; }

    public LinkStore Links { get; }

    public SignedLinkStore SignedLinks { get; }

    public AddonKeys AddonKeys { get; }

    public HoldStore Holds { get; }

    public UnwantedItems Unwanted { get; }

    public AliasStore Aliases { get; }

    public PropertyStore Properties { get; }

    public UserStore Users { get; }

    public SessionStore Sessions { get; }

    public KeyStore Keys { get; }

    /// <exception cref="CatalogException">It cannot be opened.</exception>
    public static async Task<CatalogSet> OpenAsync(CatalogOptions options, TimeProvider time, CancellationToken cancellationToken)
    {
        return new CatalogSet(options, await CatalogOpening.OpenAsync(options, time, cancellationToken));
    }

    public void AddTo(IServiceCollection services) =>
        services.AddSingleton(Options).AddSingleton(Database).AddSingleton(Blobs).AddSingleton(Collector)
            .AddSingleton(Maps).AddSingleton(Tree).AddSingleton(Jobs).AddSingleton(Torrents).AddSingleton(TorrentLabels)
                .AddSingleton(Settings)
            .AddSingleton(Links).AddSingleton(SignedLinks).AddSingleton(AddonKeys)
            .AddSingleton(Holds).AddSingleton(Unwanted).AddSingleton<UnwantedDeleter>()
            .AddSingleton(Aliases).AddSingleton(Properties)
            .AddSingleton(Users).AddSingleton(Sessions).AddSingleton(Keys);

    public ValueTask DisposeAsync() => Database.DisposeAsync();
}
