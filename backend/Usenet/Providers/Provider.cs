using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Providers;

/// <summary>One account at work: its connections, what it can do now, what it did. Thread-safe.</summary>
public sealed partial class Provider : IAsyncDisposable
{
    private readonly ProviderUsage _usage;
    private readonly Dispatcher _dispatcher;
    private readonly ILogger _logger;
    private readonly ConnectionPool _pool;
    private readonly ProviderCounters.Live _counters = new();
    private readonly ProviderReliability _reliability;
    private long _roundTripTicks;
    private long _articles;
    private long _bytes;

    internal Provider(int index, ProviderOptions options, Dispatcher dispatcher, ReceiveBuffers buffers, TimeProvider time, UsenetMetrics metrics, ILogger logger, UsageBook usage)
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
        _pool = new ConnectionPool(this, dispatcher, buffers.Charging(Charge), time, logger);
    }

    /// <summary>As configured.</summary>
    public ProviderOptions Options { get; }

    /// <summary>As it is now.</summary>
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
                Lately = _reliability.Lately,
                IsUnreliable = IsUnreliable,
                Quota = quota,
            };
            if (quota is not { IsUsedUp: true })
                return status;
            var reason = Describe(quota);
            return status with { State = ProviderState.Failing, Phase = ProviderPhase.UsedUp, Reason = reason, Trouble = reason, NextAttempt = quota.Resets };
        }
    }

    /// <summary>Decoded bytes of intact articles since it was set up. Costs nothing to read.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    internal UsenetMetrics Metrics { get; }

    /// <summary>Tells it from the other providers of its client, 0 to 63.</summary>
    public int Number { get; }

    /// <summary>Its place in sets of providers.</summary>
    internal ulong Bit { get; }

    /// <summary>How fast it is on one connection. Guarded by the dispatcher's lock.</summary>
    internal ProviderPace Pace { get; }

    /// <summary>It broke so many articles lately that another of its priority is given them where both have room. Costs nothing to read.</summary>
    internal bool IsUnreliable => _reliability.IsUnreliable;

    /// <summary>Nothing is left of its quota. Costs nothing to read.</summary>
    internal bool IsUsedUp => _usage.IsUsedUp;

    /// <summary>Whether requests may be left to it.</summary>
    internal ProviderStanding Standing => IsUsedUp ? ProviderStanding.Down : _pool.Standing;

    /// <summary>Connections that it would allow if it did not still count some that were lost.</summary>
    internal int HeldByGhosts => _pool.HeldByGhosts;

    /// <summary>Request to first byte on an idle connection, smoothed.</summary>
    internal TimeSpan RoundTrip => new(Interlocked.Read(ref _roundTripTicks));

    /// <summary>Called when <see cref="ProviderStatus.Phase"/> became another one, under the pool's lock: only schedules.</summary>
    internal Action? PhaseChanged { get; init; }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _pool.DisposeAsync();

    internal void Start() => _pool.Start();

    /// <summary>Opens no connection any more. The dispatcher tells those that are open to quit.</summary>
    internal void Retire() => _pool.Retire();

    /// <summary>Waits until the connections of a retired provider have ended, and disposes. Never throws.</summary>
    internal Task EndAsync() => _pool.EndAsync();

    /// <summary>Somebody looks at its state just now: for three seconds it is asked for its greeting each second while it cannot be reached. Costs nothing otherwise.</summary>
    internal void NoteLook() => _pool.NoteLook();

    internal void Demand(int requests) => _pool.Demand(requests);

    /// <summary>
    /// A reader needs an article that nobody else has: a provider without a connection that has failed is tried at once, whatever its break, and counts as <see cref="ProviderStanding.Lost"/> until that is decided, for three
    /// seconds at most. False when it has not failed, is used up, or was tried a moment ago.
    /// </summary>
    internal bool TryNow() => !IsUsedUp && _pool.TryNow();

    internal void RoundTripMeasured(TimeSpan time)
    {
        // Weight 1/8 as in TCP's smoothed round trip (RFC 6298); a lost update between connections does no harm.
        var smoothed = Interlocked.Read(ref _roundTripTicks);
        Interlocked.Exchange(ref _roundTripTicks, smoothed == 0 ? time.Ticks : smoothed + ((time.Ticks - smoothed) / 8));
    }

    /// <summary>An article was asked for, and this came of it.</summary>
    internal void Asked(NntpConnection connection, AttemptOutcome outcome)
    {
        _counters.Add(outcome, connection.TimedOut);
        _reliability.Add(outcome, connection.TimedOut);
        if (connection.HasServed)
            _pool.Served(connection);
    }

    /// <summary>To be called once a second: a new period of its quota may have begun, and what it broke may be long ago.</summary>
    internal void Look()
    {
        _reliability.Look();
        if (!_usage.Turn())
            return;
        LogAnew(_logger, Options.DisplayName);
        PhaseChanged?.Invoke();
    }

    internal void Counted(int bytes)
    {
        Interlocked.Increment(ref _articles);
        Interlocked.Add(ref _bytes, bytes);
    }

    /// <summary>So many bytes came from it. Whoever waits for it when nothing is left is told by another thread: this one receives.</summary>
    private void Charge(int bytes)
    {
        if (_usage.Add(bytes))
            ThreadPool.UnsafeQueueUserWorkItem(static self => self.UsedUp(), this, preferLocal: false);
    }

    private void UsedUp()
    {
        if (_usage.Status is not { IsUsedUp: true } quota)
            return;
        LogUsedUp(_logger, Options.DisplayName, Describe(quota));
        _dispatcher.ProviderChanged(this);
        PhaseChanged?.Invoke();
    }

    private static string Describe(QuotaStatus quota) => quota.Resets is { } resets
        ? string.Create(CultureInfo.InvariantCulture, $"Its quota of {quota.Bytes / 1_000_000_000} GB is used up; it begins anew on {resets:yyyy-MM-dd}.")
        : string.Create(CultureInfo.InvariantCulture, $"Its block of {quota.Bytes / 1_000_000_000} GB is used up.");

    [LoggerMessage(131, LogLevel.Warning, "Provider {Provider}: {Reason}")]
    private static partial void LogUsedUp(ILogger logger, string provider, string reason);

    [LoggerMessage(132, LogLevel.Information, "Provider {Provider}: its quota begins anew.")]
    private static partial void LogAnew(ILogger logger, string provider);
}
