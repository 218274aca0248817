using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Content.Dialling;
using NzbDav.Content.Rates;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Providers;

/// <summary>One account in use: its connections, its current state and its counters. Thread-safe.</summary>
public sealed partial class Provider : INntpAccount, IAsyncDisposable
{
    private readonly ProviderUsage _usage;
    private readonly IDispatcher _dispatcher;
    private readonly ILogger _logger;
    private readonly ConnectionPool _pool;
    private readonly ProviderCounters.Live _counters = new();
    private readonly ProviderReliability _reliability;
    private volatile NntpCommand _existenceCommand = NntpCommand.Stat;
    private MovingAverage _roundTripTicks;
    private long _articles;
    private long _bytes;

    internal Provider(
        int index, ProviderOptions options, IDispatcher dispatcher, ReceiveBuffers buffers, TimeProvider time, UsenetMetrics metrics,
        ILogger logger, UsageBook usage, ProviderTimeline? timeline = null, ConnectionLeases? leases = null, Dialler? dialler = null)
    {
        Options = options;
        _dispatcher = dispatcher;
        _logger = logger;
        _usage = usage.Of(options.Account);
        _usage.Apply(options.Quota);
        Bit = 1UL << index;
        Number = index;
        Metrics = metrics;
        Pace = new ProviderPace(time);
        _reliability = new ProviderReliability(time);
        _pool = new ConnectionPool(this, buffers.Charging(Charge), time, logger, timeline, leases?.Of(options.Account), dialler);
    }

    /// <summary>As configured.</summary>
    public ProviderOptions Options { get; }

    /// <summary>The current state.</summary>
    public ProviderStatus Status
    {
        get
        {
            var quota = _usage.Status;
            var status = _pool.Snapshot(RoundTrip.TotalMilliseconds, Interlocked.Read(ref _articles), Bytes) with
            {
                Counters = _counters.Read(),
                ConnectionRate = Pace.BytesPerSecond,
                IsSlow = Pace.IsSlow,
                Lately = _reliability.LastDay,
                IsUnreliable = IsUnreliable,
                Quota = quota,
            };
            if (quota is not { IsUsedUp: true })
                return status;
            var reason = Describe(quota);
            return status with
            {
                State = ProviderState.Failing,
                Phase = ProviderPhase.UsedUp,
                Reason = reason,
                Trouble = reason,
                NextAttempt = quota.Resets
            };
        }
    }

    /// <summary>Decoded bytes of intact articles since the provider was set up. Costs nothing to read.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    internal UsenetMetrics Metrics { get; }

    /// <summary>Unique among the providers of its client, 0 to 63.</summary>
    public int Number { get; }

    /// <summary>True if only fetching an article shows whether it exists: the server supports neither STAT nor HEAD.</summary>
    internal bool ChecksByFetching => _existenceCommand == NntpCommand.Body;

    /// <summary>Its bit in sets of providers.</summary>
    internal ulong Bit { get; }

    /// <summary>Its speed per connection. Guarded by the dispatcher's lock.</summary>
    internal ProviderPace Pace { get; }

    /// <summary>
    /// True if so many of its recent articles failed that another provider of its priority is preferred where both have room. Costs nothing
    /// to read.
    /// </summary>
    internal bool IsUnreliable => _reliability.IsUnreliable;

    /// <summary>True if its quota is used up. Costs nothing to read.</summary>
    internal bool IsUsedUp => _usage.IsUsedUp;

    /// <summary>Whether it may be given requests.</summary>
    internal ProviderAvailability Availability => IsUsedUp ? ProviderAvailability.Down : _pool.Availability;

    /// <summary>
    /// Connections that the account allows: as configured, or fewer if it refused more. Ignores a gateway's lease, which grows on demand.
    /// Costs nothing to read.
    /// </summary>
    internal int AllowedConnections => _pool.AllowedConnections;

    /// <summary>Connections that the server would allow if it did not still count lost ones.</summary>
    internal int HeldByGhosts => _pool.HeldByGhosts;

    /// <summary>Connections being dialled, or ended and still counted.</summary>
    internal int Unopened => _pool.Unopened;

    /// <summary>How long its server has refused every login; null: it has not.</summary>
    internal TimeSpan? RefusedFor => _pool.RefusedFor;

    /// <summary>
    /// Connections of retired providers of the same account that are still open; this provider opens one for each that ends.
    /// </summary>
    internal int Inherited => _pool.Inherited;

    /// <summary>Time from request to first byte on an idle connection, smoothed.</summary>
    internal TimeSpan RoundTrip => new((long)_roundTripTicks.Value);

    /// <summary>Called when <see cref="ProviderStatus.Phase"/> changed, usually under the pool's lock: must only schedule work.</summary>
    internal Action? PhaseChanged { get; init; }

    string INntpAccount.Name => Options.DisplayName;

    TimeSpan INntpAccount.RoundTrip => RoundTrip;

    bool INntpAccount.TimesDecoding => Metrics.TimesDecoding;

    NntpCommand INntpAccount.ExistenceCommand => _existenceCommand;

    void INntpAccount.OnCommandUnsupported(NntpCommand command)
    {
        // Answers to commands sent before the switch say nothing new.
        if (command != _existenceCommand)
            return;
        _existenceCommand = command == NntpCommand.Stat ? NntpCommand.Head : NntpCommand.Body;
        LogLacks(_logger, Options.DisplayName, command, _existenceCommand);
    }

    void INntpAccount.RoundTripMeasured(TimeSpan time)
    {
        // A lost update between connections does no harm. A sample counts as at most twice the round trip: a pause of a second on all
        // connections is not a round trip.
        var most = _roundTripTicks.IsKnown ? 2 * _roundTripTicks.Value : double.MaxValue;
        _roundTripTicks.Add(Math.Min(time.Ticks, most));
    }

    void INntpAccount.Sent(TimeSpan queued, int depth) => Metrics.Sent(Options.DisplayName, queued, depth);

    void INntpAccount.FirstByte(TimeSpan time) => Metrics.FirstByte(Options.DisplayName, time);

    void INntpAccount.Received(TimeSpan receive, TimeSpan decode, int bytes)
    {
        Interlocked.Increment(ref _articles);
        Interlocked.Add(ref _bytes, bytes);
        Metrics.Received(Options.DisplayName, receive, decode, bytes);
    }

    // Used by the parts of its pool.

    /// <summary>Number of requests that wait for one of its connections. Takes the dispatcher's lock.</summary>
    internal int Waiting => Availability == ProviderAvailability.Down ? 0 : _dispatcher.WaitingFor(this);

    /// <summary>Registers a connection with the dispatcher. Takes no lock.</summary>
    internal IPooledConnection Register(NntpConnection connection) => _dispatcher.Register(this, connection);

    /// <summary>Reports that a connection was opened, and how long that took.</summary>
    internal void Connected(TimeSpan took) => Metrics.Connected(Options.DisplayName, took);

    /// <summary>Reports that its availability became worse. Call outside the pool's lock.</summary>
    internal void StandingWorsened() => _dispatcher.ProviderChanged(this);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _pool.DisposeAsync();

    internal void Start() => _pool.Start();

    /// <summary>Stops opening connections. The dispatcher drains the open ones.</summary>
    internal void Retire() => _pool.Retire();

    /// <summary>Hands the connections of a retired provider over to its replacement, unless that is done already.</summary>
    internal void HandOverTo(Provider successor) => _pool.HandOverTo(successor._pool);

    /// <summary>Waits until the connections of a retired provider have ended, then disposes it. Never throws.</summary>
    internal Task EndAsync() => _pool.EndAsync();

    /// <summary>
    /// Records that somebody views its state: for three seconds an unreachable provider is probed each second. Costs nothing otherwise.
    /// </summary>
    internal void OnStatusViewed() => _pool.OnStatusViewed();

    internal void Demand(int requests) => _pool.Demand(requests);

    /// <summary>
    /// Dials a failed provider without a connection at once, whatever its break, because a reader needs an article that no other has. It
    /// counts as <see cref="ProviderAvailability.Interrupted"/> until the result is known, for three seconds at most. False if it has not
    /// failed, is used up, or was dialled a moment ago.
    /// </summary>
    internal bool DialNow() => !IsUsedUp && _pool.DialNow();

    /// <summary>Counts the result of a request for an article.</summary>
    internal void OnRequestEnded(NntpConnection connection, AttemptOutcome outcome)
    {
        _counters.Add(outcome);
        _reliability.Add(outcome);
        if (connection.HasServed)
            _pool.Served(connection);
    }

    /// <summary>
    /// Call once a second, outside the pool's lock (the pool does). Expires old failures, starts a new quota period, and notices when other
    /// processes have used the quota up.
    /// </summary>
    internal void Tick()
    {
        _reliability.Tick();
        if (_usage.ConsumeUsedUpByOthers())
            UsedUp();
        if (!_usage.BeginPeriodIfDue())
            return;
        LogAnew(_logger, Options.DisplayName);
        NotifyPhaseChanged();
    }

    /// <summary>
    /// Notifies the listener of a changed phase, usually under the pool's lock. Logs exceptions of the listener, so that the pool's work
    /// goes on.
    /// </summary>
    internal void NotifyPhaseChanged()
    {
        try
        {
            PhaseChanged?.Invoke();
        }
        catch (Exception e)
        {
            LogFault(_logger, e, Options.DisplayName);
        }
    }

    /// <summary>
    /// Charges received bytes to the quota. If that uses it up, a pool thread notifies waiting requests, because the caller is receiving.
    /// </summary>
    private void Charge(int bytes)
    {
        if (_usage.Add(bytes))
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.NotifyUsedUp(), this, preferLocal: false);
    }

    /// <summary>Runs on a thread-pool thread, where an exception would end the process.</summary>
    private void NotifyUsedUp()
    {
        try
        {
            UsedUp();
        }
        catch (Exception e)
        {
            LogFault(_logger, e, Options.DisplayName);
        }
    }

    private void UsedUp()
    {
        if (_usage.Status is not { IsUsedUp: true } quota)
            return;
        LogUsedUp(_logger, Options.DisplayName, Describe(quota));
        _dispatcher.ProviderChanged(this);
        NotifyPhaseChanged();
    }

    private static string Describe(QuotaStatus quota) => quota.Resets is { } resets
        ? string.Create(CultureInfo.InvariantCulture,
            $"Its quota of {quota.Bytes / 1_000_000_000} GB is used up; it begins anew on {resets:yyyy-MM-dd}.")
        : string.Create(CultureInfo.InvariantCulture, $"Its block of {quota.Bytes / 1_000_000_000} GB is used up.");

    [LoggerMessage(134, LogLevel.Error, "Provider {Provider}: an internal error in what follows a change of its state. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, string provider);

    [LoggerMessage(131, LogLevel.Warning, "Provider {Provider}: {Reason}")]
    private static partial void LogUsedUp(ILogger logger, string provider, string reason);

    [LoggerMessage(133, LogLevel.Information, "Provider {Provider} does not know {Command}: {Instead} asks whether it has an article.")]
    private static partial void LogLacks(ILogger logger, string provider, NntpCommand command, NntpCommand instead);

    [LoggerMessage(132, LogLevel.Information, "Provider {Provider}: its quota begins anew.")]
    private static partial void LogAnew(ILogger logger, string provider);
}
