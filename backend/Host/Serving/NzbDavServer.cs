using System.Diagnostics.Metrics;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using NzbDav.Api.Sab;
using NzbDav.Content;
using NzbDav.Host.Health;
using NzbDav.Host.Logging;
using NzbDav.Host.Operations;
using NzbDav.Host.Settings;
using NzbDav.Host.Stopping;
using NzbDav.Host.Telemetry;
using NzbDav.Host.Warming;
using NzbDav.Import;
using NzbDav.Library;
using NzbDav.Torrents;
using NzbDav.Usenet;
using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>The whole server, put together: catalog, Usenet, torrents, imports, WebDAV, health. Owned by whoever created it.</summary>
public sealed class NzbDavServer : IAsyncDisposable
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

    /// <summary>What it is made of.</summary>
    public IServiceProvider Services => _app.Services;

    /// <summary>Puts everything together without serving yet.</summary>
    /// <param name="settings">Checked settings.</param>
    /// <param name="folder">The configuration folder; exists, and no other process imports into it.</param>
    /// <param name="urls">Where to listen; null for the default.</param>
    /// <param name="demo">Open without a password, and therefore on loopback only, unless credentials are set.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="Catalog.CatalogException">The catalog cannot be opened.</exception>
    /// <exception cref="ServerStartException">The settings contradict each other.</exception>
    public static async Task<NzbDavServer> CreateAsync(NzbDavSettings settings, string folder, string? urls, bool demo, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var anonymous = demo && !settings.HasWebDavCredentials;
        var addresses = ListenAddresses.Parse(urls ?? (demo ? DemoUrls : DefaultUrls));
        if (anonymous && Array.Find(addresses, address => !ListenAddresses.IsLoopback(address)) is { } open)
            throw new ServerStartException($"the demo without a password listens on loopback only, not on {open}: leave --urls out, or set NzbDav__WebDav__Username and NzbDav__WebDav__Password.");

        var catalog = await CatalogSet.OpenAsync(settings.Catalog(folder), TimeProvider.System, cancellationToken);
        try
        {
            var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
            builder.WebHost.UseUrls(addresses);
            builder.WebHost.UseKestrelHttpsConfiguration();
            builder.WebHost.ConfigureKestrel(WebDavServerLimits.Apply);
            var secrets = SecretFilter.Of(settings);
            Logs.Use(builder.Logging, folder, settings.Operations, secrets);
            AddServices(builder.Services, settings, catalog, anonymous, secrets);
            builder.Services.AddOperations(settings, secrets);
            var app = builder.Build();
            app.UseDrain();
            app.MapWebDav("/dav");
            app.MapViewLinks();
            app.MapSab();
            app.MapHealth();
            app.MapMetrics();
            app.MapOperations();
            app.MapGet("/", () => Results.Content("<!doctype html><title>NzbDav</title><h1>NzbDav</h1><p>WebDAV: <a href=\"dav/\">/dav/</a></p>", "text/html"));
            var server = new NzbDavServer(app, catalog, addresses);
            await server.PrepareAsync(settings, cancellationToken);
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
        }
        catch (Exception e) when (e is IOException or SocketException or FormatException or ArgumentException or InvalidOperationException)
        {
            // Taken, not ours, no address at all, no certificate: Kestrel has an exception type for each.
            var why = e.Message.Split('\n')[0].TrimEnd('\r', '.');
            throw new ServerStartException($"it cannot listen on {string.Join(" and ", _addresses)}: {why}. Another address: --urls http://localhost:8081.", e);
        }
    }

    /// <summary>Waits for SIGTERM, SIGINT or the token.</summary>
    public Task WaitForShutdownAsync(CancellationToken cancellationToken) => _app.WaitForShutdownAsync(cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
        await _catalog.DisposeAsync();
    }

    private static void AddServices(IServiceCollection services, NzbDavSettings settings, CatalogSet catalog, bool anonymous, SecretFilter secrets)
    {
        catalog.AddTo(services);
        services.AddSingleton(TimeProvider.System);
        services.AddSingleton<IMemoryPoolFactory<byte>, BlockPoolFactory>();
        services.AddTelemetry();
        services.AddSingleton(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        services.AddSingleton<BufferPool>();
        services.AddSingleton(provider => new UsenetClient(
            settings.Providers, provider.GetRequiredService<BufferPool>(), TimeProvider.System, provider.GetRequiredService<ILogger<UsenetClient>>(), provider.GetRequiredService<IMeterFactory>()));
        services.AddHostedService<UsenetService>();

        services.AddSingleton(settings.Import);
        services.AddSingleton<NzbIntake>();
        services.AddSingleton<TorrentIntake>();
        TorrentSetup.AddTo(services, settings, catalog.Options.ConfigFolder);
        services.AddSingleton<ImportEvents>();
        services.AddSingleton<IImportEvents>(provider => provider.GetRequiredService<ImportEvents>());
        services.AddSingleton<QueueSwitch>();
        services.AddSingleton<ImportWorker>();
        services.AddSingleton<JobOutcome>();
        services.AddHostedService<ImportQueue>();
        services.AddHostedService<FolderWatch>();

        services.AddApis(settings, catalog.Options.ConfigFolder, secrets);
        services.AddSingleton<WarmReaders>();
        services.AddSingleton<ContentOpener>();
        services.AddSingleton<INzbDrop, NzbDrop>();
        services.AddSingleton(new LibraryCatalog(catalog.Tree, catalog.Jobs, catalog.Blobs, catalog.Links));
        services.AddSingleton(settings.Library(catalog.Options.ConfigFolder));
        services.AddSingleton<IDeadProperties, LibraryProperties>();
        services.AddSingleton(provider => new LibraryStore(
            provider.GetRequiredService<LibraryCatalog>(),
            provider.GetRequiredService<ContentOpener>(),
            provider.GetRequiredService<INzbDrop>(),
            provider.GetRequiredService<LibraryOptions>(),
            TimeProvider.System,
            provider.GetRequiredService<LibraryOptions>().ScratchFolder is { } scratch ? new ScratchFolder(scratch, provider.GetRequiredService<BufferPool>(), TimeProvider.System) : null));
        services.AddSingleton(provider => new WarmUpStore(provider.GetRequiredService<LibraryStore>()));
        services.AddSingleton<IStore>(provider => provider.GetRequiredService<WarmUpStore>());
        services.AddSingleton(settings);
        services.AddHostedService<WarmUp>();
        services.AddWebDav(options => options.Anonymous = anonymous);
        services.AddSingleton(_ => new ViewLinks(SecretKey.ReadOrMake(Path.Combine(catalog.Options.ConfigFolder, "keys", "view"), ViewLinks.KeyLength)));
        if (settings.HasWebDavCredentials)
            services.AddSingleton<ICredentialCheck>(new FixedCredentialCheck(settings.WebDavUsername!, settings.WebDavPassword!));
        services.Configure<HostOptions>(options => options.ShutdownTimeout = StopLimit);
    }

    private async Task PrepareAsync(NzbDavSettings settings, CancellationToken cancellationToken)
    {
        NzbIntake.RemoveLeftovers(_catalog.Options);
        await _catalog.Collector.SweepOrphansAsync(cancellationToken);
        await _catalog.Jobs.ReleaseAllAsync(cancellationToken);
        await Services.GetRequiredService<SpeedLimitKeeper>().RestoreAsync(cancellationToken);

        // Now, so that it sees the first read.
        Services.GetRequiredService<StreamTraces>();

        // Now, so that a port that is taken stops the start.
        Services.GetService<TorrentSessions>();
        await Services.GetRequiredService<LibraryStore>().EnsureRootsAsync(settings.Categories, cancellationToken);
    }
}
