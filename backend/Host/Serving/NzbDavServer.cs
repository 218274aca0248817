using System.Net.Sockets;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using NzbDav.Access;
using NzbDav.Access.Accounts;
using NzbDav.Api.Native;
using NzbDav.Api.Native.Links;
using NzbDav.Api.QBittorrent;
using NzbDav.Api.Sab;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Api.Stremio;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Torrents;
using NzbDav.Host.Arrs;
using NzbDav.Host.Changing;
using NzbDav.Host.Health;
using NzbDav.Host.Holding;
using NzbDav.Host.Logging;
using NzbDav.Host.Operations;
using NzbDav.Host.Page;
using NzbDav.Host.Settings;
using NzbDav.Host.Sharing;
using NzbDav.Host.Status;
using NzbDav.Host.Telemetry;
using NzbDav.Host.Upkeep;
using NzbDav.Host.Warming;
using NzbDav.Import.Intake;
using NzbDav.Library;
using NzbDav.Torrents.Sessions;
using NzbDav.WebDav;
using NzbDav.WebDav.Streams;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Serving;

/// <summary>The whole server: catalog, Usenet, torrents, imports, WebDAV, health. Owned by its creator.</summary>
public sealed partial class NzbDavServer : IAsyncDisposable
{
    private const string DefaultUrls = "http://*:8080";
    private const string DemoUrls = "http://localhost:8080";

    /// <summary>Time limit of the whole stop: <see cref="Drain.Limit"/>, and as much again to store state at the end.</summary>
    internal static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(6);

    /// <summary>
    /// The server's own setting for HTTP/2. Kodi and nPlayer fail over HTTP/2, which they agree to when the server offers it with its
    /// certificate; so it does not, unless this asks for it. A reverse proxy speaks HTTP/2 to browsers and HTTP/1.1 to this server
    /// anyway.
    /// </summary>
    private const string ProtocolsSetting = "Kestrel:EndpointDefaults:Protocols";

    private readonly WebApplication _app;
    private readonly CatalogSet _catalog;
    private readonly string[] _addresses;

    private NzbDavServer(WebApplication app, CatalogSet catalog, string[] addresses)
    {
        _app = app;
        _catalog = catalog;
        _addresses = addresses;
    }

    /// <summary>The addresses it listens on, once started.</summary>
    public IReadOnlyList<string> Urls => [.. _app.Urls];

    /// <summary>The current settings.</summary>
    public NzbDavSettings Settings => Services.GetRequiredService<SettingsBook>().Current;

    /// <summary>Its services.</summary>
    public IServiceProvider Services => _app.Services;

    /// <summary>Creates the server without starting it; its demo listens on loopback only.</summary>
    public static Task<NzbDavServer> CreateAsync(
        SettingSources sources, string folder, string? urls, bool demo, Func<NzbDavSettings, NzbDavSettings>? overlay,
        CancellationToken cancellationToken) =>
        CreateAsync(sources, folder, urls, demo, open: false, overlay, cancellationToken);

    /// <summary>Creates the server without starting it.</summary>
    /// <param name="sources">The settings of the environment.</param>
    /// <param name="folder">The configuration folder. It must exist, and no other process may import into it.</param>
    /// <param name="urls">The addresses to listen on; null for the default.</param>
    /// <param name="demo">Open without a password, and therefore on loopback only, unless credentials are set.</param>
    /// <param name="open">The demo may listen on any address in <paramref name="urls"/>, although it asks for no password.</param>
    /// <param name="overlay">Changes to the settings, applied last; null: none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="NzbDav.Catalog.Database.CatalogException">The catalog cannot be opened.</exception>
    /// <exception cref="ServerStartException">The settings contradict each other.</exception>
    public static Task<NzbDavServer> CreateAsync(
        SettingSources sources, string folder, string? urls, bool demo, bool open, Func<NzbDavSettings, NzbDavSettings>? overlay,
        CancellationToken cancellationToken) =>
        CreateAsync(sources, folder, urls, demo, open, overlay, TimeProvider.System, cancellationToken);

    /// <summary>The same with another clock for everything but connections and their bytes.</summary>
    internal static async Task<NzbDavServer> CreateAsync(
        SettingSources sources, string folder, string? urls, bool demo, bool open, Func<NzbDavSettings, NzbDavSettings>? overlay,
        TimeProvider time, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(sources);
        var addresses = ListenAddresses.Parse(urls ?? (demo ? DemoUrls : DefaultUrls));
        // Before any stored setting can be read: the backup folder is that of the environment, or the default.
        var environment = sources.Read(new Dictionary<string, string>(StringComparer.Ordinal)).Settings;
        var restore = new RestorePlan(environment.Catalog(folder), time);
        var restored = restore.Apply();
        var catalog = await CatalogSet.OpenAsync(environment.Catalog(folder), time, cancellationToken);
        try
        {
            var keys = new SharedKeys(folder, catalog.Keys, sources.KeySecret);
            await keys.PrepareAsync(cancellationToken);
            keys.Check();
            var book = await ReadSettingsAsync(sources, catalog, overlay, cancellationToken);
            var live = new LiveSettings(book.Current, folder, demo, name => ApiServices.DefaultKey(folder, name));
            if (live.IsAnonymous && !open && Array.Find(addresses, address => !ListenAddresses.IsLoopback(address)) is { } outside)
                throw new ServerStartException(
                    $"the demo without a password listens on loopback only, not on {outside}: leave --urls out, or set " +
                    $"NzbDav__WebDav__Username and NzbDav__WebDav__Password.");

            var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
            builder.WebHost.UseUrls(addresses);
            builder.WebHost.UseKestrelHttpsConfiguration();
            builder.WebHost.ConfigureKestrel(WebDavServerLimits.Apply);
            var asksForProtocols = builder.Configuration[ProtocolsSetting] is { Length: > 0 };
            builder.WebHost.ConfigureKestrel(server => server.ConfigureEndpointDefaults(listen =>
            {
                listen.LimitUnauthenticated();
                if (!asksForProtocols)
                    listen.Protocols = HttpProtocols.Http1;
            }));
            Logs.Use(builder.Logging, folder, book.Current.Operations.LogLevels, book.Current.Operations.LogJson, live.Secrets);
            ServerServices.Add(builder.Services, book, live, catalog, open, time);
            builder.Services.AddOperations(live.Secrets, restore, hasOthers: catalog.Options.Connection is not null);
            builder.Services.AddSingleton(keys).AddHostedService<KeyKeeper>();
            var app = builder.Build();
            app.UseDrain();
            app.UseCatalogFaults();
            app.UseProxies();
            app.MapWebDav("/dav", LibraryStore.NamesOfNzbdav);
            app.MapViewLinks();
            app.UseAccess();
            app.UsePage();
            app.MapWebDavBelow(JobStore.ContentCollection);
            app.MapAccess();
            app.MapSettings();
            app.MapArrs();
            app.MapLinks(strm => LinkKeys.RevokeAsync(keys, app.Services.GetRequiredService<ViewLinks>(), catalog.Aliases, strm));
            app.MapLibrary();
            app.MapUpkeep();
            app.MapNative();
            app.MapStremio();
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

    /// <summary>Starts serving.</summary>
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
            // The address is in use, is not allowed or not on this machine, or the certificate is missing: Kestrel throws a different
            // exception type for each.
            var why = e.Message.Split('\n')[0].TrimEnd('\r', '.');
            throw new ServerStartException(
                $"it cannot listen on {string.Join(" and ", _addresses)}: {why}. Another address: --urls http://localhost:8081.", e);
        }
    }

    /// <summary>Waits until the code that a first read needs is compiled. Reads also work before that, more slowly. Ends within ten seconds
    /// of the start.</summary>
    public Task WarmAsync(CancellationToken cancellationToken) => Services.GetRequiredService<WarmUp>().Ended.WaitAsync(cancellationToken);

    /// <summary>Waits for SIGTERM, SIGINT or the token.</summary>
    public Task WaitForShutdownAsync(CancellationToken cancellationToken) => _app.WaitForShutdownAsync(cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // First, so that requests waiting for events notice the end: otherwise the stop would wait for them.
        _app.Lifetime.StopApplication();
        await _app.StopAsync();
        await _app.DisposeAsync();
        await _catalog.DisposeAsync();
        DiskReserve.Reserve(_catalog.Options.ConfigFolder, isStopping: true);
    }

    /// <exception cref="ServerStartException">The settings of the environment are wrong.</exception>
    private static async Task<SettingsBook> ReadSettingsAsync(
        SettingSources sources, CatalogSet catalog, Func<NzbDavSettings, NzbDavSettings>? overlay, CancellationToken cancellationToken)
    {
        var (book, faults) = await SettingsBook.OpenAsync(
            sources, catalog.Settings, catalog.Options.ConfigFolder, overlay, cancellationToken);
        return book ?? throw new ServerStartException(string.Join(Environment.NewLine + "nzbdav: ", faults));
    }

    private async Task PrepareAsync(SettingsBook book, CancellationToken cancellationToken)
    {
        foreach (var fault in book.Ignored)
            LogIgnored(Services.GetRequiredService<ILogger<NzbDavServer>>(), fault.Path, fault.Message);
        if (book.Current is { Access: { LanHosts.Count: 0, NoProxy: false, TrustedProxies.Count: 0 } access } settings
            && (access.LanNetworks.Count > 0 || settings.Qbit.Networks.Count > 0 || settings.Qbit.TrustsThisMachine))
            LogNobodyTrusted(Services.GetRequiredService<ILogger<NzbDavServer>>());
        if (book.Current.WebDavPassword is { Length: < AccountRules.ShortestPassword })
            LogShortPassword(Services.GetRequiredService<ILogger<NzbDavServer>>(), AccountRules.ShortestPassword);
        NzbIntake.RemoveLeftovers(_catalog.Options);
        DiskReserve.Reserve(_catalog.Options.ConfigFolder, isStopping: false);
        Services.GetRequiredService<UploadFolder>().RemoveLeftovers();
        await Services.GetRequiredService<BlobKeeper>().SweepAsync(cancellationToken);

        // Other gateways may share a catalog in PostgreSQL. Work left behind by one of them is taken over when its lease expires, or here
        // when its folder is used again.
        if (_catalog.Options.Connection is null)
            await _catalog.Jobs.RequeueAllAsync(cancellationToken);
        else
            await Services.GetRequiredService<GatewayName>()
                .RequeueFormerAsync(_catalog.Jobs, new TorrentOwners(_catalog.Database), cancellationToken);

        await _catalog.Unwanted.LoadAsync(cancellationToken);
        await Services.GetRequiredService<SpeedLimitKeeper>().RestoreAsync(cancellationToken);

        Services.GetRequiredService<ActiveStreams>().RecognisesScans = book.Current.ScannersYield;

        // Created now, so that it sees the first read.
        Services.GetRequiredService<StreamTraces>();

        // Created now, so that a port in use prevents the start.
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

    [LoggerMessage(457, LogLevel.Warning,
        "The backup {Backup} of {Created:u} was restored. The previous state is in {Former}: remove it once everything works.")]
    private static partial void LogRestored(ILogger logger, string backup, DateTimeOffset created, string? former);

    [LoggerMessage(
        458, LogLevel.Warning,
        "The backup {Backup} of {Created:u} was restored, but {Missing} of its blobs were not found: the files that need them cannot be " +
        "read. The previous state is in {Former}.")]
    private static partial void LogRestoredInPart(ILogger logger, string backup, DateTimeOffset created, int missing, string? former);

    [LoggerMessage(459, LogLevel.Error, "The backup {Backup} could not be restored, and nothing was changed: {Reason}")]
    private static partial void LogNotRestored(ILogger logger, string backup, string reason);

    [LoggerMessage(
        475, LogLevel.Warning,
        "The password for players (NzbDav__WebDav__Password) has fewer than {Shortest} characters. It goes on to work, but it is easy to " +
        "guess: choose a longer one.")]
    private static partial void LogShortPassword(ILogger logger, int shortest);

    [LoggerMessage(
        474, LogLevel.Warning,
        "Networks without sign-in are set, but everybody is asked to sign in: a proxy may make the internet look like such a network. " +
        "Set NzbDav__Access__LanHosts to the names and addresses under which your network reaches this server or, if there is no proxy, " +
        "NzbDav__Access__NoProxy=true.")]
    private static partial void LogNobodyTrusted(ILogger logger);

    [LoggerMessage(452, LogLevel.Error, "The stored setting {Setting} is ignored: {Reason}")]
    private static partial void LogIgnored(ILogger logger, string setting, string reason);
}

/// <summary>The server cannot start with this configuration; the message says what to do.</summary>
public sealed class ServerStartException(string message, Exception? inner = null) : Exception(message, inner);
