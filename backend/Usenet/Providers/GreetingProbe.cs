using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// While somebody looks at the providers' state, connects to an unreachable one once a second and waits for its greeting; a lane tries it
/// as soon as it greets. So its return shows within two seconds, however long its break. A probe is a TCP connection, TLS where the account
/// has it, and the greeting; it sends no name and no password. One runs at a time. Login failures, refused articles and a full account are
/// not retried this way. An attempt that fails although the provider greeted ends the probes until the breaker's next attempt, so that the
/// server sees at most one more login for each break. A host that drops packets takes up to <see cref="Limit"/> longer to be seen. A probe
/// is in no share of the account's connections. Thread-safe.
/// </summary>
internal sealed class GreetingProbe(PoolState state, BackOff backOff, PoolLog log)
{
    /// <summary>How long one call of <see cref="OnStatusViewed"/> lasts; it is called each second while somebody looks.</summary>
    private static readonly TimeSpan ViewLasts = TimeSpan.FromSeconds(3);

    /// <summary>Time limit of one probe.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(3);

    /// <summary>
    /// How long probes run every second. After that they run each <see cref="SeldomEvery"/>: a page may stay open for days.
    /// </summary>
    private static readonly TimeSpan OftenFor = TimeSpan.FromMinutes(10);

    private static readonly TimeSpan SeldomEvery = TimeSpan.FromSeconds(5);

    /// <summary>When somebody looked last. Read and written without a lock.</summary>
    private long _viewedAt = long.MinValue;

    // Guarded by the pool's lock.
    private long _probedAt = long.MinValue;
    private bool _isProbing;
    private bool _lastFailed;

    /// <summary>Notes that somebody looks at the provider's state. Takes no lock.</summary>
    public void OnStatusViewed() => Volatile.Write(ref _viewedAt, state.Time.GetTimestamp());

    /// <summary>Notes the end of an attempt to connect. Under the pool's lock.</summary>
    /// <param name="inVain">True when it followed a probe and failed.</param>
    public void Attempted(bool inVain)
    {
        state.AssertLocked();
        _lastFailed = inVain;
    }

    /// <summary>Called by the watch, once a second, outside the pool's lock.</summary>
    public void ProbeIfDue()
    {
        lock (state.Gate)
        {
            if (!MayProbe())
                return;
            _isProbing = true;
            _probedAt = state.Time.GetTimestamp();
        }

        _ = ProbeAsync();
    }

    private bool MayProbe()
    {
        state.AssertLocked();
        if (!backOff.IsWaiting || _isProbing || _lastFailed || !state.IsUnreached || state.IsRetired || state.IsDisposed
            || state.Open.Count > 0)
            return false;
        if (state.Failure?.Failure is not (NntpConnectFailure.Refused or NntpConnectFailure.TimedOut or NntpConnectFailure.UnknownHost
            or NntpConnectFailure.BadGreeting or NntpConnectFailure.Proxy))
            return false;
        if (Volatile.Read(ref _viewedAt) is var looked && (looked == long.MinValue || state.Time.GetElapsedTime(looked) > ViewLasts))
            return false;
        return _probedAt == long.MinValue || state.Time.GetElapsedTime(state.SinceTimestamp) < OftenFor
            || state.Time.GetElapsedTime(_probedAt) >= SeldomEvery;
    }

    private async Task ProbeAsync()
    {
        using var limit = new CancellationTokenSource(Limit, state.Time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(state.Stopping, limit.Token);
        var greets = false;
        try
        {
            // Without a name the handshake ends with the greeting.
            var nameless = state.Options with { Username = "", Password = "" };
            var result = await NntpHandshake.OpenAsync(nameless, state.Dialler, static () => false, state.Time, both.Token);
            greets = result.Failure == NntpConnectFailure.None;
            if (result.Stream is { } stream)
                await stream.DisposeAsync();
        }
        catch (OperationCanceledException)
        {
            // No answer, or the provider is being shut down.
        }
        catch (Exception e)
        {
            // A bug in this program: the lane tries again when its pause is over.
            log.Fault(e);
        }

        lock (state.Gate)
        {
            _isProbing = false;
            if (greets)
                backOff.End();
        }
    }
}
