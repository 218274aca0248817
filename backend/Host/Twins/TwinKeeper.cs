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
/// Keeps folders of small files in step with categories (<c>Export:Strm</c>, <c>Export:Symlinks</c>): at the start, after each change of
/// the tree or of the settings, and completely once an hour. A folder that cannot be written is reported and retried every minute; nothing
/// is lost, because its contents are derived from the tree. A folder that does not answer does not hold up the others.
/// </summary>
internal sealed partial class TwinKeeper : BackgroundService
{
    /// <summary>Wait after a change: jobs are published file by file, and *arrs move several items at a time.</summary>
    private static readonly TimeSpan Calm = TimeSpan.FromMilliseconds(300);

    /// <summary>Rest after each pass, in multiples of its duration: a continuous stream of changes costs a tenth of a processor.</summary>
    private const int RestsPerPass = 9;

    /// <summary>
    /// Longest rest. Planning 50,000 titles takes 0.2 s (docs/benchmarks.md): a pass that would rest longer was waiting for a disk or the
    /// database, and resting does not relieve those.
    /// </summary>
    internal static readonly TimeSpan MaxPause = TimeSpan.FromMinutes(1);

    /// <summary>How long the other folders wait for one. A pass that takes longer is waiting for its disk.</summary>
    internal static readonly TimeSpan FolderTimeout = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan Retry = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan WholeEvery = TimeSpan.FromHours(1);

    // Capacity 1: any change causes a full comparison.
    private readonly Channel<bool> _wake = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly CatalogDatabase _database;
    private readonly TreeStore _tree;
    private readonly UnwantedItems _unwanted;
    private readonly Live<IReadOnlyList<ExportOptions>> _options;
    private readonly ViewLinks _views;
    private readonly TimeProvider _time;
    private readonly ILogger<TwinKeeper> _logger;
    private readonly string _marks;
    private readonly Lock _gate = new();
    private List<TwinFolder> _twins = [];
    private IReadOnlyList<TwinStatus> _status = [];

    public TwinKeeper(CatalogDatabase database, TreeStore tree, UnwantedItems unwanted, Live<IReadOnlyList<ExportOptions>> options,
        ViewLinks views,
        TimeProvider time, ILogger<TwinKeeper> logger)
    {
        (_database, _tree, _unwanted, _options, _views, _time, _logger) = (database, tree, unwanted, options, views, time, logger);
        _marks = Path.Combine(database.Options.ConfigFolder, "exports");
    }

    /// <summary>The state of each folder.</summary>
    public IReadOnlyList<TwinStatus> Status => Volatile.Read(ref _status);

    /// <summary>Problems that prevent updates of folders, as text; empty: none.</summary>
    public IReadOnlyList<string> Problems => [.. ProblemsOf(Status)];

    public override void Dispose()
    {
        // A pass that still hangs keeps its folder open until the process ends.
        foreach (var twin in _twins.Where(static twin => twin.Pass.IsCompleted))
            twin.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        _tree.ChildrenChanged += OnChanged;
        _tree.NoticesLost += Wake;
        _unwanted.HiddenChanged += Wake;
        _options.Changed += Wake;
        try
        {
            while (true)
            {
                var begun = _time.GetTimestamp();
                await PassAsync(stoppingToken);
                var rest = RestsPerPass * _time.GetElapsedTime(begun);
                await Task.Delay(Calm + (rest < MaxPause ? rest : MaxPause), _time, stoppingToken);
                await WaitAsync(Problems.Count > 0 ? Retry : WholeEvery, stoppingToken);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            _tree.ChildrenChanged -= OnChanged;
            _tree.NoticesLost -= Wake;
            _unwanted.HiddenChanged -= Wake;
            _options.Changed -= Wake;
            await Task.WhenAll(_twins.Select(static twin => twin.Pass));
        }
    }

    /// <summary>Waits for a change, or until the time is over.</summary>
    private async Task WaitAsync(TimeSpan most, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(most, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        try
        {
            await _wake.Reader.ReadAsync(both.Token);
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
        }
    }

    private async Task PassAsync(CancellationToken stopping)
    {
        var idle = Match(_options.Value);
        Publish();
        if (idle.Count == 0)
            return;
        TreeOutline outline;
        try
        {
            outline = await TreeOutline.ReadAsync(_database, stopping);
        }
        catch (CatalogException e)
        {
            idle.ForEach(twin => twin.Fail($"The tree cannot be read: {e.Message}"));
            Publish();
            return;
        }

        foreach (var twin in idle)
        {
            stopping.ThrowIfCancellationRequested();
            twin.Begin(() => Keep(twin, outline, stopping));
            try
            {
                await twin.Pass.WaitAsync(FolderTimeout, _time, stopping);
            }
            catch (TimeoutException)
            {
                // Passes leave this folder out until its own pass ends; then it catches up.
                _ = WakeAfterAsync(twin.Pass);
            }
        }
    }

    private async Task WakeAfterAsync(Task pass)
    {
        await pass;
        Wake();
    }

    private void Keep(TwinFolder twin, TreeOutline outline, CancellationToken stopping)
    {
        Update(twin, outline, stopping);
        Publish();
    }

    private void Update(TwinFolder twin, TreeOutline outline, CancellationToken stopping)
    {
        var begun = _time.GetTimestamp();
        try
        {
            if (twin.FindFault() is { } fault)
            {
                twin.Fail(fault);
                return;
            }

            var export = twin.Open(_views);
            var whole = twin.CheckedAt is not { } last || _time.GetElapsedTime(last) >= WholeEvery;
            var report = export.Run(export.Prepare(outline, _unwanted.IsHidden), whole, stopping);
            if (!report.ChangedNothing)
                LogKept(_logger, twin.Options.Folder, report.Created, report.Replaced, report.Removed);
            if (twin.Status.State == TwinState.Failed)
                LogBack(_logger, twin.Options.Folder);
            twin.Finish(report, whole ? begun : null);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            twin.Fail(TwinFaults.Explain(twin.Options.Folder, e));
        }
        catch (Exception e)
        {
            // An unexpected exception here does not stop the server.
            LogFault(_logger, twin.Options.Folder, e);
            twin.Fail(TwinFaults.Explain(twin.Options.Folder, e));
        }
    }

    /// <summary>
    /// Opens folders whose settings changed again, unless a pass over them is still running: then they are opened after it. The contents of
    /// a folder that is no longer configured stay there.
    /// </summary>
    /// <returns>The folders that a pass may begin with.</returns>
    private List<TwinFolder> Match(IReadOnlyList<ExportOptions> options)
    {
        var busy = _twins.FindAll(static twin => !twin.Pass.IsCompleted);
        foreach (var gone in _twins.Where(twin => !options.Contains(twin.Options)).Except(busy))
            gone.Dispose();
        TwinFolder[] kept =
        [
            .. options.Select(options => busy.Find(twin => twin.Options.Folder == options.Folder)
                ?? _twins.Find(twin => twin.Options == options) ?? new TwinFolder(options, _marks)),
        ];
        lock (_gate)
            _twins = [.. kept.Union(busy)];
        return _twins.FindAll(twin => !busy.Contains(twin));
    }

    /// <summary>Logs problems that are new, then publishes the state of the folders.</summary>
    private void Publish()
    {
        lock (_gate)
        {
            TwinStatus[] now = [.. _twins.Select(static twin => twin.Status)];
            foreach (var problem in ProblemsOf(now).Except(Problems, StringComparer.Ordinal))
                LogProblem(_logger, problem);
            Volatile.Write(ref _status, now);
        }
    }

    private static IEnumerable<string> ProblemsOf(IEnumerable<TwinStatus> states) =>
        states.Select(static status => status.Problem).OfType<string>().Distinct(StringComparer.Ordinal);

    private void OnChanged(IReadOnlyCollection<long> parents) => Wake();

    private void Wake() => _wake.Writer.TryWrite(true);

    [LoggerMessage(486, LogLevel.Information, "Updated {Folder}: {Made} created, {Replaced} replaced, {Removed} removed.")]
    private static partial void LogKept(ILogger logger, string folder, int made, int replaced, int removed);

    [LoggerMessage(487, LogLevel.Warning, "{Problem}")]
    private static partial void LogProblem(ILogger logger, string problem);

    [LoggerMessage(488, LogLevel.Error, "{Folder} could not be updated.")]
    private static partial void LogFault(ILogger logger, string folder, Exception exception);

    [LoggerMessage(489, LogLevel.Information, "{Folder} can be written again and is kept in step with its category.")]
    private static partial void LogBack(ILogger logger, string folder);
}

/// <summary>Describes why a folder could not be updated.</summary>
internal static class TwinFaults
{
    // errno(3), numbered as on Linux.
    private const int NotPermitted = 1;
    private const int AccessDenied = 13;
    private const int NoSpace = 28;
    private const int ReadOnly = 30;
    private const int QuotaExceeded = 122;

    public static string Explain(string folder, Exception fault)
    {
        var detail = fault.Message.TrimEnd('.');
        return fault switch
        {
            UnauthorizedAccessException or IOException { HResult: NotPermitted or AccessDenied } =>
                $"{folder} cannot be written: the server's user has no permission to write there ({detail}).",
            IOException { HResult: ReadOnly } => $"{folder} cannot be written: it is mounted read-only ({detail}).",
            IOException { HResult: NoSpace or QuotaExceeded } => $"{folder} cannot be written: there is no room left ({detail}).",
            _ => $"{folder} could not be updated: {detail}.",
        };
    }
}
