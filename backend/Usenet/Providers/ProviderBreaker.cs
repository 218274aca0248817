using NzbDav.Usenet.Nntp;
using Polly;
using Polly.CircuitBreaker;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Keeps a provider that refuses from being asked again and again: two failures in a row open it, then one attempt is let
/// through after 2 s, 4 s, … 5 minutes, until one works. Thread-safe.
/// </summary>
internal sealed class ProviderBreaker
{
    public static readonly TimeSpan FirstBreak = TimeSpan.FromSeconds(2);
    public static readonly TimeSpan LongestBreak = TimeSpan.FromMinutes(5);

    private readonly ResiliencePipeline<NntpConnectResult> _pipeline;
    private int _failedInRow;

    /// <param name="time">Clock of the breaks.</param>
    /// <param name="isFault">Tells a fault from a refusal that means something else (the cap of an account that works).</param>
    public ProviderBreaker(TimeProvider time, Func<NntpConnectResult, bool> isFault)
    {
        _pipeline = new ResiliencePipelineBuilder<NntpConnectResult> { TimeProvider = time }
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions<NntpConnectResult>
            {
                ShouldHandle = arguments => ValueTask.FromResult(arguments.Outcome.Result is { } result && IsSecondInRow(isFault(result))),

                // What counts is the row: of the connections that worked a moment ago there may be many.
                FailureRatio = 0,
                MinimumThroughput = 2,
                SamplingDuration = TimeSpan.FromSeconds(30),
                BreakDurationGenerator = static arguments => ValueTask.FromResult(BreakAfter(arguments.HalfOpenAttempts)),
            })
            .Build();
    }

    /// <summary>True for a failure that follows another one; as the breaker asks of each attempt once, this counts them too.</summary>
    private bool IsSecondInRow(bool failed)
    {
        if (failed)
            return Interlocked.Increment(ref _failedInRow) >= 2;
        Volatile.Write(ref _failedInRow, 0);
        return false;
    }

    /// <summary>How long to wait after so many single attempts that failed.</summary>
    public static TimeSpan BreakAfter(int failedProbes) =>
        TimeSpan.FromSeconds(Math.Min(LongestBreak.TotalSeconds, FirstBreak.TotalSeconds * Math.Pow(2, Math.Min(failedProbes, 20))));

    /// <summary>Opens a connection, if the breaker lets it through.</summary>
    /// <returns>The result, or the time to wait when the breaker is open.</returns>
    public async Task<(NntpConnectResult? Result, TimeSpan Wait)> TryAsync(Func<CancellationToken, Task<NntpConnectResult>> open, CancellationToken cancellationToken)
    {
        try
        {
            var result = await _pipeline.ExecuteAsync(static async (open, token) => await open(token), open, cancellationToken);
            return (result, TimeSpan.Zero);
        }
        catch (BrokenCircuitException e)
        {
            // A probe is under way when no time is given: look again soon.
            return (null, e.RetryAfter is { } wait && wait > TimeSpan.Zero ? wait : TimeSpan.FromSeconds(1));
        }
    }
}
