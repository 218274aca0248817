using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Sab.Adding;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Native.Play;

/// <summary>What somebody wants to play: a file that was sent, or a link.</summary>
/// <param name="Name">The name of the file that was sent; for a link, what it is called until more is known.</param>
/// <param name="File">An .nzb or .torrent, plain or packed; owned by the caller. Null: it is a link.</param>
/// <param name="Link">A magnet link, or the address of an .nzb or .torrent; null: it was sent.</param>
/// <param name="Category">The category of the job; null: <see cref="PlayRequests.Category"/>.</param>
/// <param name="Password">For encrypted archives; null: none given.</param>
internal sealed record PlayOrder(string Name, IntakeFile? File, string? Link, string? Category, string? Password)
{
    /// <summary>What the job is called; null: as the file, or what the link says.</summary>
    public string? Title { get; init; }

    /// <summary>True: the caller may resume a job that somebody paused, and let it run first.</summary>
    public bool MayChange { get; init; }

    /// <summary>Where it is listed; null: nobody has said.</summary>
    public string? Indexer { get; init; }

    /// <summary>Further copies of the same, tried in order when one cannot be played.</summary>
    public IReadOnlyList<PlayOrder> Next { get; init; } = [];

    /// <summary>Omits link and password, for logs.</summary>
    public override string ToString() => Title ?? Name;
}

/// <summary>
/// Takes what people want to play into the tree. Equal orders that are on their way share one job, and one that failed for good fails at
/// once for a while. Thread-safe.
/// </summary>
internal sealed partial class PlayRequests(
    JobIntake intake, UrlFetcher fetcher, JobStore jobs, JobOutcome outcome, IHostApplicationLifetime lifetime,
    NextCopies copies, TimeProvider time, ILogger<PlayRequests> logger, IReleaseSearch? releases = null) : IDisposable
{
    /// <summary>The category of what is played, unless the caller names one.</summary>
    public const string Category = "play";

    /// <summary>How long a post that cannot be streamed is remembered: a provider may get its articles back.</summary>
    private static readonly TimeSpan Remembered = TimeSpan.FromMinutes(30);

    /// <summary>Most failures that are remembered; the oldest go first.</summary>
    private const int MostRemembered = 10_000;

    private readonly ConcurrentDictionary<string, PlayArrival> _arriving = new(StringComparer.Ordinal);
    private readonly SemaphoreSlim _adding = new(1);
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (PlayFailure Failure, DateTimeOffset Until)> _failed = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();

    /// <summary>The order of a release that a search has found; null: there is none of that id, or no longer.</summary>
    public PlayOrder? Find(string release, string? category, string? password, bool mayChange)
    {
        if (releases?.Find(release) is not { Count: > 0 } found)
            return null;
        return OrderOf(found[0]) with { Next = [.. found.Skip(1).Select(OrderOf)] };

        PlayOrder OrderOf(FoundRelease one) => new(one.Title, null, one.Link, category, password)
        { Title = one.Title, Indexer = one.Indexer, MayChange = mayChange };
    }

    /// <summary>Begins, or joins an equal order that is on its way.</summary>
    /// <param name="order">The order. Its file may be disposed once <see cref="PlayArrival.Taken"/> has ended.</param>
    /// <param name="cancellationToken">Cancels the look at the file. What has begun goes on: others may wait for it.</param>
    public async Task<PlayArrival> BeginAsync(PlayOrder order, CancellationToken cancellationToken)
    {
        // The name of a file may hold a password, and says what it is.
        var key = KeyOf(order)
            ?? KeyOf(order, $"{order.Name}\n{Convert.ToHexStringLower(await order.File!.HashAsync(cancellationToken))}");
        if (order.Next.Count == 0 && FindFailure(key) is { } failure)
            return new PlayArrival(new PlayOutcome(null, failure));
        var arrival = new PlayArrival();

        // One that tries other copies too has another end.
        var arriving = order.Next.Count == 0 ? key : key + "+";
        var shared = _arriving.GetOrAdd(arriving, arrival);
        if (shared == arrival)
            arrival.Start(RunAsync(order, key, arriving, arrival));
        return shared;
    }

    /// <inheritdoc/>
    public void Dispose() => _adding.Dispose();

    private async Task<PlayOutcome> RunAsync(PlayOrder order, string key, string arriving, PlayArrival arrival)
    {
        try
        {
            var tried = new List<PlayTry>();
            PlayOutcome ended;
            for (var next = 0; ; next++)
            {
                var copy = next == 0 ? order : order.Next[next - 1];
                var copyKey = next == 0 ? key : KeyOf(copy)!;
                ended = FindFailure(copyKey) is { } known
                    ? new PlayOutcome(null, known) : await AddAsync(copy, arrival, lifetime.ApplicationStopping);
                if (ended is { Job: not null, Failure: { MayPass: false } failure })
                    Remember(copyKey, failure);

                // What is wrong with this machine is wrong with the other copies too.
                if (ended.Failure is not { } why)
                {
                    if (ended.Job is { } played && order.Next.Count > next)
                        copies.Add(played, new Rest(this, [.. order.Next.Skip(next)]));
                    return ended with { Tried = tried };
                }

                if (next == order.Next.Count || why.IsHere)
                    return ended with { Failure = why with { Tried = tried } };
                tried.Add(new PlayTry(copy.Title ?? copy.Name, copy.Indexer, why));
            }
        }
        catch (CatalogException e)
        {
            return new PlayOutcome(null, new PlayFailure(ImportFailure.Storage, e.Message, MayPass: true));
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            return new PlayOutcome(null, new PlayFailure(PlayFailure.Stopping, "The server is stopping.", MayPass: true));
        }
        catch (Exception e)
        {
            LogFault(logger, e, order.ToString());
            return new PlayOutcome(null, new PlayFailure(
                ImportFailure.Internal, "An unexpected error ended it. The log has the details.", MayPass: true));
        }
        finally
        {
            arrival.Take();
            _arriving.TryRemove(arriving, out _);
        }
    }

    /// <summary>Fetches what the address in an order leads to.</summary>
    /// <returns>The order with a magnet link, or with a file that the caller disposes; null if it has no address. Or why not.</returns>
    public async Task<(PlayOrder? Order, PlayFailure? Failure)> FetchAsync(PlayOrder order, CancellationToken cancellationToken)
    {
        if (order.Link is not { } link || link.StartsWith("magnet:", StringComparison.OrdinalIgnoreCase))
            return (null, null);
        if (!Uri.TryCreate(link, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https"))
            return (null, new PlayFailure(
                PlayFailure.Unreachable, "This is neither a magnet link nor an address that begins with http:// or https://.",
                MayPass: false));
        var fetched = await fetcher.FetchAsync(link, cancellationToken);
        return fetched switch
        {
            { Magnet: { } magnet } => (order with { Link = magnet }, null),
            { Body: { } body } => (order with { Link = null, File = body, Name = fetched.FileName ?? order.Name }, null),
            _ => (null, new PlayFailure(
                PlayFailure.Unreachable, $"The address cannot be fetched: {fetched.Error}.", fetched.MayPass)),
        };
    }

    private async Task<PlayOutcome> AddAsync(PlayOrder order, PlayArrival arrival, CancellationToken stopping)
    {
        var (fetched, failure) = await FetchAsync(order, stopping);
        if (failure is not null)
            return new PlayOutcome(null, failure);
        if (fetched is not null)
        {
            await using (fetched.File)
                return await AddAsync(fetched, arrival, stopping);
        }

        var category = order.Category ?? Category;
        if (await intake.RequestAsync(category, JobPriority.Force, order.Password, paused: false, stopping) is not { } request)
            return new PlayOutcome(null, PlayFailure.OfCategory(category));
        request = request with { Title = order.Title };
        AddResultBody added;

        // One after the other: of two that send the same post at once, the second finds the job of the first.
        await _adding.WaitAsync(stopping);
        try
        {
            var results = order.File is { } file
                ? await intake.AddFileAsync(order.Name, file, request, stopping)
                : [await intake.AddLinkAsync(order.Link!, request, stopping)];
            added = results.FirstOrDefault(static one => one.Job is not null) ?? results[0];
        }
        finally
        {
            _adding.Release();
        }

        if (added.Job is not { } job)
            return new PlayOutcome(null, new PlayFailure(ImportFailure.Malformed, added.Error ?? "It cannot be read.", MayPass: false));
        var id = long.Parse(job.Id, CultureInfo.InvariantCulture);
        arrival.JobId = id;
        arrival.Take();
        if (added.Duplicate && order.MayChange)
        {
            // It may be a job of low priority, or one that somebody paused.
            await jobs.SetPriorityAsync(id, JobPriority.Force, stopping);
            await jobs.ResumeAsync(id, stopping);
        }

        return await WaitAsync(id, stopping);
    }

    /// <summary>What becomes of a job. One that waits for something to pass, such as for its providers, is an answer too.</summary>
    private async Task<PlayOutcome> WaitAsync(long id, CancellationToken stopping) => await outcome.WaitAsync(
        id, static job => job.State is JobState.Completed or JobState.Failed
            || (job.State == JobState.Queued && (job.Paused || job.WaitingSince is not null)),
        stopping) switch
    {
        null => new PlayOutcome(null, new PlayFailure(PlayFailure.Deleted, "Somebody deleted the job.", MayPass: true)),
        { State: JobState.Completed } done => new PlayOutcome(done, null),
        { State: JobState.Failed, FailureCode: { } code } failed =>
            new PlayOutcome(failed, PlayFailure.Of(failed, mayPass: !ImportFailure.IsOfRelease(code))),
        { Paused: true } paused => new PlayOutcome(paused, new PlayFailure(PlayFailure.Paused, "Somebody paused its job.", MayPass: true)),
        { } waiting => new PlayOutcome(waiting, PlayFailure.Of(waiting, mayPass: true)),
    };

    /// <summary>Identifies an order by its link; null: it is a file.</summary>
    private static string? KeyOf(PlayOrder order) => order.Link is { } link ? KeyOf(order, link) : null;

    /// <summary>A hash: links and passwords may be long.</summary>
    private static string KeyOf(PlayOrder order, string what) => Convert.ToHexStringLower(
        SHA256.HashData(Encoding.UTF8.GetBytes($"{what}\n{order.Title}\n{order.Category}\n{order.Password}")));

    private PlayFailure? FindFailure(string key)
    {
        lock (_gate)
        {
            if (_failed.TryGetValue(key, out var known) && known.Until > time.GetUtcNow())
                return known.Failure;
        }

        return null;
    }

    /// <summary>Remembers that an order with a link cannot be played.</summary>
    public void Remember(PlayOrder order, PlayFailure failure)
    {
        if (KeyOf(order) is { } key && !failure.MayPass && !failure.IsHere)
            Remember(key, failure);
    }

    /// <summary>Why an order with a link cannot be played, if that is known; else null.</summary>
    public PlayFailure? FindFailure(PlayOrder order) => KeyOf(order) is { } key ? FindFailure(key) : null;

    private void Remember(string key, PlayFailure failure)
    {
        lock (_gate)
        {
            if (!_failed.ContainsKey(key))
                _order.Enqueue(key);
            _failed[key] = (failure, time.GetUtcNow() + Remembered);
            while (_order.Count > MostRemembered)
                _failed.Remove(_order.Dequeue());
        }
    }

    /// <summary>The copies that are left of a release, imported when a reader needs one.</summary>
    private sealed class Rest(PlayRequests requests, List<PlayOrder> orders) : ICopyImports
    {
        /// <inheritdoc/>
        public bool IsAnyLeft => orders.Count > 0;

        /// <inheritdoc/>
        public async Task<CatalogJob?> ImportAsync(CancellationToken cancellationToken)
        {
            // What may pass, such as an indexer that does not answer, is tried again for the next reader.
            foreach (var order in orders.ToArray())
            {
                var arrival = await requests.BeginAsync(order, cancellationToken);
                var outcome = await arrival.Outcome.WaitAsync(cancellationToken);
                if (outcome.Failure is null or { MayPass: false, IsHere: false })
                    orders.Remove(order);
                if (outcome is { Failure: null, Job: { } job })
                    return job;
                if (outcome.Failure is { IsHere: true })
                    return null;
            }

            return null;
        }
    }

    [LoggerMessage(1840, LogLevel.Error, "An unexpected error ended the request to play {Name}.")]
    private static partial void LogFault(ILogger logger, Exception fault, string name);
}

/// <summary>An order on its way, shared by all who want the same.</summary>
internal sealed class PlayArrival
{
    private readonly TaskCompletionSource<PlayOutcome> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _taken = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public PlayArrival()
    {
    }

    /// <param name="known">An outcome that is known already.</param>
    public PlayArrival(PlayOutcome known)
    {
        _outcome.SetResult(known);
        Take();
    }

    /// <summary>Ends once nothing reads the file of the order any more.</summary>
    public Task Taken => _taken.Task;

    /// <summary>What becomes of it.</summary>
    public Task<PlayOutcome> Outcome => _outcome.Task;

    /// <summary>Its job; null: there is none yet.</summary>
    public long? JobId { get; set; }

    /// <summary>The file is no longer needed.</summary>
    public void Take() => _taken.TrySetResult();

    public void Start(Task<PlayOutcome> running) => _ = running.ContinueWith(
        static (ended, state) => ((TaskCompletionSource<PlayOutcome>)state!).SetFromTask(ended), _outcome, TaskScheduler.Default);
}

/// <summary>What became of an order.</summary>
/// <param name="Job">Its job; null: there is none.</param>
/// <param name="Failure">Why it cannot be played; null: its files are in the tree.</param>
internal sealed record PlayOutcome(CatalogJob? Job, PlayFailure? Failure)
{
    /// <summary>Copies that were tried before and cannot be played.</summary>
    public IReadOnlyList<PlayTry> Tried { get; init; } = [];
}

/// <summary>A copy that cannot be played.</summary>
/// <param name="Title">Its title.</param>
/// <param name="Indexer">Where it is listed; null: nobody has said.</param>
/// <param name="Failure">Why not.</param>
internal sealed record PlayTry(string Title, string? Indexer, PlayFailure Failure);

/// <summary>Why something cannot be played.</summary>
/// <param name="Code">For programs: one of these constants, or of those of <see cref="ImportFailure"/>.</param>
/// <param name="Message">For people.</param>
/// <param name="MayPass">True if the same may succeed later.</param>
internal sealed record PlayFailure(string Code, string Message, bool MayPass)
{
    /// <summary>The address cannot be fetched.</summary>
    public const string Unreachable = "unreachable-address";

    /// <summary>The category's name cannot be a folder's.</summary>
    public const string BadCategory = "bad-category";

    /// <summary>The server is stopping.</summary>
    public const string Stopping = "server-stopping";

    /// <summary>Somebody paused the job, and the caller may not resume it.</summary>
    public const string Paused = "job-paused";

    /// <summary>The job was deleted meanwhile.</summary>
    public const string Deleted = "job-deleted";

    /// <summary>It holds no file of that name, season or episode, or nothing that can be played.</summary>
    public const string NoSuchFile = "no-such-file";

    /// <summary>Its first bytes have not come in time.</summary>
    public const string NoBytes = "no-bytes";

    /// <summary>Copies that were tried before and cannot be played either.</summary>
    public IReadOnlyList<PlayTry> Tried { get; init; } = [];

    /// <summary>True if the cause is this machine, the call or a person, so that no other copy would do better.</summary>
    public bool IsHere => Code is BadCategory or Stopping or Paused or Deleted
        or ImportFailure.Storage or ImportFailure.Internal or ImportFailure.Unavailable;

    public static PlayFailure OfCategory(string category) =>
        new(BadCategory, $"'{category}' is not a valid name for a category.", MayPass: false);

    public static PlayFailure Of(CatalogJob job, bool mayPass) =>
        new(job.FailureCode ?? ImportFailure.Internal, job.FailureMessage ?? "It cannot be imported.", mayPass);
}
