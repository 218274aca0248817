using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Limits;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Usenet;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Repair;

/// <summary>
/// Repairs a published file's post from its recovery data when a reader meets an article that is gone. Repairs one post at a time, with a
/// lower priority than any reader, and reads the set that protects the article once, as a download would. A failed repair is not tried
/// again for <see cref="FailedFor"/>, even after a restart, unless the providers change. Thread-safe.
/// </summary>
public sealed partial class PostRepairer : IPostRepairer, IAsyncDisposable
{
    /// <summary>Articles that are gone everywhere rarely come back, and each attempt sends STAT for all articles of the post.</summary>
    internal static readonly TimeSpan FailedFor = TimeSpan.FromHours(6);

    /// <summary>The same after a temporary failure: no provider answered, or the disk was full. Doubles with each further one.</summary>
    internal static readonly TimeSpan DelayedFor = TimeSpan.FromMinutes(1);

    /// <summary>The longest time after a temporary failure. Where the disk or the memory was full, each attempt may read the whole set:
    /// then it is <see cref="FailedFor"/>.</summary>
    internal static readonly TimeSpan LongestDelay = TimeSpan.FromHours(1);

    /// <summary>How long a caller waits while another post is repaired. That may take any time, and a scan of a library may have caused
    /// many repairs.</summary>
    internal static readonly TimeSpan MaxQueueWait = TimeSpan.FromSeconds(5);

    /// <summary>How often a waiting caller checks whether waiting is still worth it.</summary>
    private static readonly TimeSpan Glance = TimeSpan.FromSeconds(1);

    /// <summary>Number of files whose latest repair is remembered.</summary>
    private const int MostKept = 1_024;

    private readonly ImportTools _tools;
    private readonly TreeStore _tree;
    private readonly RepairLedger _ledger;
    private readonly Live<ImportOptions> _options;
    private readonly ILogger<PostRepairer> _logger;
    private readonly Lock _gate = new();
    private readonly Dictionary<long, RepairRun> _files = [];
    private readonly SemaphoreSlim _one = new(1);
    private readonly CancellationTokenSource _stopping = new();
    private Task _running = Task.CompletedTask;
    private int _active;
    private bool _disposed;

    public PostRepairer(JobStore jobs, BlobStore blobs, ExtentMapStore maps, TreeStore tree, RepairStore repairs, UsenetClient usenet,
        Live<ImportOptions> options, TimeProvider time, ILogger<PostRepairer> logger, RepairMemory? memory = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        _tools = new ImportTools(jobs, blobs, maps, usenet, options.Value, new ImportEvents(), time, logger)
        { Memory = memory ?? RepairMemory.Of(readBudget: 0) };
        _tree = tree;
        _ledger = new RepairLedger(repairs, usenet, time, logger);
        _options = options;
        _logger = logger;
    }

    /// <inheritdoc/>
    public void Begin(CatalogItem item, string article)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (!_tools.Usenet.HasPatch(article))
            FindOrBegin(item, article);
    }

    /// <inheritdoc/>
    public async ValueTask<RepairWaitOutcome> RepairAsync(CatalogItem item, string article, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        var began = _tools.Time.GetTimestamp();
        while (true)
        {
            if (_tools.Usenet.HasPatch(article))
                return Told(RepairWaitState.Repaired, reason: null);
            if (FindOrBegin(item, article) is not { } repair)
                return Told(RepairWaitState.Failed, reason: null) with { IsTransient = IsDisposed };
            while (!repair.Ended.IsCompleted)
            {
                var left = (repair.IsStarted ? IPostRepairer.MaxWait : MaxQueueWait) - _tools.Time.GetElapsedTime(began);
                if (left <= TimeSpan.Zero || repair.Left() > left)
                    return Told(RepairWaitState.Running, Describe(repair));
                await Task.WhenAny(repair.Ended, Task.Delay(left < Glance ? left : Glance, _tools.Time, cancellationToken));
                cancellationToken.ThrowIfCancellationRequested();
            }

            if (repair.FailureReason is { } why)
                return Told(RepairWaitState.Failed, why) with { IsTransient = repair.IsTransient };

            // It may have made another article that this one depends on, the head of the volume. The next read shows whether
            // that was enough.
            if (repair.Article == article)
                return Told(RepairWaitState.Repaired, reason: null);
        }

        RepairWaitOutcome Told(RepairWaitState state, string? reason) => new(state, reason) { Waited = _tools.Time.GetElapsedTime(began) };
    }

    /// <inheritdoc/>
    public string? DescribeState(CatalogItem item)
    {
        ArgumentNullException.ThrowIfNull(item);
        lock (_gate)
            return _files.TryGetValue(item.Id, out var repair) ? Describe(repair) : null;
    }

    /// <inheritdoc/>
    public void Open(CatalogItem item)
    {
        ArgumentNullException.ThrowIfNull(item);
        lock (_gate)
        {
            if (!_disposed && _options.Value.RepairsReads && !_files.ContainsKey(item.Id))
                Follow(Task.Run(() => ResumeAsync(item)));
        }
    }

    /// <inheritdoc/>
    public async ValueTask<RepairFailure?> FindFailureAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        RepairRun? known;
        lock (_gate)
            known = _files.GetValueOrDefault(item.Id);
        if (known is null)
            return await _ledger.FindFailureAsync(item, cancellationToken);
        return known is { Ended.IsCompleted: true, FailureReason: { } why, IsTransient: false } && known.Until > _tools.Time.GetUtcNow()
            && known.Providers == _tools.Usenet.Providers ? new RepairFailure(why, known.Until) : null;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
        }

        await _stopping.CancelAsync();
        await _running;
        _stopping.Dispose();
        _one.Dispose();
    }

    private bool IsDisposed
    {
        get
        {
            lock (_gate)
                return _disposed;
        }
    }

    private static string? Describe(RepairRun repair) =>
        repair.Ended.IsCompleted ? repair.FailureReason
        : repair.Percent is { } percent ? string.Create(
            CultureInfo.InvariantCulture, $"It is being repaired from the recovery data of its post: {percent} % of it has been read.")
        : !repair.IsStarted ? "Its repair from the recovery data of its post waits for the repair of another post."
        : "Its repair from the recovery data of its post has begun.";

    /// <summary>The repair of a file: the one under way, the latest if it failed and is not due again, or one that begins now. Null: no
    /// repair may begin.</summary>
    private RepairRun? FindOrBegin(CatalogItem item, string article)
    {
        lock (_gate)
        {
            var asked = _tools.Usenet.Providers;
            if (_files.TryGetValue(item.Id, out var known)
                && (!known.Ended.IsCompleted || (
                    known.FailureReason is not null && known.Until > _tools.Time.GetUtcNow() && known.Providers == asked)))
                return known;
            if (_disposed || !_options.Value.RepairsReads || !_tools.Usenet.KeepsPatches)
                return null;
            if (_files.Count >= MostKept)
                Forget();
            var repair = new RepairRun(article, _tools.Time)
            {
                Providers = asked,
                IsFirst = known is null,
                IsStarted = _active++ == 0,
                Delayed = known is { IsTransient: true } ? known.Delayed + 1 : 0
            };
            _files[item.Id] = repair;
            Follow(Task.Run(() => RunAsync(item, article, repair)));
            return repair;
        }
    }

    private void Follow(Task running) => _running = _running.IsCompleted ? running : Task.WhenAll(_running, running);

    private async Task ResumeAsync(CatalogItem item)
    {
        try
        {
            if (await _ledger.FindUnfinishedAsync(item, _stopping.Token) is { } article)
                Begin(item, article);
        }
        catch (Exception e) when (e is CatalogException or OperationCanceledException)
        {
            // The repair begins when a reader reaches the article.
        }
    }

    private void Forget()
    {
        foreach (var (file, _) in _files.Where(static file => file.Value.Ended.IsCompleted).OrderBy(static file => file.Value.Until)
            .Take(MostKept / 2).ToArray())
            _files.Remove(file);
    }

    private async Task RunAsync(CatalogItem item, string article, RepairRun repair)
    {
        var end = new Ending("An unexpected error ended its repair.", _tools.Time.GetUtcNow() + FailedFor);
        try
        {
            end = await RunToEndAsync(item, article, repair);
        }
        catch (Exception e)
        {
            LogFault(_logger, item.Name, e);
        }
        finally
        {
            // Whatever happened: until the repair has ended every reader of the file waits for it, and it is not begun again.
            lock (_gate)
                _active--;
            repair.End(end.Reason, end.Until, end.IsTransient);
        }
    }

    private async Task<Ending> RunToEndAsync(CatalogItem item, string article, RepairRun repair)
    {
        ImportFailure? failure;
        try
        {
            if (repair.IsFirst && await _ledger.FindFailureAsync(item, _stopping.Token) is { } known)
                return new Ending(known.Reason, known.Until);
            await _one.WaitAsync(_stopping.Token);
            try
            {
                repair.IsStarted = true;
                failure = await RepairAsync(item, article, repair.Report, _stopping.Token);
            }
            finally
            {
                _one.Release();
            }
        }
        catch (OperationCanceledException)
        {
            failure = new ImportFailure(ImportFailure.Unavailable, "The server is stopping.", IsTransient: true);
        }
        catch (CatalogException e)
        {
            failure = new ImportFailure(ImportFailure.Storage, $"Its repair could not begin: {e.Message}", IsTransient: true);
        }
        catch (Exception e)
        {
            // Also OutOfMemoryException: it ends the repair, not the process.
            LogFault(_logger, item.Name, e);
            failure = new ImportFailure(ImportFailure.Internal, $"An unexpected error ended its repair: {e.Message}");
        }

        if (failure is null)
            LogMended(_logger, item.Name);
        else if (!_stopping.IsCancellationRequested)
            LogFailed(_logger, item.Name, failure.Message);
        var until = _tools.Time.GetUtcNow() + (failure is { IsTransient: true } ? DelayAfter(failure, repair.Delayed) : FailedFor);
        await _ledger.EndAsync(item, article, failure, until);
        return new Ending(failure?.Message, until, failure is { IsTransient: true });
    }

    /// <returns>Null if the article was repaired, or others on which it may depend.</returns>
    private async Task<ImportFailure?> RepairAsync(
        CatalogItem item, string article, Action<int> progress, CancellationToken cancellationToken)
    {
        // The repair for another file of the set may have repaired it.
        if (_tools.Usenet.HasPatch(article))
            return null;
        if (ArticleIds.IsNameless(article))
            return Unrepairable("Its .nzb does not list the article, so a restored copy could not be kept.");
        if (item.JobId is not { } id || await _tools.Jobs.GetAsync(id, cancellationToken) is not { Kind: JobKind.Nzb } job)
            return Unrepairable("It cannot be repaired: the .nzb that lists its recovery data is no longer kept.");
        var tools = _tools with { Options = _options.Value };
        var parsed = await ParseStep.RunAsync(tools.Blobs, job, cancellationToken);
        if (!parsed.Succeeded)
            return parsed.Failure;
        if (!PostRepair.IsPossible(tools, parsed.Value))
            return Unrepairable("Its post has no recovery data.");

        // Noted before any article is repaired. Otherwise the repaired articles could be deleted as belonging to no file.
        var post = job.Id.ToString(CultureInfo.InvariantCulture);
        await _tree.NotePatchesAsync(job.Id, post, cancellationToken);
        await _ledger.BeginAsync(item, article, cancellationToken);
        LogBegins(_logger, item.Name);
        var repaired = await new PostRepair(tools, progress) { Article = article }.RunAsync(
            post, parsed.Value, isDamaged: true, cancellationToken);
        if (!repaired.Succeeded)
            return repaired.Failure;
        if (!repaired.Value.HasRecovery)
            return Unrepairable("Its post has no recovery data.");
        return repaired.Value.Articles > 0 || _tools.Usenet.HasPatch(article) ? null : Unrepairable(
            repaired.Value.Reason ?? "The recovery data of its post do not protect the article, or find nothing wrong with it.");
    }

    private static TimeSpan DelayAfter(ImportFailure failure, int delayed)
    {
        var longest = failure.Code == ImportFailure.Unavailable ? LongestDelay : FailedFor;
        return delayed < 10 && DelayedFor * (1 << delayed) is var delay && delay < longest ? delay : longest;
    }

    private static ImportFailure Unrepairable(string reason) => new(ImportFailure.Missing, reason);

    /// <summary>How a repair ended, as <see cref="RepairRun.End"/> takes it.</summary>
    private readonly record struct Ending(string? Reason, DateTimeOffset Until, bool IsTransient = false);

    [LoggerMessage(
        240, LogLevel.Information, "{File} has an article that no provider has: its post is being repaired from the recovery data.")]
    private static partial void LogBegins(ILogger logger, string file);

    [LoggerMessage(241, LogLevel.Information, "{File} was repaired.")]
    private static partial void LogMended(ILogger logger, string file);

    [LoggerMessage(242, LogLevel.Warning, "{File} could not be repaired: {Reason}")]
    private static partial void LogFailed(ILogger logger, string file, string reason);

    [LoggerMessage(243, LogLevel.Error, "An unexpected error ended the repair of {File}.")]
    private static partial void LogFault(ILogger logger, string file, Exception e);
}
