using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Host.Upkeep;
using NzbDav.Library.Opening;
using NzbDav.Library.Pins;
using NzbDav.Library.Starts;

namespace NzbDav.Host.Warming;

/// <summary>
/// Pins the starts of files, one file at a time: those of a job once it is done, and that of a file whose layout was corrected. After the
/// start of the program it pins those of the library's newest files until the store on disk is full, with lower priority than all other
/// requests to the providers.
/// </summary>
internal sealed partial class StartKeeper(
    PinStore pins, StartPinner pinner, ContentOpener opener, TreeStore tree, JobStore jobs, ILogger<StartKeeper> logger) : BackgroundService
{
    private const int PageSize = 100;

    /// <summary>Typical size of a film's start: without room for one more, the store is full.</summary>
    private const long Typical = 6 << 20;

    private readonly Channel<Work> _work = Channel.CreateUnbounded<Work>(new UnboundedChannelOptions { SingleReader = true });

    /// <summary>
    /// Called when there is more room: goes through the library again for files that are not pinned, after the work that is waiting now.
    /// </summary>
    public void Refill() => _work.Writer.TryWrite(new Work(0, IsJob: false) { IsRefill = true });

    /// <summary>Completes when all work that is queued now is done; never once the server stops.</summary>
    internal Task WhenDoneAsync()
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _work.Writer.TryWrite(new Work(0, IsJob: false) { Done = done });
        return done.Task;
    }

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

    /// <summary>Newest files first; work that arrives in the meantime comes before the next file.</summary>
    private async Task FillAsync(CancellationToken cancellationToken)
    {
        var before = long.MaxValue;
        while (await ListAsync(() => tree.ListNewestFilesAsync(before, PageSize, cancellationToken)) is { Count: > 0 } page)
        {
            foreach (var item in page)
            {
                while (_work.Reader.TryRead(out var work))
                {
                    // A refill is unnecessary here: this pass uses the additional room.
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
        if (work.Done is { } done)
        {
            done.SetResult();
            return;
        }

        var items = await ListAsync(async () => work.IsJob ? await tree.ListByJobAsync(work.Id, cancellationToken) : await tree.GetAsync(
            work.Id, cancellationToken) is { } item ? [item] : []);
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
            // Playback will meet the same fault and report it.
            LogUnpinned(logger, item.Name, e.Message);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogUnwritten(logger, item.Name, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            // An exception for one file must stop neither the other files nor the server.
            LogFault(logger, item.Name, e);
        }
    }

    private void OnChanged(JobChange change)
    {
        if (change is { IsForeign: false, State: JobState.Completed })
            _work.Writer.TryWrite(new Work(change.JobId, IsJob: true));
    }

    private void OnCorrected(long item) => _work.Writer.TryWrite(new Work(item, IsJob: false));

    [LoggerMessage(407, LogLevel.Debug, "The start of {File} was not kept on disk: {Reason}")]
    private static partial void LogUnpinned(ILogger logger, string file, string reason);

    [LoggerMessage(
        408, LogLevel.Warning, "The start of {File} could not be kept on disk: {Reason} It still plays, but starts a little later.")]
    private static partial void LogUnwritten(ILogger logger, string file, string reason);

    [LoggerMessage(
        409, LogLevel.Warning, "The starts of files on disk cannot be used: {Reason} Files still play, but start a little later.")]
    private static partial void LogUnusable(ILogger logger, string reason);

    [LoggerMessage(410, LogLevel.Warning, "The files whose starts should be kept could not be listed: {Reason}")]
    private static partial void LogUnread(ILogger logger, string reason);

    [LoggerMessage(415, LogLevel.Error, "The start of {File} could not be kept on disk because of an error in the program.")]
    private static partial void LogFault(ILogger logger, string file, Exception error);

    private readonly record struct Work(long Id, bool IsJob)
    {
        public bool IsRefill { get; init; }

        /// <summary>Completed when this item's turn comes; it does nothing else.</summary>
        public TaskCompletionSource? Done { get; init; }
    }
}

/// <summary>Removes the pinned starts of deleted files.</summary>
internal sealed class PinSweeper(
    PinStore pins, TreeStore tree, JobStore jobs, CatalogMark mark, ILogger<PinSweeper> logger) : RemovalFollower(tree, jobs, mark, logger)
{
    private readonly TreeStore _tree = tree;

    /// <inheritdoc/>
    protected override async Task SweepAsync(CancellationToken cancellationToken)
    {
        foreach (var item in pins.Items)
        {
            if (await _tree.GetAsync(item, cancellationToken) is null)
                pins.Drop(item);
        }
    }
}
