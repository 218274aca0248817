using System.Threading.Channels;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Library;
using NzbDav.Library.Pins;
using NzbDav.Library.Starts;

namespace NzbDav.Host.Warming;

/// <summary>
/// Pins the starts of files, one file at a time: those of a job once it is done, and a file of which the layout was corrected anew. After the start of the program
/// it goes through the newest files of the library until the disk store is full, behind everything else that is asked of the providers.
/// </summary>
internal sealed partial class StartKeeper(PinStore pins, StartPinner pinner, ContentOpener opener, TreeStore tree, JobStore jobs, ILogger<StartKeeper> logger) : BackgroundService
{
    private const int PageSize = 100;

    /// <summary>What the start of a film takes: when there is no room for one, the store is full.</summary>
    private const long Typical = 6 << 20;

    private readonly Channel<Work> _work = Channel.CreateUnbounded<Work>(new UnboundedChannelOptions { SingleReader = true });

    /// <summary>There is more room: goes through the library again for what is not pinned, after what waits now.</summary>
    public void Refill() => _work.Writer.TryWrite(new Work(0, IsJob: false) { IsRefill = true });

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        jobs.Changed += OnChanged;
        opener.Corrected += OnCorrected;
        try
        {
            pins.Load();
            await FillAsync(stoppingToken);
            await foreach (var work in _work.Reader.ReadAllAsync(stoppingToken))
            {
                if (work.IsRefill)
                    await FillAsync(stoppingToken);
                else
                    await DoAsync(work, stoppingToken);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogUnusable(logger, e.Message);
        }
        finally
        {
            jobs.Changed -= OnChanged;
            opener.Corrected -= OnCorrected;
        }
    }

    /// <summary>The newest files first; what comes in meanwhile goes before the next one.</summary>
    private async Task FillAsync(CancellationToken cancellationToken)
    {
        var before = long.MaxValue;
        while (await ListAsync(() => tree.ListNewestFilesAsync(before, PageSize, cancellationToken)) is { Count: > 0 } page)
        {
            foreach (var item in page)
            {
                while (_work.Reader.TryRead(out var work))
                {
                    // More room is used by what is under way here.
                    if (!work.IsRefill)
                        await DoAsync(work, cancellationToken);
                }

                if (pins.IsFullFor(Typical))
                    return;
                await PinAsync(item, ReadIntent.Health, cancellationToken);
            }

            before = page[^1].Id;
        }
    }

    private async Task DoAsync(Work work, CancellationToken cancellationToken)
    {
        var items = await ListAsync(async () => work.IsJob ? await tree.ListByJobAsync(work.Id, cancellationToken) : await tree.GetAsync(work.Id, cancellationToken) is { } item ? [item] : []);
        foreach (var item in items)
            await PinAsync(item, ReadIntent.Import, cancellationToken);
    }

    private async Task<IReadOnlyList<CatalogItem>> ListAsync(Func<ValueTask<IReadOnlyList<CatalogItem>>> list)
    {
        try
        {
            return await list();
        }
        catch (CatalogException e)
        {
            LogUnread(logger, e.Message);
            return [];
        }
    }

    private async Task PinAsync(CatalogItem item, ReadIntent intent, CancellationToken cancellationToken)
    {
        try
        {
            await pinner.PinAsync(item, intent, cancellationToken);
        }
        catch (Exception e) when (e is ContentException or CatalogException)
        {
            // It is read when somebody plays it, who hears why it cannot be.
            LogUnpinned(logger, item.Name, e.Message);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogUnwritten(logger, item.Name, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            // One file must not end the keeping of all others, nor the server.
            LogFault(logger, item.Name, e);
        }
    }

    private void OnChanged(JobChange change)
    {
        if (change.State is JobState.Completed)
            _work.Writer.TryWrite(new Work(change.JobId, IsJob: true));
    }

    private void OnCorrected(long item) => _work.Writer.TryWrite(new Work(item, IsJob: false));

    [LoggerMessage(407, LogLevel.Debug, "The start of {File} was not kept on the disk: {Reason}")]
    private static partial void LogUnpinned(ILogger logger, string file, string reason);

    [LoggerMessage(408, LogLevel.Warning, "The start of {File} could not be kept on the disk: {Reason} It plays all the same, a little later.")]
    private static partial void LogUnwritten(ILogger logger, string file, string reason);

    [LoggerMessage(409, LogLevel.Warning, "The starts of files that are kept on the disk cannot be used: {Reason} Files play all the same, a little later.")]
    private static partial void LogUnusable(ILogger logger, string reason);

    [LoggerMessage(410, LogLevel.Warning, "Files of which the starts are to be kept could not be listed: {Reason}")]
    private static partial void LogUnread(ILogger logger, string reason);

    [LoggerMessage(415, LogLevel.Error, "A fault of the program kept the start of {File} from the disk.")]
    private static partial void LogFault(ILogger logger, string file, Exception error);

    private readonly record struct Work(long Id, bool IsJob)
    {
        public bool IsRefill { get; init; }
    }
}
