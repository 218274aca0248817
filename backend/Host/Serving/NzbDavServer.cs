using System.Diagnostics.Metrics;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using NzbDav.Access;
using NzbDav.Api.Native;
using NzbDav.Api.QBittorrent;
using NzbDav.Api.Sab;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.Host.About;
using NzbDav.Host.Arrs;
using NzbDav.Host.Health;
using NzbDav.Host.Holding;
using NzbDav.Host.Links;
using NzbDav.Host.Logging;
using NzbDav.Host.Operations;
using NzbDav.Host.Page;
using NzbDav.Host.Recording;
using NzbDav.Host.Settings;
using NzbDav.Host.Status;
using NzbDav.Host.Stopping;
using NzbDav.Host.Telemetry;
using NzbDav.Host.Twins;
using NzbDav.Host.Upkeep;
using NzbDav.Host.Warming;
using NzbDav.Import;
using NzbDav.Library;
using NzbDav.Library.Pins;
using NzbDav.Library.Starts;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Disk;
using NzbDav.Usenet.Providers.Quotas;
using NzbDav.WebDav;
using NzbDav.WebDav.Streams;

namespace NzbDav.Host.Serving;

/// <summary>The whole server, put together: catalog, Usenet, torrents, imports, WebDAV, health. Owned by whoever created it.</summary>
public sealed partial class NzbDavServer : IAsyncDisposable
{
    private const string DefaultUrls = "http://*:8080";
    private const string DemoUrls = "http://localhost:8080";

    /// <summary>What the whole stop may take: <see cref="Drain.Limit"/>, and as much again for what is written down at the end.</summary>
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(6);

    private readonly WebApplication _app;
    private readonly CatalogSet _catalog;
    private readonly string[] _addresses;

    private NzbDavServer(WebApplication app, CatalogSet catalog, string[] addresses)
    {
        _app = app;
        _catalog = catalog;
        _addresses = addresses;
    }

    /// <summary>Where it listens, once started.</summary>
    public IReadOnlyList<string> Urls => [.. _app.Urls];

    /// <summary>The settings as they are now.</summary>
    public NzbDavSettings Settings => Services.GetRequiredService<SettingsBook>().Current;

    /// <summary>What it is made of.</summary>
    public IServiceProvider Services => _app.Services;

    /// <inheritdoc cref="CreateAsync(SettingSources, string, string?, bool, bool, Func{NzbDavSettings, NzbDavSettings}?, CancellationToken)"/>
    public static Task<NzbDavServer> CreateAsync(
        SettingSources sources, string folder, string? urls, bool demo, Func<NzbDavSettings, NzbDavSettings>? overlay, CancellationToken cancellationToken) =>
        CreateAsync(sources, folder, urls, demo, open: false, overlay, cancellationToken);

    /// <summary>Puts everything together without serving yet.</summary>
    /// <param name="sources">What the environment says.</param>
    /// <param name="folder">The configuration folder; exists, and no other process imports into it.</param>
    /// <param name="urls">Where to listen; null for the default.</param>
    /// <param name="demo">Open without a password, and therefore on loopback only, unless credentials are set.</param>
    /// <param name="open">The demo listens where <paramref name="urls"/> says, although it asks for no password.</param>
    /// <param name="overlay">What is changed about the settings, whoever made them; null: nothing.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="Catalog.CatalogException">The catalog cannot be opened.</exception>
    /// <exception cref="ServerStartException">The settings contradict each other.</exception>
    public static async Task<NzbDavServer> CreateAsync(
        SettingSources sources, string folder, string? urls, bool demo, bool open, Func<NzbDavSettings, NzbDavSettings>? overlay, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(sources);
        var addresses = ListenAddresses.Parse(urls ?? (demo ? DemoUrls : DefaultUrls));
        // Before anything that is stored can be read: the folder of backups is the environment's or the usual one.
        var environment = sources.Read(new Dictionary<string, string>(StringComparer.Ordinal)).Settings;
        var restore = new RestorePlan(environment.Catalog(folder), TimeProvider.System);
        var restored = restore.Take();
        var catalog = await CatalogSet.OpenAsync(environment.Catalog(folder), TimeProvider.System, cancellationToken);
        try
        {
            var book = await ReadSettingsAsync(sources, catalog, overlay, cancellationToken);
            var live = new LiveSettings(book.Current, folder, demo, name => ApiServices.MadeKey(folder, name));
            if (live.IsAnonymous && !open && Array.Find(addresses, address => !ListenAddresses.IsLoopback(address)) is { } outside)
                throw new ServerStartException($"the demo without a password listens on loopback only, not on {outside}: leave --urls out, or set NzbDav__WebDav__Username and NzbDav__WebDav__Password.");

            var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
            builder.WebHost.UseUrls(addresses);
            builder.WebHost.UseKestrelHttpsConfiguration();
            builder.WebHost.ConfigureKestrel(WebDavServerLimits.Apply);
            Logs.Use(builder.Logging, folder, book.Current.Operations, live.Secrets);
            AddServices(builder.Services, book, live, catalog, open);
            builder.Services.AddOperations(live.Secrets, restore);
            var app = builder.Build();
            app.UseDrain();
            app.UseProxies();
            app.MapWebDav("/dav");
            app.MapViewLinks();
            app.UseAccess();
            app.UsePage();
            app.MapAccess();
            app.MapSettings();
            app.MapArrs();
            app.MapLinks(strm => app.Services.GetRequiredService<LinkKeys>().RevokeAsync(app.Services.GetRequiredService<ViewLinks>(), catalog.Aliases, strm));
            app.MapLibrary();
            app.MapUpkeep();
            app.MapNative();
            app.MapSab();
            app.MapQbit();
            app.MapHealth();
            app.MapMetrics();
            app.MapOperations();
            app.MapStatus();
            var server = new NzbDavServer(app, catalog, addresses);
            live.Attach(app.Services);
            book.Logger = app.Services.GetRequiredService<ILogger<SettingsBook>>();
            book.Changed += live.Apply;
            if (restored is not null)
                LogRestored(app.Services.GetRequiredService<ILogger<NzbDavServer>>(), restored);
            await server.PrepareAsync(book, cancellationToken);
            return server;
        }
        catch
        {
            await catalog.DisposeAsync();
            throw;
        }
    }

    /// <summary>Begins to serve.</summary>
    /// <exception cref="ServerStartException">It cannot listen there.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _app.StartAsync(cancellationToken);
            await SetupNotice.WriteAsync(Services, Urls, cancellationToken);
        }
        catch (Exception e) when (e is IOException or SocketException or FormatException or ArgumentException or InvalidOperationException)
        {
            // Taken, not ours, no address at all, no certificate: Kestrel has an exception type for each.
            var why = e.Message.Split('\n')[0].TrimEnd('\r', '.');
            throw new ServerStartException($"it cannot listen on {string.Join(" and ", _addresses)}: {why}. Another address: --urls http://localhost:8081.", e);
        }
    }

    /// <summary>Waits until the first read of a person finds everything compiled; it may come sooner, and is then slower. Ends within ten seconds of the start.</summary>
    public Task WarmAsync(CancellationToken cancellationToken) => Services.GetRequiredService<WarmUp>().Over.WaitAsync(cancellationToken);

    /// <summary>Waits for SIGTERM, SIGINT or the token.</summary>
    public Task WaitForShutdownAsync(CancellationToken cancellationToken) => _app.WaitForShutdownAsync(cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // First of all: what waits for news must hear of the end, or the stop waits for it.
        _app.Lifetime.StopApplication();
        await _app.StopAsync();
        await _app.DisposeAsync();
        await _catalog.DisposeAsync();
    }

    private static void AddServices(IServiceCollection services, SettingsBook book, LiveSettings live, CatalogSet catalog, bool open)
    {
        var settings = book.Current;
        services.AddSingleton(book);
        live.AddTo(services);
        catalog.AddTo(services);
        services.AddSingleton(TimeProvider.System);
        services.AddSingleton<IMemoryPoolFactory<byte>, BlockPoolFactory>();
        services.AddTelemetry();
        services.AddSingleton(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        services.AddSingleton<BufferPool>();
        services.AddSingleton(provider => new PatchFolder(PatchFolder.In(catalog.Options.ConfigFolder), provider.GetRequiredService<ILogger<PatchFolder>>()));
        services.AddSingleton(provider => new UsenetClient(
            settings.Providers, provider.GetRequiredService<BufferPool>(), TimeProvider.System, provider.GetRequiredService<ILogger<UsenetClient>>(), provider.GetRequiredService<IMeterFactory>(),
            provider.GetRequiredService<PatchFolder>(), provider.GetRequiredService<UsageBook>(), provider.GetRequiredService<DiskCache>().Before, provider.GetRequiredService<Timeline>()));
        services.AddSingleton(provider =>
        {
            var cache = new DiskCache(TimeProvider.System, provider.GetRequiredService<ILogger<DiskCache>>(), provider.GetRequiredService<IMeterFactory>());
            cache.Apply(settings.DiskCache(catalog.Options.ConfigFolder));
            return cache;
        });
        services.AddRecordings();
        services.AddSingleton<UsageBook>();
        services.AddSingleton<AccountUsageStore>();
        services.AddHostedService<UsageKeeper>();
        services.AddHostedService<UsenetService>();
        services.AddHostedService<PatchKeeper>();
        services.AddHostedService<OpenProviders>();

        services.AddSingleton<NzbIntake>();
        services.AddSingleton<TorrentIntake>();
        TorrentSetup.AddTo(services, settings, catalog.Options.ConfigFolder);
        services.AddSingleton<ImportEvents>();
        services.AddSingleton<IImportEvents>(provider => provider.GetRequiredService<ImportEvents>());
        services.AddSingleton<QueueSwitch>();
        services.AddSingleton<ImportWorker>();
        services.AddSingleton<ILayoutMender, LayoutMender>();
        services.AddSingleton<RepairStore>();
        services.AddSingleton<JobOutcome>();
        services.AddHostedService<ImportQueue>();
        services.AddHostedService<FolderWatch>();

        services.AddApis();
        services.AddPage();
        services.AddStatus();
        services.AddSingleton<ArrInstances>().AddSingleton<RepairRequests>();
        services.AddHostedService(provider => provider.GetRequiredService<ArrInstances>());
        services.AddHostedService<StalledTorrents>();
        services.AddHolding();
        services.AddSingleton<TwinKeeper>().AddHostedService(provider => provider.GetRequiredService<TwinKeeper>());
        services.AddUpkeep();
        services.AddSignIn(catalog.Options.ConfigFolder, new ServerFacts(Build.Version, live.IsDemo, live.IsAnonymous, open));
        services.AddSingleton<WarmReaders>();
        services.AddSingleton(provider => new PinStore(
            PinStore.In(catalog.Options.ConfigFolder), (long)settings.StartsMiB << 20, provider.GetRequiredService<TimeProvider>(), provider.GetRequiredService<ILogger<PinStore>>()));
        services.AddSingleton<ContentOpener>();
        services.AddSingleton<StartPinner>();
        services.AddSingleton<StartKeeper>().AddHostedService(provider => provider.GetRequiredService<StartKeeper>());
        services.AddHostedService<PinSweeper>();
        services.AddSingleton<INzbDrop, NzbDrop>();
        services.AddSingleton(new LibraryCatalog(catalog.Tree, catalog.Jobs, catalog.Blobs, catalog.Links, catalog.Holds, catalog.Aliases));
        services.AddSingleton<IDeadProperties, LibraryProperties>().AddSingleton<IOtherLinks>(new MovedLinks(catalog.Aliases));
        services.AddSingleton(provider => new LibraryStore(
            provider.GetRequiredService<LibraryCatalog>(),
            provider.GetRequiredService<ContentOpener>(),
            provider.GetRequiredService<INzbDrop>(),
            live.Library,
            TimeProvider.System,
            live.Scratch,
            provider.GetRequiredService<ViewLinks>()));
        services.AddSingleton(provider => new WarmUpStore(provider.GetRequiredService<LibraryStore>()));
        services.AddSingleton<IStore>(provider => provider.GetRequiredService<WarmUpStore>());
        services.AddSingleton<WarmUp>().AddHostedService(provider => provider.GetRequiredService<WarmUp>());
        services.AddWebDav(options => options.Anonymous = live.IsAnonymous);
        services.AddSingleton(new LinkKeys(catalog.Options.ConfigFolder)).AddSingleton(provider => provider.GetRequiredService<LinkKeys>().Open(provider.GetRequiredService<TimeProvider>()));
        services.Configure<HostOptions>(options => options.ShutdownTimeout = StopLimit);
    }

    /// <exception cref="ServerStartException">What the environment says is wrong.</exception>
    private static async Task<SettingsBook> ReadSettingsAsync(
        SettingSources sources, CatalogSet catalog, Func<NzbDavSettings, NzbDavSettings>? overlay, CancellationToken cancellationToken)
    {
        var (book, faults) = await SettingsBook.OpenAsync(sources, catalog.Settings, catalog.Options.ConfigFolder, overlay, cancellationToken);
        return book ?? throw new ServerStartException(string.Join(Environment.NewLine + "nzbdav: ", faults));
    }

    private async Task PrepareAsync(SettingsBook book, CancellationToken cancellationToken)
    {
        foreach (var fault in book.Ignored)
            LogIgnored(Services.GetRequiredService<ILogger<NzbDavServer>>(), fault.Path, fault.Message);
        NzbIntake.RemoveLeftovers(_catalog.Options);
        Services.GetRequiredService<UploadFolder>().RemoveLeftovers();
        var sweep = await _catalog.Collector.SweepOrphansAsync(cancellationToken);
        if (sweep.Refused)
            LogSweepRefused(Services.GetRequiredService<ILogger<NzbDavServer>>(), sweep.Orphans, sweep.Blobs, _catalog.Options.BlobFolder, _catalog.Options.DatabasePath);
        else if (sweep.Quarantined > 0 || sweep.Returned > 0)
            LogSwept(Services.GetRequiredService<ILogger<NzbDavServer>>(), sweep.Quarantined, sweep.Returned);
        await _catalog.Jobs.ReleaseAllAsync(cancellationToken);
        await _catalog.Holds.LoadAsync(cancellationToken);
        await Services.GetRequiredService<SpeedLimitKeeper>().RestoreAsync(cancellationToken);

        Services.GetRequiredService<ActiveStreams>().RecognisesScans = book.Current.ScannersGiveWay;

        // Now, so that it sees the first read.
        Services.GetRequiredService<StreamTraces>();

        // Now, so that a port that is taken stops the start.
        Services.GetService<TorrentSessions>();
        await Services.GetRequiredService<LibraryStore>().EnsureRootsAsync(book.Current.Categories, cancellationToken);
    }

    private static void LogRestored(ILogger logger, RestoreOutcome outcome)
    {
        if (outcome.Error is { } error)
            LogNotRestored(logger, outcome.Backup.Name, error);
        else if (outcome.MissingBlobs > 0)
            LogRestoredInPart(logger, outcome.Backup.Name, outcome.Backup.Created, outcome.MissingBlobs, outcome.Former);
        else
            LogRestored(logger, outcome.Backup.Name, outcome.Backup.Created, outcome.Former);
    }

    [LoggerMessage(457, LogLevel.Warning, "The backup {Backup} of {Created:u} was put back. What was there before is in {Former}: remove it when everything is well.")]
    private static partial void LogRestored(ILogger logger, string backup, DateTimeOffset created, string? former);

    [LoggerMessage(458, LogLevel.Warning, "The backup {Backup} of {Created:u} was put back, but {Missing} of its blobs were not found: the files that need them cannot be read. What was there before is in {Former}.")]
    private static partial void LogRestoredInPart(ILogger logger, string backup, DateTimeOffset created, int missing, string? former);

    [LoggerMessage(459, LogLevel.Error, "The backup {Backup} was not put back, and everything is as it was: {Reason}")]
    private static partial void LogNotRestored(ILogger logger, string backup, string reason);

    [LoggerMessage(455, LogLevel.Warning, "The database refers to none of {Orphans} of the {Blobs} blobs in {Folder}, which is more than crashes leave; none was removed. If {Database} is new or another one, stop the server and restore the newest backup (nzbdav restore FILE).")]
    private static partial void LogSweepRefused(ILogger logger, int orphans, int blobs, string folder, string database);

    [LoggerMessage(456, LogLevel.Information, "Blobs that nothing refers to: {Quarantined} moved to the quarantine, where they stay for 30 days; {Returned} returned from it.")]
    private static partial void LogSwept(ILogger logger, int quarantined, int returned);

    [LoggerMessage(452, LogLevel.Error, "The stored setting {Setting} is left out: {Reason}")]
    private static partial void LogIgnored(ILogger logger, string setting, string reason);
}
