using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <content>
/// Probes an unreachable provider once a second while somebody views the providers' state, and dials it as soon as it greets, so that its
/// return shows within two seconds, however long its break. A probe is a TCP connection, TLS if the account uses it, and the greeting; it
/// sends no name and no password. One runs at a time. Login failures, refused articles and a full account are not retried this way. A dial
/// that fails although the provider greeted stops the probes until the breaker's next attempt, so that the server sees at most one extra
/// login per break. With a host that drops packets, it may take up to <see cref="ProbeLimit"/> longer. A probe does not count towards the
/// account's lease.
/// </content>
internal sealed partial class ConnectionPool
{
    /// <summary>How long one call of <see cref="OnStatusViewed"/> lasts; it is called each second while somebody views the state.</summary>
    private static readonly TimeSpan ViewLasts = TimeSpan.FromSeconds(3);

    /// <summary>Time limit of one probe.</summary>
    private static readonly TimeSpan ProbeLimit = TimeSpan.FromSeconds(3);

    /// <summary>
    /// How long probes run every second. After that they run every <see cref="SeldomEvery"/>, because a page may stay open for days.
    /// </summary>
    private static readonly TimeSpan OftenFor = TimeSpan.FromMinutes(10);

    private static readonly TimeSpan SeldomEvery = TimeSpan.FromSeconds(5);

    /// <summary>When the state was last viewed. Read and written without a lock.</summary>
    private long _viewedAt = long.MinValue;

    // Guarded by the lock.
    private long _probedAt = long.MinValue;
    private bool _isProbing;

    /// <summary>True if the last dial followed a probe and failed.</summary>
    private bool _probeFailed;

    /// <summary>See <see cref="Provider.OnStatusViewed"/>. Takes no lock.</summary>
    public void OnStatusViewed() => Volatile.Write(ref _viewedAt, _time.GetTimestamp());

    /// <summary>Called once a second, outside the lock.</summary>
    private void ProbeIfDue()
    {
        lock (_gate)
        {
            if (!MayProbe())
                return;
            _isProbing = true;
            _probedAt = _time.GetTimestamp();
        }

        _ = ProbeAsync();
    }

    private bool MayProbe()
    {
        AssertLocked();

        // Only during a break, and while nothing is being dialled.
        if (_health.Breaker.Left == TimeSpan.Zero || _active > 0 || _isProbing || _probeFailed || !_health.IsUnreached || _isRetired
            || _isDisposed)
            return false;
        if (_health.Failure?.Failure is not (NntpConnectFailure.Refused or NntpConnectFailure.TimedOut or NntpConnectFailure.UnknownHost
            or NntpConnectFailure.BadGreeting or NntpConnectFailure.Proxy))
            return false;
        if (Volatile.Read(ref _viewedAt) is var viewed && (viewed == long.MinValue || _time.GetElapsedTime(viewed) > ViewLasts))
            return false;
        return _probedAt == long.MinValue || _health.InPhaseFor < OftenFor || _time.GetElapsedTime(_probedAt) >= SeldomEvery;
    }

    private async Task ProbeAsync()
    {
        using var limit = new CancellationTokenSource(ProbeLimit, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(_stopping, limit.Token);
        var greets = false;
        try
        {
            // Without a name the handshake ends with the greeting.
            var nameless = Options with { Username = "", Password = "" };
            var result = await NntpHandshake.OpenAsync(nameless, _dialler, static () => false, _time, both.Token);
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
            // A bug in this program. The provider is dialled again when its break is over.
            LogFault(_logger, e, Options.DisplayName);
        }

        lock (_gate)
        {
            _isProbing = false;
            if (greets)
                DialIfWanted(hasGreeted: true);
        }
    }
}
