using System.Threading.Channels;
using NzbDav.Catalog;

namespace NzbDav.Host.Serving;

/// <summary>Looks for what nothing in the catalog needs any more: at the start, and after everything that was deleted.</summary>
internal abstract partial class RemovalFollower(TreeStore tree, JobStore jobs, ILogger logger) : BackgroundService
{
    // Bounded to one: whatever was deleted, everything is looked at.
    private readonly Channel<bool> _news = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        tree.Removed += Tell;
        jobs.Changed += OnChanged;
        try
        {
            _news.Writer.TryWrite(true);
            await foreach (var _ in _news.Reader.ReadAllAsync(stoppingToken))
                await TryLookAsync(stoppingToken);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            tree.Removed -= Tell;
            jobs.Changed -= OnChanged;
        }
    }

    /// <summary>Removes what is not needed. What is there must be listed before what is needed: whatever comes meanwhile is not in question.</summary>
    /// <exception cref="CatalogException">What is needed cannot be read: it is tried again after the next deletion.</exception>
    protected abstract Task LookAsync(CancellationToken cancellationToken);

    private async Task TryLookAsync(CancellationToken cancellationToken)
    {
        try
        {
            await LookAsync(cancellationToken);
        }
        catch (CatalogException e)
        {
            LogTrouble(logger, e.Message);
        }
    }

    private void Tell() => _news.Writer.TryWrite(true);

    private void OnChanged(JobChange change)
    {
        if (change.State is null or JobState.Failed)
            Tell();
    }

    [LoggerMessage(252, LogLevel.Warning, "What nothing needs any more could not be looked for: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
