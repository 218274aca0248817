using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Torrents;
using NzbDav.Content;
using NzbDav.Host.Logging;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import.Options;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;

namespace NzbDav.Host.Commands;

/// <summary>Imports without a server.</summary>
internal sealed class OwnImporter : IAsyncDisposable
{
    private readonly ILoggerFactory _loggers;
    private readonly UsenetClient _usenet;
    private readonly ImportQueue _queue;
    private readonly JobStore _jobs;

    /// <summary>True if other processes may work on the same queue.</summary>
    private readonly bool _isShared;
    private readonly TorrentSessions? _torrents;

    /// <summary>Without an address: this process serves nothing.</summary>
    private readonly TorrentOwnership? _owners;

    public OwnImporter(NzbDavSettings settings, CatalogSet catalog, ImportOptions options)
    {
        _loggers = LoggerFactory.Create(logging => Logs.Use(logging, catalog.Options.ConfigFolder, settings.Operations.LogLevels, settings.Operations.LogJson, SettingSecrets.Filter(settings), forCommand: true));
        _jobs = catalog.Jobs;
        _isShared = catalog.Options.Connection is not null;
        var pool = new BufferPool(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        _usenet = new UsenetClient(settings.Providers, pool, TimeProvider.System, _loggers.CreateLogger<UsenetClient>(), patches: new PatchFolder(PatchFolder.In(catalog.Options.ConfigFolder), _loggers.CreateLogger<PatchFolder>()));
        _torrents = settings.Torrents.Enabled ? TorrentSetup.Open(settings, catalog.Options.ConfigFolder, metrics: null, TorrentSetup.Guard(() => settings.Torrents.PrivateHosts, _loggers)) : null;
        _owners = _isShared ? new TorrentOwnership(new TorrentOwners(catalog.Database), TimeProvider.System, TorrentSharing.NewName(), static () => "") : null;
        var worker = new ImportWorker(catalog.Jobs, catalog.Blobs, catalog.Maps, _usenet, options, new ImportEvents(), TimeProvider.System, _loggers.CreateLogger<ImportWorker>(), _torrents, _owners);
        _queue = new ImportQueue(catalog.Jobs, worker, new QueueSwitch(catalog.Settings, TimeProvider.System), options, TimeProvider.System, _loggers.CreateLogger<ImportQueue>());
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (!_isShared)
            await _jobs.ReleaseAllAsync(cancellationToken);
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
