using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Host.Arrs;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Holding;

/// <summary>
/// Reads the libraries. All of them: at the start, then once an hour by default, and when the folders or the interval change. Only the
/// folders: soon after a change in them, and at once when an *arr gives up a job.
/// </summary>
internal sealed partial class LibraryWatch : BackgroundService
{
    /// <summary>Delay after the start: mounts are often set up after the server.</summary>
    private static readonly TimeSpan Settling = TimeSpan.FromMinutes(1);

    /// <summary>Quiet time before a reading: files are moved into a library one by one.</summary>
    private static readonly TimeSpan Calm = TimeSpan.FromSeconds(10);

    // Capacity 1 each: any change causes a full reading of the folders, and only the latest options count.
    private readonly Channel<bool> _configured = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly Channel<bool> _abandoned = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly Channel<bool> _changed = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly CatalogDatabase _catalog;
    private readonly UnwantedItems _unwanted;
    private readonly LibraryKeeper _keeper;
    private readonly Live<KeepingOptions> _options;
    private readonly TimeProvider _time;
    private readonly ILogger<LibraryWatch> _logger;
    private readonly FolderWatcher _folders;

    public LibraryWatch(CatalogDatabase catalog, UnwantedItems unwanted, LibraryKeeper keeper, Live<KeepingOptions> options,
        TimeProvider time, ILogger<LibraryWatch> logger)
    {
        (_catalog, _unwanted, _keeper, _options, _time, _logger) = (catalog, unwanted, keeper, options, time, logger);
        _folders = new FolderWatcher(() => _changed.Writer.TryWrite(true));
        unwanted.JobAbandoned += OnJobAbandoned;
        options.Changed += OnConfigured;
    }

    /// <summary>The configured libraries.</summary>
    public static IReadOnlyList<ILibrarySource> Sources(Live<KeepingOptions> options, ArrInstances arrs, HoldStore holds) =>
    [
        .. options.Value.Folders.Select(folder => new LibraryFolder(folder, holds)),
        .. arrs.All.Where(instance => instance.Settings.Options.Application != Arr.Client.ArrApplication.Prowlarr)
            .Select(instance => new ArrSource(instance)),
    ];

    public override void Dispose()
    {
        _unwanted.JobAbandoned -= OnJobAbandoned;
        _options.Changed -= OnConfigured;
        _folders.Dispose();
        base.Dispose();
    }

    protected override Task ExecuteAsync(CancellationToken stoppingToken) =>
        Task.WhenAll(SweepAlwaysAsync(stoppingToken), DecideAbandonedAlwaysAsync(stoppingToken), NoteAlwaysAsync(stoppingToken));

    private Task SweepAlwaysAsync(CancellationToken stopping) => UntilStoppedAsync(
        async () =>
        {
            await Task.Delay(Settling, _time, stopping);
            while (true)
            {
                var options = _options.Value;
                _folders.Watch([.. options.Folders]);
                await TryAsync(() => _keeper.SweepAsync(_time.GetUtcNow(), accept: false, stopping));
                await WaitAsync(options, stopping);
            }
        },
        stopping);

    /// <summary>Waits until the next reading is due, or until other folders or another interval are configured.</summary>
    /// <param name="read">The options of the last reading.</param>
    /// <param name="stopping">Cancels the wait.</param>
    private async Task WaitAsync(KeepingOptions read, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(read.ReadEvery, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        try
        {
            // Saving any setting creates new options: compare the two that matter.
            while (_options.Value is var now && now.ReadEvery == read.ReadEvery
                && now.Folders.SequenceEqual(read.Folders, StringComparer.Ordinal))
                await _configured.Reader.ReadAsync(both.Token);
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
        }
    }

    private Task DecideAbandonedAlwaysAsync(CancellationToken stopping) => UntilStoppedAsync(
        async () =>
        {
            await foreach (var _ in _abandoned.Reader.ReadAllAsync(stopping))
                await TryAsync(() => _keeper.DecideAbandonedAsync(_time.GetUtcNow(), stopping));
        },
        stopping);

    private Task NoteAlwaysAsync(CancellationToken stopping) => UntilStoppedAsync(
        async () =>
        {
            while (await _changed.Reader.WaitToReadAsync(stopping))
            {
                await Task.Delay(Calm, _time, stopping);
                _changed.Reader.TryRead(out _);
                await TryAsync(() => _keeper.DecideAbandonedAsync(_time.GetUtcNow(), stopping));
            }
        },
        stopping);

    private async Task TryAsync(Func<Task> work)
    {
        // With several gateways, only the leader does this.
        if (!_catalog.IsLeading)
            return;
        try
        {
            await work();
        }
        catch (CatalogException e)
        {
            LogTrouble(_logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            // An unexpected exception here does not stop the server.
            LogFault(_logger, e);
        }
    }

    private static async Task UntilStoppedAsync(Func<Task> work, CancellationToken stopping)
    {
        await Task.Yield();
        try
        {
            await work();
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    private void OnJobAbandoned() => _abandoned.Writer.TryWrite(true);

    private void OnConfigured() => _configured.Writer.TryWrite(true);

    [LoggerMessage(472, LogLevel.Error, "The search for files that no library uses any more failed; it continues with the next reading.")]
    private static partial void LogFault(ILogger logger, Exception exception);

    [LoggerMessage(471, LogLevel.Warning, "Files that no library uses any more could not be searched for: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
