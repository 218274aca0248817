using NzbDav.Catalog.Torrents;
using NzbDav.Content;
using NzbDav.Host.Logging;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Host.Sharing;
using NzbDav.Import.Limits;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;

namespace NzbDav.Host.Commands;

/// <summary>Imports without a server. Takes no leases of connections: gateways that use the same accounts are not asked.</summary>
internal sealed class OwnImporter : IAsyncDisposable
{
    private readonly ILoggerFactory _loggers;
    private readonly UsenetClient _usenet;
    private readonly ImportQueue _queue;
    private readonly CatalogSet _catalog;

    /// <summary>Null: no other process can work on the same queue.</summary>
    private readonly GatewayName? _name;
    private readonly TorrentSessions? _torrents;

    /// <summary>Without an address: this process serves nothing.</summary>
    private readonly TorrentOwnership? _owners;

    /// <summary>No other process may use the configuration folder (<see cref="ConfigLock"/>).</summary>
    public OwnImporter(NzbDavSettings settings, CatalogSet catalog, ImportOptions options)
    {
        _loggers = LoggerFactory.Create(logging => Logs.Use(logging, catalog.Options.ConfigFolder, settings.Operations.LogLevels,
            settings.Operations.LogJson, SettingSecrets.Filter(settings), forCommand: true));
        _catalog = catalog;
        _name = catalog.Options.Connection is null ? null : GatewayName.Create(catalog.Options.ConfigFolder);
        var pool = new BufferPool(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        _usenet = new UsenetClient(
            settings.Providers, pool, TimeProvider.System, _loggers.CreateLogger<UsenetClient>(),
            patches: new PatchFolder(PatchFolder.In(catalog.Options.ConfigFolder), _loggers.CreateLogger<PatchFolder>()))
        {
            RefusedLoginTimeout = settings.Import.RefusedLoginTimeout,
        };
        _torrents = settings.Torrents.Enabled
            ? TorrentSetup.Open(
                settings, catalog.Options.ConfigFolder, TimeProvider.System, metrics: null,
                TorrentSetup.Guard(() => settings.Torrents.PrivateHosts, _loggers))
            : null;
        _owners = _name is null
            ? null : new TorrentOwnership(new TorrentOwners(catalog.Database), TimeProvider.System, _name.Name, static () => "");
        var worker = new ImportWorker(catalog.Jobs, catalog.Blobs, catalog.Maps, _usenet, options, new ImportEvents(), TimeProvider.System,
            _loggers.CreateLogger<ImportWorker>(), _torrents, _owners, RepairMemory.Of((long)settings.MemoryBudgetMiB << 20));
        _queue = new ImportQueue(catalog.Jobs, worker, new QueueSwitch(catalog.Jobs, catalog.Settings, TimeProvider.System), options,
            TimeProvider.System, _loggers.CreateLogger<ImportQueue>(), name: _name is null ? null : new QueueName(_name.Name));
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (_name is null)
            await _catalog.Jobs.RequeueAllAsync(cancellationToken);
        else
            await _name.RequeueFormerAsync(_catalog.Jobs, new TorrentOwners(_catalog.Database), cancellationToken);
        _usenet.Start();
        await _queue.StartAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await _queue.StopAsync(CancellationToken.None);
        _queue.Dispose();
        await _usenet.DisposeAsync();
        if (_torrents is not null)
            await _torrents.DisposeAsync();
        if (_owners is not null)
            await _owners.DisposeAsync();
        _loggers.Dispose();
    }
}
