using System.Diagnostics.Metrics;
using Microsoft.AspNetCore.Connections;
using NzbDav.Access;
using NzbDav.Access.Connections;
using NzbDav.Access.Options;
using NzbDav.Api.Native.Play;
using NzbDav.Catalog.Properties;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.Host.About;
using NzbDav.Host.Arrs;
using NzbDav.Host.Changing;
using NzbDav.Host.Holding;
using NzbDav.Host.Page;
using NzbDav.Host.Search;
using NzbDav.Host.Settings;
using NzbDav.Host.Sharing;
using NzbDav.Host.Status;
using NzbDav.Host.Telemetry;
using NzbDav.Host.Twins;
using NzbDav.Host.Upkeep;
using NzbDav.Host.Warming;
using NzbDav.Import.Intake;
using NzbDav.Import.Limits;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Import.Steps;
using NzbDav.Library;
using NzbDav.Library.Drop;
using NzbDav.Library.Holding;
using NzbDav.Library.Items;
using NzbDav.Library.Links;
using NzbDav.Library.Opening;
using NzbDav.Library.Pins;
using NzbDav.Library.Readers;
using NzbDav.Library.Starts;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Disk;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;
using NzbDav.WebDav;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Serving;

/// <summary>Registers the services of the server.</summary>
internal static class ServerServices
{
    /// <param name="services">The collection to add them to.</param>
    /// <param name="book">The settings.</param>
    /// <param name="live">Applies changes of the settings.</param>
    /// <param name="catalog">The catalog, open.</param>
    /// <param name="open">True: all callers may do everything.</param>
    /// <param name="time">The clock of everything but connections and their bytes.</param>
    public static void Add(
        IServiceCollection services, SettingsBook book, LiveSettings live, CatalogSet catalog, bool open, TimeProvider time)
    {
        var settings = book.Current;
        services.AddSingleton(book);
        live.AddTo(services);
        catalog.AddTo(services);
        services.AddSingleton<TimeProvider>(provider => GuardedTimers.Of(provider, time));
        services.AddSingleton<IMemoryPoolFactory<byte>, BlockPoolFactory>();
        services.AddTelemetry();
        services.AddSingleton(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        services.AddSingleton<BufferPool>();
        services.AddSingleton(
            provider => new PatchFolder(PatchFolder.In(catalog.Options.ConfigFolder), provider.GetRequiredService<ILogger<PatchFolder>>()));
        services.AddSingleton(provider => new UsenetClient(
            settings.Providers, provider.GetRequiredService<BufferPool>(), TimeProvider.System,
            provider.GetRequiredService<ILogger<UsenetClient>>(), provider.GetRequiredService<IMeterFactory>(),
            provider.GetRequiredService<PatchFolder>(), provider.GetRequiredService<UsageBook>(),
            provider.GetRequiredService<DiskCache>().Before, provider.GetRequiredService<Timeline>(),
            provider.GetService<ConnectionLeases>())
        {
            RefusedLoginTimeout = settings.Import.RefusedLoginTimeout,
        });
        services.AddConnectionLeases(catalog.Options);
        services.AddSingleton(provider =>
        {
            var cache = new DiskCache(GuardedTimers.Of(provider, TimeProvider.System), provider.GetRequiredService<ILogger<DiskCache>>(),
                provider.GetRequiredService<IMeterFactory>());
            cache.Apply(settings.DiskCache(catalog.Options.ConfigFolder));
            return cache;
        });
        services.AddRecordings();
        services.AddSingleton<UsageBook>();
        services.AddSingleton<AccountUsageStore>();
        services.AddHostedService<UsageKeeper>();
        services.AddHostedService<UsenetService>();
        services.AddSingleton<CatalogMark>().AddHostedService<PatchKeeper>();
        services.AddSingleton<BlobKeeper>().AddHostedService(static provider => provider.GetRequiredService<BlobKeeper>());
        services.AddHostedService<OpenProviders>();

        services.AddSingleton<NzbIntake>();
        services.AddSingleton<TorrentIntake>();
        TorrentSetup.AddTo(services, settings, catalog.Options.ConfigFolder);
        if (catalog.Options.Connection is not null)
            TorrentSharing.AddTo(services, settings, catalog);
        services.AddSingleton<ImportEvents>();
        services.AddSingleton<IImportEvents>(provider => provider.GetRequiredService<ImportEvents>());
        services.AddSingleton<QueueSwitch>();
        services.AddSingleton(RepairMemory.Of((long)settings.MemoryBudgetMiB << 20));
        services.AddSingleton<ImportWorker>();
        services.AddSingleton<ImportPreview>();
        services.AddSingleton<ILayoutCorrector, LayoutCorrector>();
        services.AddSingleton<RepairStore>();
        services.AddSingleton<JobOutcome>();
        services.AddHostedService<ImportQueue>();
        services.AddHostedService<FolderWatch>();

        services.AddApis();
        services.AddPage();
        services.AddStatus();
        services.AddSingleton<ArrInstances>().AddSingleton<RepairRequests>();
        services.AddSingleton<ReleaseSearch>();
        services.AddSingleton<IReleaseSearch>(static provider => provider.GetRequiredService<ReleaseSearch>());
        services.AddHostedService(provider => provider.GetRequiredService<ArrInstances>());
        services.AddHostedService<StalledTorrents>().AddHostedService<ReadyTorrents>();
        services.AddHolding();
        services.AddSingleton<TwinKeeper>().AddHostedService(provider => provider.GetRequiredService<TwinKeeper>());
        services.AddUpkeep();
        services.AddSingleton<IAdmissionListener, KeptConnections>();
        services.AddAccess(
            Path.Combine(catalog.Options.ConfigFolder, "keys"), new ServerFacts(Build.Version, live.IsDemo, live.IsAnonymous, open),
            book.Current.KeySecret);
        services.AddSingleton<WarmReaders>();
        services.AddSingleton(provider => new PinStore(
            PinStore.In(catalog.Options.ConfigFolder), (long)settings.StartsMiB << 20, provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ILogger<PinStore>>()));
        services.AddSingleton<ContentOpener>();
        services.AddSingleton<StartPinner>();
        services.AddSingleton<MountKeeper>().AddHostedService(provider => provider.GetRequiredService<MountKeeper>());
        services.AddSingleton<StartKeeper>().AddHostedService(provider => provider.GetRequiredService<StartKeeper>());
        services.AddHostedService<PinSweeper>();
        services.AddSingleton<INzbDrop, NzbDrop>();
        services.AddSingleton(new LibraryCatalog(
            catalog.Tree, catalog.Jobs, catalog.Blobs, catalog.Links, catalog.Holds, catalog.Unwanted, catalog.Aliases));
        if (catalog.Options.Connection is not null)
            services.AddSingleton<ILockBook>(new LibraryLocks(new LockStore(catalog.Database)));
        services.AddSingleton<IDeadProperties, LibraryProperties>().AddSingleton<IOtherLinks>(new MovedLinks(catalog.Aliases));
        services.AddSingleton(provider => new LibraryStore(
            provider.GetRequiredService<LibraryCatalog>(),
            provider.GetRequiredService<ContentOpener>(),
            provider.GetRequiredService<INzbDrop>(),
            live.Library,
            TimeProvider.System,
            live.Scratch,
            provider.GetRequiredService<ViewLinks>(),
            provider.GetRequiredService<ILogger<LibraryStore>>(),
            provider.GetRequiredService<LibraryKeeper>()));
        services.AddSingleton(provider => new WarmUpStore(provider.GetRequiredService<LibraryStore>()));
        services.AddSingleton<IStore>(provider => provider.GetRequiredService<WarmUpStore>());
        services.AddSingleton<WarmUp>().AddHostedService(provider => provider.GetRequiredService<WarmUp>());
        services.AddWebDav(options => options.Anonymous = live.IsAnonymous);
        services.AddSingleton(new LinkKeys(catalog.Options.ConfigFolder))
            .AddSingleton(provider => provider.GetRequiredService<LinkKeys>().Open(provider.GetRequiredService<TimeProvider>()));
        services.Configure<HostOptions>(options =>
        {
            options.ShutdownTimeout = NzbDavServer.StopLimit;

            // A bug in a background service (a watched folder, a ledger) must not end the streams. The host logs it; the other services
            // continue.
            options.BackgroundServiceExceptionBehavior = BackgroundServiceExceptionBehavior.Ignore;
        });
    }

    /// <summary>Keeps the connections of players that have signed in.</summary>
    private sealed class KeptConnections : IAdmissionListener
    {
        public void Admitted(HttpContext http) => ConnectionSlot.Keep(http);
    }
}

/// <summary>Opens the providers' connections when the process starts.</summary>
internal sealed class UsenetService(UsenetClient client) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        client.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>Clocks whose timers never end the process: a bug in one must not end the streams.</summary>
internal sealed partial class GuardedTimers
{
    /// <param name="provider">The container; its log receives what a timer threw.</param>
    /// <param name="time">The clock.</param>
    public static GuardedTime Of(IServiceProvider provider, TimeProvider time) => new(
        time,

        // Resolve the logger only now: loggers need a clock.
        fault => LogFault(provider.GetRequiredService<ILogger<GuardedTimers>>(), fault));

    [LoggerMessage(473, LogLevel.Error, "An internal error in a timer. The server goes on. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
