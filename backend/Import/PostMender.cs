using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Usenet;
using NzbDav.Usenet.Nzb;
using NzbDav.Usenet.Providers;

namespace NzbDav.Import;

/// <summary>
/// Repairs a published file's post from its recovery data when a reader meets an article that is gone. One post at a time, behind all readers: the set that protects the article is read once, as in
/// a download. What could not be repaired is not tried again for <see cref="FailedFor"/>, unless the providers change, not even by the next process. Thread-safe.
/// </summary>
public sealed partial class PostMender : IPostMender, IAsyncDisposable
{
    /// <summary>What is gone everywhere rarely comes back, and each try asks for all articles of the post by STAT.</summary>
    internal static readonly TimeSpan FailedFor = TimeSpan.FromHours(6);

    /// <summary>The same where no provider answered, or the disk was full.</summary>
    internal static readonly TimeSpan DelayedFor = TimeSpan.FromMinutes(1);

    /// <summary>How long somebody waits while another post is repaired: nobody knows how long that takes, and a scan of a library may have met many.</summary>
    internal static readonly TimeSpan QueuePatience = TimeSpan.FromSeconds(5);

    /// <summary>How often somebody who waits looks whether it is still worth it.</summary>
    private static readonly TimeSpan Glance = TimeSpan.FromSeconds(1);

    /// <summary>Files of which the latest repair is remembered.</summary>
    private const int MostKept = 1_024;

    private readonly ImportTools _tools;
    private readonly TreeStore _tree;
    private readonly RepairStore _repairs;
    private readonly Live<ImportOptions> _options;
    private readonly ILogger<PostMender> _logger;
    private readonly Lock _gate = new();
    private readonly Dictionary<long, PostMending> _files = [];
    private readonly SemaphoreSlim _one = new(1);
    private readonly CancellationTokenSource _stopping = new();
    private Task _running = Task.CompletedTask;
    private int _active;
    private bool _disposed;

    public PostMender(JobStore jobs, BlobStore blobs, ExtentMapStore maps, TreeStore tree, RepairStore repairs, UsenetClient usenet, Live<ImportOptions> options, TimeProvider time, ILogger<PostMender> logger)
    {
        ArgumentNullException.ThrowIfNull(options);
        _tools = new ImportTools(jobs, blobs, maps, usenet, options.Value, new ImportEvents(), time, logger);
        _tree = tree;
        _repairs = repairs;
        _options = options;
        _logger = logger;
    }

    /// <inheritdoc/>
    public void Begin(CatalogItem item, string article)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (!_tools.Usenet.IsMade(article))
            Find(item, article);
    }

    /// <inheritdoc/>
    public async ValueTask<MendOutcome> MendAsync(CatalogItem item, string article, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        var began = _tools.Time.GetTimestamp();
        while (true)
        {
            if (_tools.Usenet.IsMade(article))
                return Told(MendState.Mended, reason: null);
            if (Find(item, article) is not { } mending)
                return Told(MendState.Failed, reason: null);
            while (!mending.Ended.IsCompleted)
            {
                var left = (mending.IsStarted ? IPostMender.Patience : QueuePatience) - _tools.Time.GetElapsedTime(began);
                if (left <= TimeSpan.Zero || mending.Left() > left)
                    return Told(MendState.UnderWay, Describe(mending));
                await Task.WhenAny(mending.Ended, Task.Delay(left < Glance ? left : Glance, _tools.Time, cancellationToken));
                cancellationToken.ThrowIfCancellationRequested();
            }

            if (mending.Why is { } why)
                return Told(MendState.Failed, why);

            // What was made again may be the head of the volume, without which this article is of no use: reading tells.
            if (mending.Article == article)
                return Told(MendState.Mended, reason: null);
        }

        MendOutcome Told(MendState state, string? reason) => new(state, reason) { Waited = _tools.Time.GetElapsedTime(began) };
    }

    /// <inheritdoc/>
    public string? Tell(CatalogItem item)
    {
        ArgumentNullException.ThrowIfNull(item);
        lock (_gate)
            return _files.TryGetValue(item.Id, out var mending) ? Describe(mending) : null;
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
    public async ValueTask<MendFailure?> FindFailureAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        PostMending? known;
        lock (_gate)
            known = _files.GetValueOrDefault(item.Id);
        if (known is null)
            return await FindStoredAsync(item, cancellationToken);
        return known is { Ended.IsCompleted: true, Why: { } why, IsPassing: false } && known.Until > _tools.Time.GetUtcNow() && known.Asked == _tools.Usenet.Providers ? new MendFailure(why, known.Until) : null;
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

    private static string? Describe(PostMending mending) =>
        mending.Ended.IsCompleted ? mending.Why
        : mending.Percent is { } percent ? string.Create(CultureInfo.InvariantCulture, $"It is being repaired from the recovery data of its post: {percent} % are read.")
        : !mending.IsStarted ? "Its repair from the recovery data of its post waits for that of another."
        : "Its repair from the recovery data of its post has begun.";

    /// <summary>The repair of a file: the one under way, the latest that failed and is not due again, or one that begins now. Null: none may begin.</summary>
    private PostMending? Find(CatalogItem item, string article)
    {
        lock (_gate)
        {
            var asked = _tools.Usenet.Providers;
            if (_files.TryGetValue(item.Id, out var known) && (!known.Ended.IsCompleted || (known.Why is not null && known.Until > _tools.Time.GetUtcNow() && known.Asked == asked)))
                return known;
            if (_disposed || !_options.Value.RepairsReads || !_tools.Usenet.KeepsPatches)
                return null;
            if (_files.Count >= MostKept)
                Forget();
            var mending = new PostMending(article, _tools.Time) { Asked = asked, IsFirst = known is null, IsStarted = _active++ == 0 };
            _files[item.Id] = mending;
            Follow(Task.Run(() => RunAsync(item, article, mending)));
            return mending;
        }
    }

    private void Follow(Task running) => _running = _running.IsCompleted ? running : Task.WhenAll(_running, running);

    private async Task ResumeAsync(CatalogItem item)
    {
        try
        {
            if (await _repairs.FindAsync(item.Id, _stopping.Token) is { Failure: null } stored)
                Begin(item, stored.Article);
        }
        catch (Exception e) when (e is CatalogException or OperationCanceledException)
        {
            // It begins when somebody reads that far.
        }
    }

    /// <summary>A failure that an earlier process came to and that still counts.</summary>
    private async ValueTask<MendFailure?> FindStoredAsync(CatalogItem item, CancellationToken cancellationToken) =>
        await _repairs.FindAsync(item.Id, cancellationToken) is { Failure: { } failure } stored && failure.Until > _tools.Time.GetUtcNow() && stored.Providers == NamesOf(_tools.Usenet.Providers) ? failure : null;

    /// <summary>Stands for accounts in what is stored, without telling them.</summary>
    private static string NamesOf(IEnumerable<Provider> providers) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join(
        '\n', providers.Select(static provider => $"{provider.Options.Host}:{provider.Options.Port}:{provider.Options.Username}").Order(StringComparer.Ordinal)))).AsSpan(0, 16));

    private void Forget()
    {
        foreach (var (file, _) in _files.Where(static file => file.Value.Ended.IsCompleted).OrderBy(static file => file.Value.Until).Take(MostKept / 2).ToArray())
            _files.Remove(file);
    }

    private async Task RunAsync(CatalogItem item, string article, PostMending mending)
    {
        ImportFailure? failure;
        try
        {
            if (mending.IsFirst && await FindStoredAsync(item, _stopping.Token) is { } known)
            {
                lock (_gate)
                    _active--;
                mending.End(known.Reason, known.Until);
                return;
            }

            await _one.WaitAsync(_stopping.Token);
            try
            {
                mending.IsStarted = true;
                failure = await RepairAsync(item, article, mending.Report, _stopping.Token);
            }
            finally
            {
                _one.Release();
            }
        }
        catch (OperationCanceledException)
        {
            failure = new ImportFailure(ImportFailure.Unavailable, "The server stops.", Passing: true);
        }
        catch (CatalogException e)
        {
            failure = new ImportFailure(ImportFailure.Storage, $"Its repair could not begin: {e.Message}", Passing: true);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            LogFault(_logger, item.Name, e);
            failure = new ImportFailure(ImportFailure.Internal, $"Its repair met a fault of the program: {e.Message}");
        }

        if (failure is null)
            LogMended(_logger, item.Name);
        else if (!_stopping.IsCancellationRequested)
            LogFailed(_logger, item.Name, failure.Message);
        var until = _tools.Time.GetUtcNow() + (failure is { Passing: true } ? DelayedFor : FailedFor);
        await StoreAsync(item, article, failure, until);
        lock (_gate)
            _active--;
        mending.End(failure?.Message, until, failure is { Passing: true });
    }

    /// <summary>What passes, and what the stop of the server cut short, stays as it was stored when it began.</summary>
    private async Task StoreAsync(CatalogItem item, string article, ImportFailure? failure, DateTimeOffset until)
    {
        try
        {
            if (failure is null)
                await _repairs.RemoveAsync(item.Id, CancellationToken.None);
            else if (!failure.Passing)
                await _repairs.SetAsync(item.Id, new StoredRepair(article, new MendFailure(failure.Message, until), NamesOf(_tools.Usenet.Providers)), CancellationToken.None);
        }
        catch (Exception e) when (e is CatalogException or ObjectDisposedException)
        {
            // The next process tries once more.
            LogNotStored(_logger, item.Name, e.Message);
        }
    }

    /// <returns>Null when the article is there, or others are that it may need.</returns>
    private async Task<ImportFailure?> RepairAsync(CatalogItem item, string article, Action<int> progress, CancellationToken cancellationToken)
    {
        // The repair for another file of the set may have brought it.
        if (_tools.Usenet.IsMade(article))
            return null;
        if (ArticleIds.IsUnlisted(article))
            return Hopeless("Its .nzb does not list the article, so what was made again could not be kept.");
        if (item.JobId is not { } id || await _tools.Jobs.GetAsync(id, cancellationToken) is not { Kind: JobKind.Nzb } job)
            return Hopeless("It cannot be repaired: the .nzb that lists its recovery data is no longer kept.");
        var tools = _tools with { Options = _options.Value };
        var parsed = await ParseStep.RunAsync(tools.Blobs, job, cancellationToken);
        if (!parsed.Succeeded)
            return parsed.Failure;
        if (!PostRepair.IsPossible(tools, parsed.Value))
            return Hopeless("Its post has no recovery data.");

        // First, or what is made again could be taken for what no file needs.
        var post = job.Id.ToString(CultureInfo.InvariantCulture);
        await _tree.NotePatchesAsync(job.Id, post, cancellationToken);
        await _repairs.SetAsync(item.Id, new StoredRepair(article, Failure: null, NamesOf(_tools.Usenet.Providers)), cancellationToken);
        LogBegins(_logger, item.Name);
        var repaired = await new PostRepair(tools, progress) { Article = article }.RunAsync(post, parsed.Value, isDamaged: true, cancellationToken);
        if (!repaired.Succeeded)
            return repaired.Failure;
        if (!repaired.Value.HasRecovery)
            return Hopeless("Its post has no recovery data.");
        return repaired.Value.Articles > 0 || _tools.Usenet.IsMade(article) ? null : Hopeless(repaired.Value.Why ?? "The recovery data of its post do not protect the article, or find nothing wrong with it.");
    }

    private static ImportFailure Hopeless(string reason) => new(ImportFailure.Missing, reason);
}
