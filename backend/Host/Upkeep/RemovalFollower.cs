using System.Threading.Channels;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Host.Upkeep;

/// <summary>Removes data that nothing in the catalog needs any more: at the start, and after each deletion. Nothing is removed while the
/// data may belong to another catalog.</summary>
internal abstract partial class RemovalFollower(TreeStore tree, JobStore jobs, CatalogMark mark, ILogger logger) : BackgroundService
{
    // Capacity 1: any deletion causes a full check.
    private readonly Channel<bool> _wake = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        tree.Removed += Wake;
        jobs.Changed += OnChanged;
        try
        {
            _wake.Writer.TryWrite(true);
            await foreach (var _ in _wake.Reader.ReadAllAsync(stoppingToken))
                await TrySweepAsync(stoppingToken);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            tree.Removed -= Wake;
            jobs.Changed -= OnChanged;
        }
    }

    /// <summary>
    /// Removes data that is not needed. Existing data must be listed before needed data, so that data added in between is never removed.
    /// </summary>
    /// <exception cref="CatalogException">The catalog cannot be read: it is tried again after the next deletion.</exception>
    protected abstract Task SweepAsync(CancellationToken cancellationToken);

    private async Task TrySweepAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (await mark.MatchesAsync(cancellationToken))
                await SweepAsync(cancellationToken);
        }
        catch (Exception e) when (e is CatalogException or IOException or UnauthorizedAccessException)
        {
            LogTrouble(logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // An exception that leaves the service would end it until the next start.
            LogFault(logger, e, GetType().Name);
        }
    }

    private void Wake() => _wake.Writer.TryWrite(true);

    private void OnChanged(JobChange change)
    {
        if (change.State is null or JobState.Failed)
            Wake();
    }

    [LoggerMessage(258, LogLevel.Error, "{Service} failed by an internal error. It tries again after the next deletion. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, string service);

    [LoggerMessage(252, LogLevel.Warning, "What nothing needs any more could not be looked for: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
