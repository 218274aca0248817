using NzbDav.Usenet.Nntp;
using Polly;
using Polly.CircuitBreaker;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Limits attempts at a failing provider: two failures in a row open it; then one attempt is let through after 2 s, 4 s, … 5 minutes, until
/// one works. After a connection that served nothing, a successful login is no proof. Thread-safe.
/// </summary>
internal sealed class ProviderBreaker
{
    public static readonly TimeSpan FirstBreak = TimeSpan.FromSeconds(2);
    public static readonly TimeSpan LongestBreak = TimeSpan.FromMinutes(5);

    private readonly ResiliencePipeline<NntpConnectResult> _pipeline;
    private readonly CircuitBreakerManualControl _control = new();
    private static readonly NntpConnectResult Unserved = NntpConnectResult.Failed(NntpConnectFailure.ServiceRefused, "");

    private int _failedInRow;
    private volatile bool _onTrial;

    /// <param name="time">Clock of the breaks. Setting it does not change them.</param>
    /// <param name="isFault">Distinguishes a fault from a refusal with another meaning (the cap of an account that works).</param>
    public ProviderBreaker(TimeProvider time, Func<NntpConnectResult, bool> isFault)
    {
        _pipeline = new ResiliencePipelineBuilder<NntpConnectResult> { TimeProvider = new SteadyTime(time) }
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions<NntpConnectResult>
            {
                ShouldHandle = arguments =>
                    ValueTask.FromResult(arguments.Outcome.Result is { } result && (result == Unserved || IsSecondInRow(isFault(result)))),

                // Only consecutive failures count: there may be many connections that worked a moment ago.
                FailureRatio = 0,
                MinimumThroughput = 2,
                ManualControl = _control,
                SamplingDuration = TimeSpan.FromSeconds(30),
                BreakDurationGenerator = _ => ValueTask.FromResult(BreakAfter(Math.Max(0, Volatile.Read(ref _failedInRow) - 2))),
            })
            .Build();
    }

    /// <summary>True for a failure that follows another one. Also counts them: the breaker calls it once for each attempt.</summary>
    private bool IsSecondInRow(bool failed)
    {
        if (failed)
            return Interlocked.Increment(ref _failedInRow) >= 2;
        if (!_onTrial)
            Volatile.Write(ref _failedInRow, 0);
        return false;
    }

    /// <summary>Notes that a connection has served something: it ends the row of failures.</summary>
    public void Served()
    {
        _onTrial = false;
        Volatile.Write(ref _failedInRow, 0);
    }

    /// <summary>Notes that an opened connection ended and served nothing: a failure, as if it had not been opened.</summary>
    public async Task ServedNothingAsync(CancellationToken cancellationToken)
    {
        _onTrial = true;
        if (Interlocked.Increment(ref _failedInRow) < 2)
            return;
        try
        {
            // The successful login has closed the breaker, and a closed one opens at the second failure.
            for (var i = 0; i < 2; i++)
                await _pipeline.ExecuteAsync(static _ => ValueTask.FromResult(Unserved), cancellationToken);
        }
        catch (BrokenCircuitException)
        {
            // Open already.
        }
    }

    /// <summary>Time to wait after this many single attempts that failed.</summary>
    public static TimeSpan BreakAfter(int failedProbes) =>
        TimeSpan.FromSeconds(Math.Min(LongestBreak.TotalSeconds, FirstBreak.TotalSeconds * Math.Pow(2, Math.Min(failedProbes, 20))));

    /// <summary>Opens a connection, if the breaker lets it through.</summary>
    /// <returns>The result, or the time to wait when the breaker is open.</returns>
    public async Task<(NntpConnectResult? Result, TimeSpan Wait)> TryAsync(
        Func<CancellationToken, Task<NntpConnectResult>> open, CancellationToken cancellationToken)
    {
        try
        {
            var result = await _pipeline.ExecuteAsync(static async (open, token) => await open(token), open, cancellationToken);
            return (result, TimeSpan.Zero);
        }
        catch (BrokenCircuitException e)
        {
            // An attempt is under way when no time is given: look again soon.
            var wait = e.RetryAfter is { } after && after > TimeSpan.Zero ? after : TimeSpan.FromSeconds(1);
            return (null, wait < LongestBreak ? wait : LongestBreak);
        }
    }

    /// <summary>
    /// Opens a connection during a break, because the server has just greeted or readers need it. A success ends the break; a failure
    /// leaves it as it is.
    /// </summary>
    public async Task<NntpConnectResult> TryEarlyAsync(
        Func<CancellationToken, Task<NntpConnectResult>> open, CancellationToken cancellationToken)
    {
        var result = await open(cancellationToken);
        if (result.Failure == NntpConnectFailure.None)
        {
            await _control.CloseAsync(CancellationToken.None);
            IsSecondInRow(failed: false);
        }

        return result;
    }
}

/// <summary>
/// A time of day that cannot be set: begins with that of a clock, and advances with its timestamps. Polly ends a break at a time of day.
/// Thread-safe.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class SteadyTime(TimeProvider time) : TimeProvider
{
    private readonly DateTimeOffset _start = time.GetUtcNow();
    private readonly long _startedAt = time.GetTimestamp();

    /// <inheritdoc/>
    public override long TimestampFrequency => time.TimestampFrequency;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => time.LocalTimeZone;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _start + time.GetElapsedTime(_startedAt);

    /// <inheritdoc/>
    public override long GetTimestamp() => time.GetTimestamp();

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        time.CreateTimer(callback, state, dueTime, period);
}
