using System.Collections.Immutable;
using System.Data.Common;
using Microsoft.Extensions.Options;
using NzbDav.Access.Attempts;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Api.Completion;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Content;
using NzbDav.Host.Logging;
using NzbDav.Host.Settings;
using NzbDav.Host.Warming;
using NzbDav.Import.Options;
using NzbDav.Library;
using NzbDav.Library.Export;
using NzbDav.Library.Health;
using NzbDav.Library.Holding;
using NzbDav.Library.Items;
using NzbDav.Library.Pins;
using NzbDav.Library.Scratch;
using NzbDav.Seeding;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Disk;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Streams;

namespace NzbDav.Host.Changing;

/// <summary>Applies settings to the running services, at the start and on each change, without interrupting reads or jobs.</summary>
internal sealed partial class LiveSettings
{
    private readonly string _folder;
    private readonly Func<string, string> _defaultKey;
    private readonly bool _openWithoutPassword;
    private readonly bool _hasTorrents;
    private IServiceProvider? _services;
    private NzbDavSettings _applied;
    private Task _folders = Task.CompletedTask;
    private ImmutableList<SettingFault> _unapplied = [];

    /// <param name="settings">The settings at the start.</param>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="demo">True: WebDAV is open as long as no password is set.</param>
    /// <param name="madeKey">Returns the generated key for a file name, used when none is configured.</param>
    public LiveSettings(NzbDavSettings settings, string folder, bool demo, Func<string, string> madeKey)
    {
        _folder = folder;
        _defaultKey = madeKey;
        _openWithoutPassword = demo;
        _hasTorrents = settings.Torrents.Enabled;
        _applied = settings;
        Secrets.AddSecrets(settings);
        Import = new(settings.Import);
        Library = new(settings.Library);
        Keeping = new(settings.Keeping);
        Health = new(settings.Health);
        Twins = new(settings.Twins);
        Sab = new(SabOf(settings));
        Qbit = new(QbitOf(settings));
        Rclone = new(settings.Api.Rclone);
        Seeding = new(settings.Torrents.Seeding);
        Access = new(settings.Access);
        Keys = new ApiKeys(FullOf(settings), ClientOf(settings), settings.Api.AddKey, settings.Api.ReadKey);
        Secrets.Add(Keys.Full);
        Secrets.Add(Keys.Client);
        Credentials.Set(settings.WebDavUsername, settings.WebDavPassword);
    }

    public Live<ImportOptions> Import { get; }

    public Live<LibraryOptions> Library { get; }

    public Live<KeepingOptions> Keeping { get; }

    public Live<HealthOptions> Health { get; }

    public Live<IReadOnlyList<ExportOptions>> Twins { get; }

    public Live<SabOptions> Sab { get; }

    public Live<QbitOptions> Qbit { get; }

    public Live<RcloneOptions?> Rclone { get; }

    public Live<SeedingOptions> Seeding { get; }

    public Live<ScratchFolder?> Scratch { get; } = new(null);

    public LiveAccess Access { get; }

    public ApiKeys Keys { get; }

    /// <summary>Removes secrets from logs, including former ones.</summary>
    public SecretFilter Secrets { get; } = new();

    public LiveCredentials Credentials { get; } = new();

    /// <summary>True for the demo.</summary>
    public bool IsDemo => _openWithoutPassword;

    /// <summary>True while WebDAV asks for no password.</summary>
    public bool IsAnonymous => _openWithoutPassword && !_applied.HasWebDavCredentials;

    public void AddTo(IServiceCollection services)
    {
        services.AddSingleton(this).AddSingleton(Import).AddSingleton(Library).AddSingleton(Keeping).AddSingleton(Health)
            .AddSingleton(Twins).AddSingleton(Sab).AddSingleton(Qbit).AddSingleton(Rclone).AddSingleton(Seeding).AddSingleton(Scratch)
            .AddSingleton(Keys).AddSingleton(Access);
        services.AddSingleton<ICredentialCheck>(Credentials);
    }

    /// <summary>From this call on, changes are applied to the services.</summary>
    public void Attach(IServiceProvider services)
    {
        _services = services;
        Scratch.Value = MakeScratch(_applied);
    }

    /// <summary>Settings of the last change that could not be applied. Waits for a change in progress.</summary>
    public async Task<IReadOnlyList<SettingFault>> UnappliedAsync()
    {
        await Volatile.Read(ref _folders);
        return Volatile.Read(ref _unapplied);
    }

    /// <summary>Applies new settings. Calls must not overlap. Failures are logged and kept for <see cref="UnappliedAsync"/>.</summary>
    public void Apply(NzbDavSettings settings)
    {
        var services = _services ?? throw new InvalidOperationException("not attached yet");
        var before = _applied;
        _applied = settings;
        Volatile.Write(ref _unapplied, []);

        // Secrets, access and limits first, then the services.
        Secrets.AddSecrets(settings);
        if (settings.WebDavUsername != before.WebDavUsername || settings.WebDavPassword != before.WebDavPassword)
        {
            Credentials.Set(settings.WebDavUsername, settings.WebDavPassword);
            services.GetRequiredService<IOptionsMonitorCache<WebDavOptions>>().Clear();
            services.GetRequiredService<WebDavAuthentication>().Forget();
        }

        Access.Replace(settings.Access);
        if ((settings.Api.Key, settings.Api.ClientKey, settings.Api.AddKey, settings.Api.ReadKey) != (before.Api.Key, before.Api.ClientKey,
            before.Api.AddKey, before.Api.ReadKey))
        {
            Keys.Replace(FullOf(settings), ClientOf(settings), settings.Api.AddKey, settings.Api.ReadKey);

            // Credentials that were wrong a moment ago may be valid now.
            services.GetRequiredService<AttemptGate>().Forget();
        }

        services.GetRequiredService<BufferBudget>().Limit = (long)settings.MemoryBudgetMiB << 20;
        services.GetRequiredService<PinStore>().Limit = (long)settings.StartsMiB << 20;
        if (settings.StartsMiB > before.StartsMiB)
            services.GetRequiredService<StartKeeper>().Refill();
        if (settings.DiskCache(_folder) != before.DiskCache(_folder))
            services.GetRequiredService<DiskCache>().Apply(settings.DiskCache(_folder));
        services.GetRequiredService<ActiveStreams>().RecognisesScans = settings.ScannersYield;
        Import.Value = settings.Import with { Torrents = _hasTorrents };
        Library.Value = settings.Library;
        Keeping.Value = settings.Keeping;
        Health.Value = settings.Health;
        Twins.Value = settings.Twins;
        Sab.Value = SabOf(settings);
        Qbit.Value = QbitOf(settings);
        Rclone.Value = settings.Api.Rclone;
        Seeding.Value = settings.Torrents.Seeding;
        if (settings.WebDavScratch != (Scratch.Value is not null))
            Scratch.Value = TryMakeScratch(services, settings);
        if (!settings.Operations.LogLevels.IsSame(before.Operations.LogLevels))
            services.GetRequiredService<LogControl>().Levels = settings.Operations.LogLevels;
        services.GetRequiredService<LogControl>().IsJson = settings.Operations.LogJson;
        var usenet = services.GetRequiredService<UsenetClient>();
        usenet.RefusedLoginTimeout = settings.Import.RefusedLoginTimeout;
        usenet.SetProviders(settings.Providers);
        if (settings.Torrents != before.Torrents && services.GetService<TorrentSessions>() is { } torrents)
        {
            torrents.Engine.Apply(settings.Torrents.Engine(_folder));
            torrents.UnusedLifetime = settings.Torrents.Idle;
        }

        if (!settings.Categories.SequenceEqual(before.Categories, StringComparer.Ordinal))
            Volatile.Write(ref _folders, MakeFoldersAsync(_folders, services, settings.Categories));
    }

    private string FullOf(NzbDavSettings settings) => settings.Api.Key ?? _defaultKey(ApiKeys.FullFile);

    private string ClientOf(NzbDavSettings settings) => settings.Api.ClientKey ?? _defaultKey(ApiKeys.ClientFile);

    private async Task MakeFoldersAsync(Task before, IServiceProvider services, IReadOnlyList<string> categories)
    {
        await before;
        try
        {
            await services.GetRequiredService<LibraryStore>().EnsureRootsAsync(categories, CancellationToken.None);
        }
        catch (Exception e) when (e is CatalogException or DbException)
        {
            // Without them, the folders are created when something is added to them.
            ReportUnapplied(services, "Import:Categories", $"the folders could not be created: {e.Message}");
        }
    }

    private ScratchFolder? TryMakeScratch(IServiceProvider services, NzbDavSettings settings)
    {
        try
        {
            return MakeScratch(settings);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            ReportUnapplied(services, "WebDav:Scratch", $"the folder could not be created: {e.Message}");
            return null;
        }
    }

    private void ReportUnapplied(IServiceProvider services, string setting, string what)
    {
        LogUnapplied(services.GetRequiredService<ILogger<LiveSettings>>(), setting, what);
        ImmutableInterlocked.Update(ref _unapplied, static (faults, fault) => faults.Add(fault), new SettingFault(setting, what));
    }

    private SabOptions SabOf(NzbDavSettings settings) => new()
    {
        MountPath = settings.WebDavMountPath,
        ConfigFolder = _folder,

        // Configured *arrs and indexers may link to their own host, as Prowlarr does in all its download addresses.
        PrivateHosts =
        [
            .. settings.Api.PrivateHosts, .. settings.Arrs.Select(arr => new Uri(arr.Options.Url).Host),
            .. settings.Indexers.Select(indexer => new Uri(indexer.Url).Host),
        ],
        UserAgent = settings.Api.UserAgent,
        Proxy = settings.Api.Proxy,
        LineBytesPerSecond = settings.Api.LineMegabits * 125_000L,
        Clean = Secrets.Clean,
        MaxUploadBytes = ((long)settings.MaxNzbMiB + 1) << 20,
    };

    private static QbitOptions QbitOf(NzbDavSettings settings) => settings.Qbit with
    {
        UploadLimit = (long)settings.Torrents.UploadLimit << 10,
        DownloadLimit = (long)settings.Torrents.DownloadLimit << 10,
        AlternativeUploadLimit = (long)settings.Torrents.AlternativeUploadLimit << 10,
        AlternativeDownloadLimit = (long)settings.Torrents.AlternativeDownloadLimit << 10,
        PeerExchange = settings.Torrents.PeerExchange,
        LocalDiscovery = settings.Torrents.LocalDiscovery,
        Dht = settings.Torrents.Dht,
        Proxy = settings.Torrents.Proxy,
    };

    private ScratchFolder? MakeScratch(NzbDavSettings settings) =>
        settings.WebDavScratch
            ? new ScratchFolder(Path.Combine(_folder, "scratch"), _services!.GetRequiredService<BufferPool>(), TimeProvider.System) : null;

    [LoggerMessage(453, LogLevel.Error, "The setting {Setting} could not be applied: {Reason}")]
    private static partial void LogUnapplied(ILogger logger, string setting, string reason);
}

/// <summary>The user name and password of WebDAV, which may change. Without them all requests are refused. Thread-safe.</summary>
internal sealed class LiveCredentials : ICredentialCheck
{
    private FixedCredentialCheck? _check;

    /// <summary>Replaces the credentials; null: none.</summary>
    public void Set(string? user, string? password) =>
        Volatile.Write(ref _check, user is null || password is null ? null : new FixedCredentialCheck(user, password));

    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        Volatile.Read(ref _check)?.IsValidAsync(user, password, cancellationToken) ?? ValueTask.FromResult(false);
}
