using System.Collections.Concurrent;
using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content.Dialling;
using NzbDav.Library;

namespace NzbDav.Api.Completion;

/// <summary>Says whether the files of a finished job can already be listed by the programs that import them. Thread-safe.</summary>
public interface ICompletion
{
    /// <summary>Raised after a job became visible; handlers must return quickly.</summary>
    event Action? Shown;

    /// <summary>True once the job's folder shows on the mount.</summary>
    /// <param name="job">A completed job.</param>
    bool IsVisible(CatalogJob job);
}

/// <summary>
/// Notifies rclone of each published job, so that its mount lists the folder before the job is reported as complete: makes it forget the
/// two category folders and the stable paths of the new files, and read the new folder (<c>vfs/forget</c>, <c>vfs/refresh</c>). If rclone
/// does not answer, the job counts as visible after a few seconds. What is deleted or renamed is forgotten, too. Thread-safe.
/// </summary>
public sealed partial class RcloneRefresh : BackgroundService, ICompletion
{
    /// <summary>Longer than rclone takes to refresh a folder over a slow mount. The *arrs ask once a minute.</summary>
    private static readonly TimeSpan RefreshTimeout = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Most files of a job that rclone is told of one by one, with six listings each. For a larger job it forgets all stable paths.
    /// </summary>
    private const int MostFiles = 200;

    private const string Links = "completed-symlinks";
    private const string Ids = ".ids";
    private const string RcloneFile = "file";
    private const string RcloneFolder = "dir";

    /// <summary>Changes within this time are sent together. A published job is sent at once, and its folder is not sent again.</summary>
    private static readonly TimeSpan Gathering = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<long, bool> _done = new();
    private readonly ConcurrentQueue<long> _published = new();

    /// <summary>Folders of the catalog whose children changed.</summary>
    private readonly ConcurrentDictionary<long, bool> _changed = new();

    /// <summary>Wakes the worker. The work is in the fields above by then.</summary>
    private readonly Channel<bool> _bell = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    /// <summary>Jobs that were published before this time, in UTC ticks, count as visible.</summary>
    private long _visibleBefore;
    private readonly JobStore _jobs;
    private readonly TreeStore _tree;
    private readonly Live<RcloneOptions?> _options;
    private readonly HttpClient _http =
        new(new SocketsHttpHandler { ConnectCallback = Dialler.Shared.ConnectAsync }) { Timeout = Timeout.InfiniteTimeSpan };
    private readonly TimeProvider _time;
    private readonly ILogger<RcloneRefresh> _logger;
    private bool _silent;
    private readonly ITimer _timer;
    private int _armed;
    private volatile bool _due;
    private volatile bool _removed;

    /// <param name="options">How to reach rclone; null if there is none to notify: then every job is visible at once.</param>
    /// <param name="jobs">Reports published jobs.</param>
    /// <param name="tree">Finds a job's folder.</param>
    /// <param name="time">Clock.</param>
    /// <param name="logger">Logs when rclone stops answering.</param>
    public RcloneRefresh(Live<RcloneOptions?> options, JobStore jobs, TreeStore tree, TimeProvider time, ILogger<RcloneRefresh> logger)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(time);
        _jobs = jobs;
        _tree = tree;
        _time = time;
        _logger = logger;
        _options = options;
        _timer = time.CreateTimer(
            _ =>
            {
                Interlocked.Exchange(ref _armed, 0);
                _due = true;
                _bell.Writer.TryWrite(true);
            },
            state: null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _visibleBefore = time.GetUtcNow().UtcTicks;
        jobs.Changed += OnChanged;
        jobs.NoticesLost += OnNoticesLost;
        tree.ChildrenChanged += OnChildrenChanged;
        tree.Removed += OnRemoved;
    }

    /// <inheritdoc/>
    public event Action? Shown;

    /// <inheritdoc/>
    /// <remarks>Jobs published before this process started, or while notices of other processes may have been lost, count as
    /// visible.</remarks>
    public bool IsVisible(CatalogJob job)
    {
        ArgumentNullException.ThrowIfNull(job);
        return _options.Value is null || job.Finished?.UtcTicks < Interlocked.Read(ref _visibleBefore) || _done.ContainsKey(job.Id);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _jobs.Changed -= OnChanged;
        _jobs.NoticesLost -= OnNoticesLost;
        _tree.ChildrenChanged -= OnChildrenChanged;
        _tree.Removed -= OnRemoved;
        _timer.Dispose();
        _http.Dispose();
        base.Dispose();
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var _ in _bell.Reader.ReadAllAsync(stoppingToken))
        {
            while (_published.TryDequeue(out var id))
            {
                await TryAsync(() => RefreshPublishedAsync(id, stoppingToken), id, stoppingToken);
                _done[id] = true;
                Shown?.Invoke();
            }

            if (!_due)
                continue;
            _due = false;
            await TryAsync(() => RefreshChangedAsync(stoppingToken), job: 0, stoppingToken);
        }
    }

    private async Task TryAsync(Func<Task> tell, long job, CancellationToken stopping)
    {
        try
        {
            await tell();
        }
        catch (CatalogException e)
        {
            LogSilent(_logger, e.Message);
        }
        catch (Exception e) when (e is not OperationCanceledException || !stopping.IsCancellationRequested)
        {
            // An exception that leaves the service would end it until the next start, and no later job would become visible.
            LogFault(_logger, e, job);
        }
    }

    /// <summary>
    /// The listings in which a new file appears: those of all folders on the way to its stable path, any of which may be new.
    /// </summary>
    private static IEnumerable<(string Kind, string Path)> ListingsOf(IEnumerable<long> files) => files
        .SelectMany(static file =>
        {
            var names = LibraryStore.StablePath(file).Split('/', StringSplitOptions.RemoveEmptyEntries);
            return Enumerable.Range(2, names.Length - 1).Select(count => string.Join('/', names.Take(count)));
        })
        .Distinct(StringComparer.Ordinal)
        .Select(static path => (RcloneFile, path));

    private async Task RefreshPublishedAsync(long id, CancellationToken stopping)
    {
        if (_options.Value is null || await _jobs.GetAsync(id, stopping) is not { ItemId: { } item }
            || await _tree.GetPathAsync(item, stopping) is not { Count: > 2 } path)
            return;
        var folder = string.Join('/', path.Skip(1).SkipLast(1));
        var files = new List<long>();
        await CollectAsync(item, files, stopping);
        var forgotten = new List<(string, string)>
        {
            (RcloneFolder, $"{Links}/{folder}"), (RcloneFolder, $"{JobStore.ContentCollection}/{folder}"),
        };
        forgotten.AddRange(files.Count > MostFiles ? [(RcloneFolder, Ids)] : ListingsOf(files));

        // The folder above changed with the job; this call covers it.
        if (await _tree.ResolveAsync([.. path.SkipLast(1)], stopping) is { } above)
            _changed.TryRemove(above.Id, out _);
        await SendAsync(forgotten, $"{Links}/{folder}/{path[^1]}", stopping);
    }

    /// <summary>Collects the ids of the files below a folder. Stops once there are more than <see cref="MostFiles"/>.</summary>
    private async Task CollectAsync(long folder, List<long> files, CancellationToken stopping)
    {
        await foreach (var child in _tree.ListAsync(folder, after: null, stopping))
        {
            if (files.Count > MostFiles)
                return;
            if (child.IsCollection)
                await CollectAsync(child.Id, files, stopping);
            else
                files.Add(child.Id);
        }
    }

    private async Task RefreshChangedAsync(CancellationToken stopping)
    {
        var forgotten = new List<(string, string)>();
        foreach (var id in _changed.Keys)
        {
            _changed.TryRemove(id, out _);
            if (_options.Value is null || await _tree.GetPathAsync(id, stopping) is not { Count: > 0 } path
                || path[0] != JobStore.ContentCollection)
                continue;

            // Any file name in it makes rclone forget the listing of the folder.
            var folder = string.Concat(path.Skip(1).Select(static name => "/" + name));
            forgotten.AddRange([(RcloneFile, $"{JobStore.ContentCollection}{folder}/x"), (RcloneFile, $"{Links}{folder}/x")]);
        }

        if (_removed)
        {
            // The stable paths of the removed files are no longer known: forget them all.
            _removed = false;
            forgotten.Add((RcloneFolder, Ids));
        }

        if (forgotten.Count > 0)
            await SendAsync(forgotten, refreshed: null, stopping);
    }

    private void OnNoticesLost() => Interlocked.Exchange(ref _visibleBefore, _time.GetUtcNow().UtcTicks);

    private void OnChanged(JobChange change)
    {
        if (change.State == JobState.Completed)
        {
            _published.Enqueue(change.JobId);
            _bell.Writer.TryWrite(true);
        }
        else if (change.State is null)
            _done.TryRemove(change.JobId, out _);
    }

    private void OnChildrenChanged(IReadOnlyCollection<long> parents)
    {
        if (_options.Value is null)
            return;
        foreach (var parent in parents)
            _changed[parent] = true;
        Arm();
    }

    private void OnRemoved()
    {
        if (_options.Value is null)
            return;
        _removed = true;
        Arm();
    }

    private void Arm()
    {
        if (Interlocked.Exchange(ref _armed, 1) == 0)
            _timer.Change(Gathering, Timeout.InfiniteTimeSpan);
    }

    /// <param name="forgotten">For <see cref="RcloneControl.ForgetAsync"/>.</param>
    /// <param name="refreshed">A folder to read afterwards; null: none.</param>
    /// <param name="stopping">The server stops.</param>
    private async Task SendAsync(IReadOnlyList<(string Kind, string Path)> forgotten, string? refreshed, CancellationToken stopping)
    {
        if (_options.Value is not { } options)
            return;
        using var limit = new CancellationTokenSource(RefreshTimeout, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        var rclone = new RcloneControl(_http, options);
        string? fault;
        try
        {
            var mounts = await rclone.ListAsync(both.Token);
            fault = await rclone.ForgetAsync(mounts, forgotten, both.Token);
            if (fault is null && refreshed is not null)
                fault = await rclone.RefreshAsync(mounts, refreshed, both.Token);
        }
        catch (Exception e) when (e is HttpRequestException || (e is OperationCanceledException && !stopping.IsCancellationRequested))
        {
            fault = e is OperationCanceledException ? "it did not answer in time" : e.Message;
        }

        // Logged once each time it stops answering.
        if (fault is not null && !_silent)
            LogSilent(_logger, fault);
        _silent = fault is not null;
    }

    [LoggerMessage(706, LogLevel.Error,
        "rclone was not notified of job {Job} because of an internal error, so its mount may list the folder late. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, long job);

    [LoggerMessage(405, LogLevel.Warning,
        "rclone could not be notified of a new folder, so its mount may list it late. Check NzbDav__Rclone__Url: {Reason}")]
    private static partial void LogSilent(ILogger logger, string reason);
}
