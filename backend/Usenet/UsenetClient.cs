using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet;

/// <summary>
/// The whole of Usenet for the rest of the product: all providers behind one dispatcher, one cache, one budget. Thread-safe;
/// connections are opened by <see cref="Start"/> and closed by disposal.
/// </summary>
public sealed class UsenetClient : IAsyncDisposable
{
    /// <summary>Accounts at a time. Sets of providers are bits of one number: as many again may be on their way out.</summary>
    public const int MostProviders = 32;

    private readonly Dispatcher _dispatcher;
    private readonly PatchFolder? _patches;
    private readonly LineLimit _limit;
    private readonly ReceiveBuffers _buffers;
    private readonly UsenetMetrics _metrics;
    private readonly UsageBook _usage;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly Dictionary<Provider, Task> _retiring = [];
    private Provider[] _providers;
    private int _lastIndex = -1;
    private bool _started;
    private bool _disposed;

    /// <param name="providers">At most <see cref="MostProviders"/>, validated.</param>
    /// <param name="pool">Where article buffers come from; its budget bounds everything here.</param>
    /// <param name="time">Clock for time limits, back-off and rates.</param>
    /// <param name="logger">Told when providers come and go.</param>
    /// <param name="meters">Makes the meters; null when nobody listens.</param>
    /// <param name="patches">Articles that were made again: taken from there, and never asked for. Null: there are none.</param>
    /// <param name="usage">What accounts with a quota brought before; null: nothing, and nobody keeps what they bring.</param>
    /// <param name="before">Puts something between the cache in memory and the fetcher that asks the providers, such as a cache on the disk. Null: nothing.</param>
    /// <param name="timeline">Where it is noted what is asked of providers and what they do; null: nowhere.</param>
    public UsenetClient(
        IReadOnlyList<ProviderOptions> providers, BufferPool pool, TimeProvider time, ILogger<UsenetClient> logger, IMeterFactory? meters = null, PatchFolder? patches = null, UsageBook? usage = null,
        Func<ISegmentFetcher, ISegmentFetcher>? before = null, Timeline? timeline = null)
    {
        ArgumentNullException.ThrowIfNull(providers);
        Time = time;
        _logger = logger;
        _metrics = new UsenetMetrics(meters);
        _dispatcher = new Dispatcher(time, _metrics, timeline is null ? null : new ProviderTimeline(timeline));
        _limit = new LineLimit(time);
        _buffers = new ReceiveBuffers(_limit);
        _usage = usage ?? new UsageBook(time);
        _providers = Make(providers);
        _dispatcher.SetProviders(_providers);
        _patches = patches;
        var fetcher = before is null ? _dispatcher : before(_dispatcher);
        Cache = new SegmentCache(pool, patches is null ? fetcher : new PatchedFetcher(fetcher, patches), time, new StreamMetrics(meters));
        _metrics.Observe(() => Providers, () => _dispatcher.Queued);
    }

    /// <summary>Raised when the <see cref="ProviderStatus.Phase"/> of an account became another one; handlers return at once and take no lock of their own.</summary>
    public event Action? PhaseChanged;

    /// <summary>Articles in memory.</summary>
    public SegmentCache Cache { get; }

    /// <summary>Articles that readers found gone.</summary>
    public GoneArticles Gone => _dispatcher.Gone;

    /// <summary>The accounts, in the order of the configuration.</summary>
    public IReadOnlyList<Provider> Providers => Volatile.Read(ref _providers);

    /// <summary>Most bytes a second from all providers together, what NNTP and yEnc add included; null: no limit. Takes effect at once.</summary>
    public long? SpeedLimit
    {
        get => _limit.BytesPerSecond;
        set => _limit.BytesPerSecond = value;
    }

    /// <summary>Requests that wait for a connection.</summary>
    public int QueuedRequests => _dispatcher.Queued;

    /// <summary>Requests that a connection has taken and not answered, keep-alives included.</summary>
    public int RequestsOnWire => _dispatcher.OnWire;

    internal TimeProvider Time { get; }

    /// <summary>Opens the warm connections, without waiting for them.</summary>
    public void Start()
    {
        lock (_gate)
        {
            _started = true;
            foreach (var provider in _providers)
                provider.Start();
        }
    }

    /// <summary>
    /// Which accounts serve from now on. Those that are as they were keep their connections; one that is gone, or is another now, ends what is on its wire and then
    /// its connections. No read is cut: what waits is asked of those that are there, and ends as unavailable only if nobody is.
    /// </summary>
    /// <param name="providers">At most <see cref="MostProviders"/>, validated.</param>
    /// <exception cref="ArgumentException">There are too many.</exception>
    public void SetProviders(IReadOnlyList<ProviderOptions> providers)
    {
        ArgumentNullException.ThrowIfNull(providers);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            var before = _providers;
            var after = Make(providers);
            Volatile.Write(ref _providers, after);

            // First, or a connection that quits would be replaced.
            var gone = before.Except(after).ToArray();
            foreach (var provider in gone)
                provider.Retire();
            _dispatcher.SetProviders(after);
            if (after.Except(before).Any())
                Gone.Clear();
            foreach (var provider in gone)
                _retiring[provider] = EndAsync(provider);

            // Not before the dispatcher knows them: it tells connections of others to quit.
            if (_started)
            {
                foreach (var provider in after.Except(before))
                    provider.Start();
            }
        }
    }

    /// <summary>
    /// Somebody looks at the accounts' state: call it each second while that is so. Accounts that cannot be reached are then asked for their greeting once a second, so that it is seen
    /// within two seconds when they are back; otherwise with the next attempt, after 2 seconds to 5 minutes.
    /// </summary>
    public void NoteLook()
    {
        foreach (var provider in Providers)
            provider.NoteLook();
    }

    /// <summary>A file as content.</summary>
    /// <param name="map">Where its bytes are.</param>
    /// <param name="corrected">Told the right map when articles turn out to lie elsewhere than <paramref name="map"/> says, so
    /// that it can be stored. Called from a reader; must not block.</param>
    /// <param name="reckoning">What of the map is reckoned and not seen; null: nothing of it.</param>
    public IContent Open(ExtentMap map, Action<ExtentMap>? corrected = null, IReckoning? reckoning = null) => new UsenetContent(this, map, corrected, reckoning);

    /// <summary>Fetches an article to learn what it says about itself. Its bytes stay in the cache for the first reader.</summary>
    public Task<ArticleProbe> ProbeAsync(string messageId, FetchPriority priority, CancellationToken cancellationToken) =>
        ProbeAsync(SegmentKey.Unknown(messageId), priority, headBytes: 0, cancellationToken);

    /// <inheritdoc cref="ProbeAsync(string, FetchPriority, CancellationToken)"/>
    /// <param name="key">The article and what is known of it: a copy that is another part is asked for elsewhere, and taken only if every provider has the same.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="headBytes">How many of its first bytes to copy.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    public async Task<ArticleProbe> ProbeAsync(SegmentKey key, FetchPriority priority, int headBytes, CancellationToken cancellationToken)
    {
        var flight = await OpenAsync(key, priority, cancellationToken);
        try
        {
            await flight.WhenEnded().WaitAsync(cancellationToken);
            var outcome = flight.Outcome is SegmentOutcome.Mismatch ? SegmentOutcome.Found : flight.Outcome;
            using var lease = headBytes > 0 && outcome == SegmentOutcome.Found ? flight.TryLend(0, headBytes) : null;
            return new ArticleProbe(outcome, flight.Header as ArticleHeader, flight.FailureReason) { Head = lease?.Memory.ToArray() ?? ReadOnlyMemory<byte>.Empty };
        }
        finally
        {
            Cache.Close(flight);
        }
    }

    /// <summary>Fetches an article from one provider alone, to see whether it delivers what its STAT promises. Its bytes are of no use to readers.</summary>
    /// <param name="messageId">The article.</param>
    /// <param name="provider">One of <see cref="Providers"/>; unavailable when it is not among them any more.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    public Task<ArticleProbe> ProbeAsync(string messageId, Provider provider, FetchPriority priority, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(provider);
        return ProbeAsync(SegmentKey.Unknown(SourcedId.Of(provider.Bit, messageId)), priority, headBytes: 0, cancellationToken);
    }

    /// <summary>
    /// Asks whether an article exists, without fetching it: missing only when every provider says so. Some providers say yes to what
    /// they cannot deliver, so that a yes is a hint and a no is not yet a proof (RFC 3977 §6.2.4).
    /// </summary>
    public Task<ArticleProbe> StatAsync(string messageId, FetchPriority priority, CancellationToken cancellationToken) =>
        StatAsync(SegmentKey.Unknown(messageId), priority, cancellationToken);

    /// <inheritdoc cref="StatAsync(string, FetchPriority, CancellationToken)"/>
    /// <param name="key">The article, and when it was posted if that is known.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    public async Task<ArticleProbe> StatAsync(SegmentKey key, FetchPriority priority, CancellationToken cancellationToken)
    {
        if (_patches?.Has(key.Id) == true)
            return new ArticleProbe(SegmentOutcome.Found, Header: null, Reason: null);
        var stat = new ArticleStat(key.Id, priority) { PostedDay = key.PostedDay };
        _dispatcher.Begin(stat);
        return await stat.Answer.WaitAsync(cancellationToken);
    }

    /// <summary>Asks one provider alone whether it has an article, through its queue and connections. A yes is a hint, as above.</summary>
    /// <param name="messageId">The article.</param>
    /// <param name="provider">One of <see cref="Providers"/>; unavailable when it is not among them any more.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    public async Task<ArticleProbe> StatAsync(string messageId, Provider provider, FetchPriority priority, CancellationToken cancellationToken)
    {
        var stat = new ArticleStat(messageId, priority, provider);
        _dispatcher.Begin(stat);
        return await stat.Answer.WaitAsync(cancellationToken);
    }

    /// <summary>Keeps an article that was made again. Whoever asks for it from now on gets it from here, and it is not gone any more.</summary>
    /// <param name="post">See <see cref="PatchFolder.Add"/>.</param>
    /// <param name="patch">The article.</param>
    /// <exception cref="InvalidOperationException">The client was made without a folder for them.</exception>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    public void Keep(string post, ArticlePatch patch)
    {
        ArgumentNullException.ThrowIfNull(patch);
        (_patches ?? throw new InvalidOperationException("There is no folder for articles that were made again.")).Add(post, patch);
        Gone.Forget(patch.Ids);
    }

    /// <summary>The posts whose patches a file needs (<see cref="PatchFolder.Add"/>).</summary>
    /// <param name="map">The file.</param>
    public IReadOnlyList<string> PatchedPostsOf(ExtentMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        if (_patches is null or { Count: 0 })
            return [];
        return [.. Enumerable.Range(0, map.Segments.Count).Select(segment => _patches.PostOf(map.Segments.Id(segment))).OfType<string>().Distinct(StringComparer.Ordinal)];
    }

    /// <summary>True when an article was made again and is kept.</summary>
    /// <param name="ids">What stands for it (<see cref="Nzb.ArticleIds"/>).</param>
    public bool IsMade(string ids) => _patches?.Has(ids) == true;

    /// <summary>True when articles that were made again can be kept.</summary>
    public bool KeepsPatches => _patches is not null;

    /// <summary>Finds out where each article of a posted file begins.</summary>
    /// <param name="messageIds">The articles in order.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="known">Headers seen already, by index.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    public Task<PostLayout> LayOutAsync(
        IReadOnlyList<string> messageIds, FetchPriority priority, IReadOnlyDictionary<int, ArticleHeader> known, CancellationToken cancellationToken) =>
        new LayoutProbe(this, messageIds, priority).RunAsync(known, cancellationToken);

    /// <inheritdoc cref="LayOutAsync(IReadOnlyList{string}, FetchPriority, IReadOnlyDictionary{int, ArticleHeader}, CancellationToken)"/>
    /// <param name="messageIds">The articles in order.</param>
    /// <param name="priority">How urgent it is.</param>
    /// <param name="postedDay">When they were posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</param>
    /// <param name="asked">What asking brought before, by index: none of these is asked for again, not even one that is gone.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    public Task<PostLayout> LayOutAsync(
        IReadOnlyList<string> messageIds, FetchPriority priority, int postedDay, IReadOnlyDictionary<int, ArticleProbe> asked, CancellationToken cancellationToken) =>
        new LayoutProbe(this, messageIds, priority) { PostedDay = postedDay, Asked = asked }.RunAsync(new Dictionary<int, ArticleHeader>(), cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Provider[] all;
        Task[] retiring;
        lock (_gate)
        {
            _disposed = true;
            all = [.. _providers, .. _retiring.Keys];
            retiring = [.. _retiring.Values];
        }

        foreach (var provider in all)
            await provider.DisposeAsync();
        await Task.WhenAll(retiring);
        _dispatcher.Dispose();
    }

    /// <summary>Those that stay as they are, and new ones for the rest.</summary>
    private Provider[] Make(IReadOnlyList<ProviderOptions> accounts)
    {
        if (accounts.Count > MostProviders)
            throw new ArgumentException($"At most {MostProviders} providers can be told apart.", nameof(accounts));
        var left = _providers?.ToList() ?? [];
        var made = new Provider[accounts.Count];
        for (var i = 0; i < made.Length; i++)
        {
            // Once each: an account that stands there twice is two providers.
            var same = left.Find(provider => provider.Options == accounts[i]);
            if (same is not null)
                left.Remove(same);
            made[i] = same ?? new Provider(FreeIndex(made), accounts[i], _dispatcher, _buffers, Time, _metrics, _logger, _usage) { PhaseChanged = () => PhaseChanged?.Invoke() };
        }

        return made;
    }

    /// <summary>As long not used as possible: requests under way may still name a provider that is gone.</summary>
    private int FreeIndex(Provider?[] made)
    {
        var needed = BitsOf(made) | BitsOf(_providers ?? []);
        var taken = needed | BitsOf(_retiring.Keys);
        if (taken == ulong.MaxValue)
            taken = needed;
        do
            _lastIndex = (_lastIndex + 1) % 64;
        while ((taken & (1UL << _lastIndex)) != 0);
        return _lastIndex;
    }

    private static ulong BitsOf(IEnumerable<Provider?> providers) => providers.Aggregate(0UL, (bits, provider) => bits | (provider?.Bit ?? 0));

    private async Task EndAsync(Provider provider)
    {
        await Task.Yield();
        await provider.EndAsync();
        lock (_gate)
            _retiring.Remove(provider);
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
}
