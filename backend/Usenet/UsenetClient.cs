using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using NzbDav.Content;
using NzbDav.Content.Dialling;
using NzbDav.Content.Rates;
using NzbDav.Content.Recording;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Files;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet;

/// <summary>
/// Entry point to Usenet for the rest of the product: all providers behind one dispatcher, one cache, one budget. Thread-safe.
/// <see cref="Start"/> opens connections, disposal closes them.
/// </summary>
public sealed partial class UsenetClient : IArticles, IAsyncDisposable
{
    /// <summary>
    /// Most accounts at a time. Sets of providers are 64-bit masks, and as many providers again may still be shutting down.
    /// </summary>
    public const int MostProviders = 32;

    /// <summary>Burst that the speed limit allows after a quiet time, in seconds of the limit.</summary>
    private const double LimitBurst = 0.1;

    private readonly Dispatcher _dispatcher;
    private readonly PatchFolder? _patches;
    private readonly RateLimit _limit;
    private readonly ProviderSet _set;

    /// <param name="providers">At most <see cref="MostProviders"/>, validated.</param>
    /// <param name="pool">Pool of the article buffers; its budget bounds everything here.</param>
    /// <param name="time">Clock for time limits, back-off and rates.</param>
    /// <param name="logger">Logs when providers come and go.</param>
    /// <param name="meters">Makes the meters; null when nobody listens.</param>
    /// <param name="patches">Repaired articles: read from here, and never requested from a provider. Null: there are none.</param>
    /// <param name="usage">Bytes that accounts with a quota have delivered so far; null: none, and usage is not stored.</param>
    /// <param name="before">Wraps the fetcher that asks the providers, for instance with a cache on disk. Null: no wrapper.</param>
    /// <param name="timeline">Records requests to providers and events of connections; may be null.</param>
    /// <param name="leases">This process's part in accounts that other processes use too; nothing is opened before its first renewal. Null:
    /// accounts belong to this process alone.</param>
    /// <param name="dialler">Connects to the accounts' servers; null: <see cref="Dialler.Shared"/>.</param>
    public UsenetClient(
        IReadOnlyList<ProviderOptions> providers, BufferPool pool, TimeProvider time, ILogger<UsenetClient> logger,
        IMeterFactory? meters = null, PatchFolder? patches = null, UsageBook? usage = null,
        Func<ISegmentFetcher, ISegmentFetcher>? before = null, Timeline? timeline = null, ConnectionLeases? leases = null,
        Dialler? dialler = null)
    {
        ArgumentNullException.ThrowIfNull(providers);
        Time = time = new GuardedTime(time, fault => LogFault(logger, fault));
        var metrics = new UsenetMetrics(meters);
        var noted = timeline is null ? null : new ProviderTimeline(timeline);
        _dispatcher = new Dispatcher(time, metrics, noted, logger);
        _limit = new RateLimit(time, LimitBurst);
        _set = new ProviderSet(
            _dispatcher, new ReceiveBuffers(_limit), time, metrics, noted, usage ?? new UsageBook(time), leases, dialler, logger,
            () => PhaseChanged?.Invoke());
        _set.Set(providers);
        _patches = patches;
        var fetcher = before is null ? _dispatcher : before(_dispatcher);
        Cache = new SegmentCache(pool, patches is null ? fetcher : new PatchedFetcher(fetcher, patches), time, new StreamMetrics(meters));
        metrics.Observe(() => Providers.Select(static provider => provider.Status), () => _dispatcher.Queued);
    }

    /// <summary>
    /// Raised when the <see cref="ProviderStatus.Phase"/> of an account changed; handlers must return at once and take no lock of their
    /// own.
    /// </summary>
    public event Action? PhaseChanged;

    /// <summary>Articles in memory.</summary>
    public SegmentCache Cache { get; }

    /// <summary>Articles that readers found missing.</summary>
    public GoneArticles Gone => _dispatcher.Gone;

    /// <summary>The accounts, in the order of the configuration.</summary>
    public IReadOnlyList<Provider> Providers => _set.Now;

    /// <summary>
    /// Limit in bytes per second for all providers together, including NNTP and yEnc overhead; null: no limit. Takes effect at once.
    /// </summary>
    public long? SpeedLimit
    {
        get => _limit.BytesPerSecond is > 0 and var limit ? limit : null;
        set => _limit.BytesPerSecond = value ?? 0;
    }

    /// <summary>
    /// How long imports wait for an account that refuses the login, where all others lack an article. After that they ignore the account:
    /// an expired one would keep the job waiting for ever. For readers and checks the article stays unavailable, never missing. Default 10
    /// minutes: servers that cannot reach their list of accounts refuse everybody for a while. Takes effect at once.
    /// </summary>
    public TimeSpan RefusedLoginTimeout
    {
        get => _dispatcher.RefusedLoginTimeout;
        set => _dispatcher.RefusedLoginTimeout = value;
    }

    /// <summary>Requests that wait for a connection.</summary>
    public int QueuedRequests => _dispatcher.Queued;

    /// <summary>Requests that a connection has taken and not answered, keep-alives included.</summary>
    public int RequestsOnWire => _dispatcher.OnWire;

    internal TimeProvider Time { get; }

    TimeProvider IArticles.Time => Time;

    /// <summary>Opens the warm connections, without waiting for them.</summary>
    public void Start() => _set.Start();

    /// <summary>
    /// Replaces the accounts in service. Unchanged accounts keep their connections; a removed or changed one finishes its requests on the
    /// wire, then closes its connections. No read is interrupted: waiting requests go to the accounts in service, and end as unavailable
    /// only if there are none.
    /// </summary>
    /// <param name="providers">At most <see cref="MostProviders"/>, validated.</param>
    /// <exception cref="ArgumentException">There are too many.</exception>
    public void SetProviders(IReadOnlyList<ProviderOptions> providers)
    {
        ArgumentNullException.ThrowIfNull(providers);
        if (_set.Set(providers))
            Gone.Clear();
    }

    /// <summary>
    /// Call each second while somebody looks at the accounts' state. Unreachable accounts are then tried for their greeting once a second,
    /// so that their return shows within two seconds; otherwise it shows with the next attempt, after 2 seconds to 5 minutes.
    /// </summary>
    public void OnStatusViewed()
    {
        foreach (var provider in Providers)
            provider.OnStatusViewed();
    }

    /// <summary>A file as content.</summary>
    /// <param name="map">Where its bytes are.</param>
    /// <param name="corrected">Called with the corrected map when articles turn out to lie elsewhere than <paramref name="map"/> says, so
    /// that it can be stored. Called from a reader; must not block.</param>
    /// <param name="inferred">The volumes of the map that readers have to prove; null: none.</param>
    public IContent Open(ExtentMap map, Action<ExtentMap>? corrected = null, IInferredLayout? inferred = null) =>
        new UsenetContent(this, map, corrected, inferred);

    /// <summary>Fetches an article to read its header. Its bytes stay in the cache for the first reader.</summary>
    public Task<ArticleProbe> ProbeAsync(string messageId, FetchPriority priority, CancellationToken cancellationToken) =>
        ProbeAsync(SegmentKey.Unknown(messageId), priority, headBytes: 0, cancellationToken);

    /// <inheritdoc cref="ProbeAsync(string, FetchPriority, CancellationToken)"/>
    /// <param name="key">The article and what is known about it. If a copy is another part than that, the other providers are asked; it is
    /// accepted only once all were asked and none has the expected part.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="headBytes">How many of its first bytes to copy.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    public async Task<ArticleProbe> ProbeAsync(SegmentKey key, FetchPriority priority, int headBytes, CancellationToken cancellationToken)
    {
        var flight = await OpenAsync(key, priority, cancellationToken);
        try
        {
            await flight.WhenEnded().WaitAsync(cancellationToken);
            using var lease = headBytes > 0 && flight.IsFound ? flight.TryLend(0, headBytes) : null;
            return new ArticleProbe(flight.Fault, flight.Header as ArticleHeader, flight.FailureReason)
            { Head = lease?.Memory.ToArray() ?? ReadOnlyMemory<byte>.Empty };
        }
        finally
        {
            Cache.Close(flight);
        }
    }

    /// <summary>
    /// Fetches an article from one provider only, to check whether it delivers what its STAT promises. Readers cannot use its bytes.
    /// </summary>
    /// <param name="messageId">The article.</param>
    /// <param name="provider">One of <see cref="Providers"/>; the result is unavailable if it was removed.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    public Task<ArticleProbe> ProbeAsync(string messageId, Provider provider, FetchPriority priority, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(provider);
        return ProbeAsync(SegmentKey.Unknown(SourcedId.Of(provider.Bit, messageId)), priority, headBytes: 0, cancellationToken);
    }

    /// <summary>
    /// Asks whether an article exists, without fetching it: missing only when every provider says so. Some providers confirm articles that
    /// they cannot deliver, so a yes is a hint, and a no is not yet proof (RFC 3977 §6.2.4).
    /// </summary>
    public Task<ArticleProbe> StatAsync(string messageId, FetchPriority priority, CancellationToken cancellationToken) =>
        StatAsync(SegmentKey.Unknown(messageId), priority, cancellationToken);

    /// <inheritdoc cref="StatAsync(string, FetchPriority, CancellationToken)"/>
    /// <param name="key">The article, and when it was posted if that is known.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    public async Task<ArticleProbe> StatAsync(SegmentKey key, FetchPriority priority, CancellationToken cancellationToken)
    {
        if (_patches?.Has(key.Id) == true)
            return new ArticleProbe(Fault: null, Header: null, Reason: null);
        var stat = new ArticleStat(key.Id, priority) { PostedDay = key.PostedDay };
        _dispatcher.Begin(stat);
        return await stat.Answer.WaitAsync(cancellationToken);
    }

    /// <summary>Asks one provider only whether it has an article, through its queue and connections. A yes is a hint, as above.</summary>
    /// <param name="messageId">The article.</param>
    /// <param name="provider">One of <see cref="Providers"/>; the result is unavailable if it was removed.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    public async Task<ArticleProbe> StatAsync(
        string messageId, Provider provider, FetchPriority priority, CancellationToken cancellationToken)
    {
        var stat = new ArticleStat(messageId, priority, provider);
        _dispatcher.Begin(stat);
        return await stat.Answer.WaitAsync(cancellationToken);
    }

    /// <summary>Stores a repaired article. Later requests get it from here, and it no longer counts as missing.</summary>
    /// <param name="post">See <see cref="PatchFolder.Add"/>.</param>
    /// <param name="patch">The article.</param>
    /// <exception cref="InvalidOperationException">The client has no folder for repaired articles.</exception>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    public void StorePatch(string post, ArticlePatch patch)
    {
        ArgumentNullException.ThrowIfNull(patch);
        (_patches ?? throw new InvalidOperationException("There is no folder for repaired articles.")).Add(post, patch);
        Gone.Forget(patch.Ids);
    }

    /// <summary>Checks that repaired articles can be stored, before the repair.</summary>
    /// <param name="bytes">Bytes of the articles.</param>
    /// <exception cref="IOException">Their folder cannot be used, or its disk has no room.</exception>
    public void EnsurePatchRoom(long bytes) => _patches?.EnsureRoom(bytes);

    /// <summary>Opens an empty file beside the repaired articles, which disappears when its handle is disposed.</summary>
    /// <param name="bytes">Bytes for which the disk must have room.</param>
    /// <exception cref="InvalidOperationException">The client has no folder for repaired articles.</exception>
    /// <exception cref="IOException">The folder cannot be used, or its disk has no room.</exception>
    /// <exception cref="UnauthorizedAccessException">Nothing may be written there.</exception>
    public SafeFileHandle OpenPatchScratch(long bytes) =>
        (_patches ?? throw new InvalidOperationException("There is no folder for repaired articles.")).OpenScratch(bytes);

    /// <summary>The posts whose patches a file needs (<see cref="PatchFolder.Add"/>).</summary>
    /// <param name="map">The file.</param>
    public IReadOnlyList<string> PatchedPostsOf(ExtentMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        if (_patches is null or { Count: 0 })
            return [];
        return [.. Enumerable.Range(0, map.Segments.Count).Select(segment => _patches.PostOf(map.Segments.Id(segment))).OfType<string>()
            .Distinct(StringComparer.Ordinal)];
    }

    /// <summary>True when a repaired copy of an article is stored.</summary>
    /// <param name="ids">The ids of its copies (<see cref="Nzb.ArticleIds"/>).</param>
    public bool HasPatch(string ids) => _patches?.Has(ids) == true;

    /// <summary>True when repaired articles can be stored.</summary>
    public bool KeepsPatches => _patches is not null;

    /// <summary>Finds out where each article of a posted file begins.</summary>
    /// <param name="messageIds">The articles in order.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="known">Headers seen already, by index.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    public Task<PostLayout> LayOutAsync(
        IReadOnlyList<string> messageIds, FetchPriority priority, IReadOnlyDictionary<int, ArticleHeader> known,
        CancellationToken cancellationToken) =>
        new LayoutProbe(this, messageIds, priority).RunAsync(known, cancellationToken);

    /// <inheritdoc cref="LayOutAsync(IReadOnlyList{string}, FetchPriority, IReadOnlyDictionary{int, ArticleHeader}, CancellationToken)"/>
    /// <param name="messageIds">The articles in order.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="postedDay">When they were posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</param>
    /// <param name="counted">How many articles the subjects say the file has; null: they do not say.</param>
    /// <param name="asked">Results of earlier requests, by index: these articles are not requested again, not even missing ones.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    public Task<PostLayout> LayOutAsync(
        IReadOnlyList<string> messageIds, FetchPriority priority, int postedDay, int? counted, IReadOnlyDictionary<int, ArticleProbe> asked,
        CancellationToken cancellationToken) =>
        new LayoutProbe(this, messageIds, priority) { PostedDay = postedDay, Counted = counted, EarlierProbes = asked }
            .RunAsync(new Dictionary<int, ArticleHeader>(), cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _set.DisposeAsync();
        _dispatcher.Dispose();
    }

    private async Task<SegmentFlight> OpenAsync(SegmentKey key, FetchPriority priority, CancellationToken cancellationToken)
    {
        while (true)
        {
            var signal = new BudgetSignal(Cache.Budget);
            if (Cache.TryOpen(key, priority, signal, out var flight))
            {
                signal.Abandon();
                return flight;
            }

            await signal.WaitAsync(cancellationToken);
        }
    }

    [LoggerMessage(135, LogLevel.Error, "An internal error in a timer of the Usenet client. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
