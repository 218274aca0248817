using System.Collections.Concurrent;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;

namespace NzbDav.Api.Completion;

/// <summary>
/// Notifies rclone of each published job, so that its mount lists the folder before the job is reported as complete: makes it forget the two category folders and
/// read the new one (<c>vfs/forget</c>, <c>vfs/refresh</c>). If rclone does not answer, the job counts as visible after a few seconds. Thread-safe.
/// </summary>
public sealed partial class RcloneRefresh : BackgroundService, ICompletion
{
    /// <summary>Longer than rclone takes to refresh a folder over a slow mount. The *arrs ask once a minute.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly ConcurrentDictionary<long, bool> _done = new();
    private readonly Channel<long> _published = Channel.CreateUnbounded<long>();

    /// <summary>Jobs that were published before this time, in UTC ticks, count as visible.</summary>
    private long _visibleBefore;
    private readonly JobStore _jobs;
    private readonly TreeStore _tree;
    private readonly Live<RcloneOptions?> _options;
    private readonly HttpClient _http = new() { Timeout = Timeout.InfiniteTimeSpan };
    private readonly TimeProvider _time;
    private readonly ILogger<RcloneRefresh> _logger;
    private bool _silent;

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
        _visibleBefore = time.GetUtcNow().UtcTicks;
        jobs.Changed += OnChanged;
        jobs.Missed += OnMissed;
    }

    /// <inheritdoc/>
    public event Action? Shown;

    /// <inheritdoc/>
    /// <remarks>Jobs published before this process started, or while it could not hear of those of others, count as visible.</remarks>
    public bool IsVisible(CatalogJob job)
    {
        ArgumentNullException.ThrowIfNull(job);
        return _options.Value is null || job.Finished?.UtcTicks < Interlocked.Read(ref _visibleBefore) || _done.ContainsKey(job.Id);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _jobs.Changed -= OnChanged;
        _jobs.Missed -= OnMissed;
        _http.Dispose();
        base.Dispose();
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await foreach (var id in _published.Reader.ReadAllAsync(stoppingToken))
        {
            try
            {
                if (_options.Value is { } rclone && await _jobs.GetAsync(id, stoppingToken) is { ItemId: { } item } && await _tree.GetPathAsync(item, stoppingToken) is { Count: > 1 } path)
                    await TellAsync(rclone, [.. path.Skip(1)], stoppingToken);
            }
            catch (CatalogException e)
            {
                LogSilent(_logger, e.Message);
            }
            catch (Exception e) when (e is not OperationCanceledException || !stoppingToken.IsCancellationRequested)
            {
                // An exception that leaves the service would end it until the next start, and no later job would become visible.
                LogFault(_logger, e, id);
            }

            _done[id] = true;
            Shown?.Invoke();
        }
    }

    private void OnMissed() => Interlocked.Exchange(ref _visibleBefore, _time.GetUtcNow().UtcTicks);

    private void OnChanged(JobChange change)
    {
        if (change.State == JobState.Completed)
            _published.Writer.TryWrite(change.JobId);
        else if (change.State is null)
            _done.TryRemove(change.JobId, out _);
    }

    private async Task TellAsync(RcloneOptions rclone, string[] path, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(Patience, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        var folder = string.Join('/', path[..^1]);
        var job = string.Join('/', path);
        try
        {
            await CallAsync(rclone, "vfs/forget", new Dictionary<string, string>(StringComparer.Ordinal) { ["dir"] = $"completed-symlinks/{folder}", ["dir2"] = $"content/{folder}" }, both.Token);
            await CallAsync(rclone, "vfs/refresh", new Dictionary<string, string>(StringComparer.Ordinal) { ["dir"] = $"completed-symlinks/{job}", ["recursive"] = "true" }, both.Token);
            _silent = false;
        }
        catch (Exception e) when (e is HttpRequestException || (e is OperationCanceledException && !stopping.IsCancellationRequested))
        {
            // Logged once each time it stops answering.
            if (!_silent)
                LogSilent(_logger, e is OperationCanceledException ? "it did not answer in time" : e.Message);
            _silent = true;
        }
    }

    private async Task CallAsync(RcloneOptions rclone, string command, Dictionary<string, string> parameters, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri($"{rclone.Url.AbsoluteUri.TrimEnd('/')}/{command}")) { Content = JsonContent.Create(parameters) };
        if (rclone.Username is not null)
            request.Headers.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{rclone.Username}:{rclone.Password}")));
        using var response = await _http.SendAsync(request, cancellationToken);
        response.EnsureSuccessStatusCode();
    }

    [LoggerMessage(706, LogLevel.Error, "rclone was not notified of job {Job} because of an internal error, so its mount may list the folder late. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, long job);

    [LoggerMessage(405, LogLevel.Warning, "rclone could not be notified of a new folder, so its mount may list it late. Check NzbDav__Rclone__Url: {Reason}")]
    private static partial void LogSilent(ILogger logger, string reason);
}
