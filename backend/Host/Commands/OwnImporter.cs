using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Host.Logging;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;

namespace NzbDav.Host.Commands;

/// <summary>The importer without a server round it.</summary>
internal sealed class OwnImporter : IAsyncDisposable
{
    private readonly ILoggerFactory _loggers;
    private readonly UsenetClient _usenet;
    private readonly ImportQueue _queue;
    private readonly JobStore _jobs;
    private readonly TorrentSessions? _torrents;

    public OwnImporter(NzbDavSettings settings, CatalogSet catalog, ImportOptions options)
    {
        _loggers = LoggerFactory.Create(logging => Logs.Use(logging, catalog.Options.ConfigFolder, settings.Operations, SecretFilter.Of(settings), forCommand: true));
        _jobs = catalog.Jobs;
        var pool = new BufferPool(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
        _usenet = new UsenetClient(settings.Providers, pool, TimeProvider.System, _loggers.CreateLogger<UsenetClient>(), patches: new PatchFolder(PatchFolder.In(catalog.Options.ConfigFolder), _loggers.CreateLogger<PatchFolder>()));
        _torrents = settings.Torrents.Enabled ? TorrentSetup.Open(settings, catalog.Options.ConfigFolder, metrics: null, TorrentSetup.Guard(() => settings.Torrents.PrivateHosts, _loggers)) : null;
        var worker = new ImportWorker(catalog.Jobs, catalog.Blobs, catalog.Maps, _usenet, options, new ImportEvents(), TimeProvider.System, _loggers.CreateLogger<ImportWorker>(), _torrents);
        _queue = new ImportQueue(catalog.Jobs, worker, new QueueSwitch(catalog.Settings, TimeProvider.System), options, TimeProvider.System, _loggers.CreateLogger<ImportQueue>());
    }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
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
        _loggers.Dispose();
    }
}
