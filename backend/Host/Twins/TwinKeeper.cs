using System.Threading.Channels;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Export;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Twins;

/// <summary>
/// Keeps folders of small files in step with categories (<c>Export:Strm</c>, <c>Export:Symlinks</c>): at the start, after each change of the tree or of the settings,
/// and completely once an hour. A folder that cannot be written is reported and retried every minute; nothing is lost, because its contents are derived from the tree.
/// </summary>
internal sealed partial class TwinKeeper : BackgroundService
{
    /// <summary>Wait after a change: jobs are published file by file, and *arrs move several items at a time.</summary>
    private static readonly TimeSpan Calm = TimeSpan.FromMilliseconds(300);

    /// <summary>Rest after each pass, in multiples of its duration: a continuous stream of changes costs a tenth of a processor.</summary>
    private const int RestsPerPass = 9;

    private static readonly TimeSpan Retry = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan WholeEvery = TimeSpan.FromHours(1);

    // Bounded to one: whatever changed, everything is compared.
    private readonly Channel<bool> _news = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly CatalogDatabase _database;
    private readonly TreeStore _tree;
    private readonly HoldStore _holds;
    private readonly Live<IReadOnlyList<ExportOptions>> _wanted;
    private readonly ViewLinks _views;
    private readonly TimeProvider _time;
    private readonly ILogger<TwinKeeper> _logger;
    private readonly string _marks;
    private List<TwinFolder> _twins = [];
    private IReadOnlyList<TwinStatus> _status = [];

    public TwinKeeper(CatalogDatabase database, TreeStore tree, HoldStore holds, Live<IReadOnlyList<ExportOptions>> wanted, ViewLinks views, TimeProvider time, ILogger<TwinKeeper> logger)
    {
        (_database, _tree, _holds, _wanted, _views, _time, _logger) = (database, tree, holds, wanted, views, time, logger);
        _marks = Path.Combine(database.Options.ConfigFolder, "exports");
    }

    /// <summary>The state of each folder.</summary>
    public IReadOnlyList<TwinStatus> Status => Volatile.Read(ref _status);

    /// <summary>Problems that prevent updates of folders, as text; empty: none.</summary>
    public IReadOnlyList<string> Problems => [.. Status.Select(static status => status.Problem).OfType<string>().Distinct(StringComparer.Ordinal)];

    public override void Dispose()
    {
        _twins.ForEach(static twin => twin.Dispose());
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        _tree.ChildrenChanged += OnChanged;
        _tree.Missed += Tell;
        _holds.HiddenChanged += Tell;
        _wanted.Changed += Tell;
        try
        {
            var checkedAt = default(long?);
            while (true)
            {
                var begun = _time.GetTimestamp();
                var whole = checkedAt is not { } last || _time.GetElapsedTime(last) >= WholeEvery;
                await PassAsync(whole, stoppingToken);
                checkedAt = whole ? begun : checkedAt;
                await Task.Delay(Calm + (RestsPerPass * _time.GetElapsedTime(begun)), _time, stoppingToken);
                await WaitAsync(Problems.Count > 0 ? Retry : WholeEvery, stoppingToken);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            _tree.ChildrenChanged -= OnChanged;
            _tree.Missed -= Tell;
            _holds.HiddenChanged -= Tell;
            _wanted.Changed -= Tell;
        }
    }

    /// <summary>Waits for a change, or until the time is over.</summary>
    private async Task WaitAsync(TimeSpan most, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(most, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        try
        {
            await _news.Reader.ReadAsync(both.Token);
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
        }
    }

    private async Task PassAsync(bool whole, CancellationToken stopping)
    {
        var before = Problems;
        Match(_wanted.Value);
        Publish();
        if (_twins.Count > 0)
        {
            try
            {
                var outline = await TreeOutline.ReadAsync(_database, stopping);

                // On its own thread: disk access blocks, for long if the disk is gone.
                await Task.Factory.StartNew(() => _twins.ForEach(twin => Keep(twin, outline, whole, stopping)), stopping, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            }
            catch (CatalogException e)
            {
                _twins.ForEach(twin => twin.Fail($"The tree cannot be read: {e.Message}"));
            }
        }

        Publish();
        foreach (var problem in Problems.Except(before, StringComparer.Ordinal))
            LogProblem(_logger, problem);
    }

    private void Keep(TwinFolder twin, TreeOutline outline, bool whole, CancellationToken stopping)
    {
        try
        {
            if (twin.FindFault() is { } fault)
            {
                twin.Fail(fault);
                return;
            }

            var export = twin.Open(_views, out var opened);
            var report = export.Run(export.Prepare(outline, _holds.IsHidden), whole || opened, stopping);
            if (!report.ChangedNothing)
                LogKept(_logger, twin.Options.Folder, report.Made, report.Replaced, report.Removed);
            if (twin.Status.State == TwinState.Failed)
                LogBack(_logger, twin.Options.Folder);
            twin.Finish(report);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            twin.Fail(TwinFaults.Explain(twin.Options.Folder, e));
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            // An unexpected exception here does not stop the server.
            LogFault(_logger, twin.Options.Folder, e);
            twin.Fail(TwinFaults.Explain(twin.Options.Folder, e));
        }
    }

    /// <summary>Opens folders whose settings changed again. The contents of a folder that is no longer configured stay there.</summary>
    private void Match(IReadOnlyList<ExportOptions> wanted)
    {
        foreach (var gone in _twins.Where(twin => !wanted.Contains(twin.Options)))
            gone.Dispose();
        _twins = [.. wanted.Select(options => _twins.Find(twin => twin.Options == options) ?? new TwinFolder(options, _marks))];
    }

    /// <summary>Publishes the status of the folders.</summary>
    private void Publish() => Volatile.Write(ref _status, [.. _twins.Select(static twin => twin.Status)]);

    private void OnChanged(IReadOnlyCollection<long> parents) => Tell();

    private void Tell() => _news.Writer.TryWrite(true);

    [LoggerMessage(486, LogLevel.Information, "Updated {Folder}: {Made} created, {Replaced} replaced, {Removed} removed.")]
    private static partial void LogKept(ILogger logger, string folder, int made, int replaced, int removed);

    [LoggerMessage(487, LogLevel.Warning, "{Problem}")]
    private static partial void LogProblem(ILogger logger, string problem);

    [LoggerMessage(488, LogLevel.Error, "{Folder} could not be updated.")]
    private static partial void LogFault(ILogger logger, string folder, Exception exception);

    [LoggerMessage(489, LogLevel.Information, "{Folder} can be written again and is kept in step with its category.")]
    private static partial void LogBack(ILogger logger, string folder);
}
