using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import;
using NzbDav.Usenet;

namespace NzbDav.Host.Commands;

/// <summary>Imports .nzb files from the command line: queued for the server if one runs on this configuration, else done here.</summary>
internal static class ImportCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, FileInfo[] files, string? category, CancellationToken cancellationToken)
    {
        if (Launch.ReadSettings() is not { } settings || Launch.Prepare(config?.FullName ?? "config") is not { } folder)
            return Launch.ConfigurationFault;
        if (category is not null && SafeName.Of(category) != category)
        {
            await Console.Error.WriteLineAsync($"nzbdav: '{category}' cannot be the name of a category.");
            return Launch.ConfigurationFault;
        }

        try
        {
            using var claim = ConfigLock.TryTake(folder);
            if (claim is not null && settings.Providers.Count == 0)
                throw new ServerStartException("no server runs on this configuration and no Usenet provider is configured: set NzbDav__Usenet__Providers__0__Host, __Username, __Password.");
            await using var catalog = await CatalogSet.OpenAsync(folder, TimeProvider.System, cancellationToken);
            var options = settings.Import;
            var intake = new NzbIntake(catalog.Jobs, options, catalog.Options);
            await using var own = claim is null ? null : new OwnImporter(settings, catalog, options);
            if (own is not null)
                await own.StartAsync(cancellationToken);
            var failed = 0;
            foreach (var file in files)
                failed += await ImportAsync(catalog, intake, file, category, cancellationToken) ? 0 : 1;
            return failed == 0 ? 0 : 1;
        }
        catch (Exception e) when (e is CatalogException or ServerStartException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return Launch.ConfigurationFault;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("nzbdav: interrupted; what was queued stays in the queue.");
            return 1;
        }
    }

    private static async Task<bool> ImportAsync(CatalogSet catalog, NzbIntake intake, FileInfo file, string? category, CancellationToken cancellationToken)
    {
        IntakeResult taken;
        try
        {
            await using var stream = file.OpenRead();
            taken = await intake.AddAsync(file.Name, category, stream, JobSource.Cli, cancellationToken);
        }
        catch (Exception e) when (e is IOException and not CatalogException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"{file.Name}: {e.Message}");
            return false;
        }

        if (taken.Job is null)
        {
            await Console.Error.WriteLineAsync($"{file.Name}: {taken.Error}");
            return false;
        }

        var job = await new JobOutcome(catalog.Jobs, TimeProvider.System).WaitAsync(taken.Job.Id, cancellationToken);
        if (job?.State == JobState.Completed && job.ItemId is { } item)
        {
            Console.WriteLine($"{file.Name}: /{string.Join('/', await catalog.Tree.GetPathAsync(item, cancellationToken) ?? [])}");
            return true;
        }

        await Console.Error.WriteLineAsync($"{file.Name}: {job?.FailureMessage ?? "the job was deleted."}");
        return false;
    }

    /// <summary>The importer without a server round it.</summary>
    private sealed class OwnImporter : IAsyncDisposable
    {
        private readonly ILoggerFactory _loggers;
        private readonly UsenetClient _usenet;
        private readonly ImportQueue _queue;
        private readonly JobStore _jobs;

        public OwnImporter(NzbDavSettings settings, CatalogSet catalog, ImportOptions options)
        {
            _loggers = LoggerFactory.Create(logging => Logs.Use(logging, catalog.Options.ConfigFolder, forCommand: true));
            _jobs = catalog.Jobs;
            var pool = new BufferPool(new BufferBudget((long)settings.MemoryBudgetMiB << 20));
            _usenet = new UsenetClient(settings.Providers, pool, TimeProvider.System, _loggers.CreateLogger<UsenetClient>());
            var worker = new ImportWorker(catalog.Jobs, catalog.Blobs, catalog.Maps, _usenet, options, new ImportEvents(), TimeProvider.System, _loggers.CreateLogger<ImportWorker>());
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
            _loggers.Dispose();
        }
    }
}
