using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// While somebody looks, a provider that cannot be reached is asked for its greeting once a second, and tried as soon as it greets: people see within two seconds that it is back, whatever its break.
/// A probe is a TCP connection, TLS where the account has it, and the greeting; it sends no name and no password. One runs at a time. Login failures, refused articles and an account that is
/// full are not tried again this way, and an attempt that fails although the provider greeted ends the probes until the next attempt by the breaker: the server sees at most one login more for each break.
/// A host that swallows packets takes up to <see cref="ProbeLimit"/> longer to be seen.
/// </summary>
internal sealed partial class ConnectionPool
{
    /// <summary>Somebody who looks asks each second; so long after the last time nobody does.</summary>
    private static readonly TimeSpan LookLasts = TimeSpan.FromSeconds(3);

    /// <summary>For one probe.</summary>
    private static readonly TimeSpan ProbeLimit = TimeSpan.FromSeconds(3);

    /// <summary>A provider that is down for longer is asked each <see cref="SeldomProbe"/>: a page may stay open for days.</summary>
    private static readonly TimeSpan OftenFor = TimeSpan.FromMinutes(10);

    private static readonly TimeSpan SeldomProbe = TimeSpan.FromSeconds(5);

    private long _lookedAt = long.MinValue;
    private long _probedAt = long.MinValue;

    /// <summary>A probe is under way.</summary>
    private bool _probing;

    /// <summary>The last attempt came of a probe and failed.</summary>
    private bool _probedInVain;

    /// <summary>The last attempt failed on the way to a connection; not one whose connection ended before it served anything.</summary>
    private bool _unreached;

    /// <summary>Ends the pause of the lane that waits for the breaker; null while none does.</summary>
    private TaskCompletionSource? _pauseEnds;

    /// <summary>See <see cref="Provider.NoteLook"/>.</summary>
    public void NoteLook() => Volatile.Write(ref _lookedAt, _time.GetTimestamp());

    /// <summary>Called by the watch, once a second.</summary>
    private void ProbeIfDue()
    {
        lock (_gate)
        {
            if (!MayProbeLocked())
                return;
            _probing = true;
            _probedAt = _time.GetTimestamp();
        }

        _ = ProbeAsync();
    }

    private bool MayProbeLocked()
    {
        if (_pauseEnds is null || _probing || _probedInVain || !_unreached || _retired || _disposed || _open.Count > 0)
            return false;
        if (_failure?.Failure is not (NntpConnectFailure.Refused or NntpConnectFailure.TimedOut or NntpConnectFailure.UnknownHost or NntpConnectFailure.BadGreeting or NntpConnectFailure.Proxy))
            return false;
        if (Volatile.Read(ref _lookedAt) is var looked && (looked == long.MinValue || _time.GetElapsedTime(looked) > LookLasts))
            return false;
        return _probedAt == long.MinValue || _time.GetUtcNow() - _since < OftenFor || _time.GetElapsedTime(_probedAt) >= SeldomProbe;
    }

    private async Task ProbeAsync()
    {
        using var limit = new CancellationTokenSource(ProbeLimit, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token, limit.Token);
        var greets = false;
        try
        {
            // Without a name the handshake ends with the greeting.
            var result = await NntpHandshake.OpenAsync(Options with { Username = "", Password = "" }, static () => false, _time, both.Token);
            greets = result.Failure == NntpConnectFailure.None;
            if (result.Stream is { } stream)
                await stream.DisposeAsync();
        }
        catch (OperationCanceledException)
        {
            // Silent, or the provider is being shut down.
        }
        catch (Exception e)
        {
            // A fault of this program: the lane tries when its pause is over.
            LogFault(_logger, e, Options.DisplayName);
        }

        lock (_gate)
        {
            _probing = false;
            if (greets)
                _pauseEnds?.TrySetResult();
        }
    }
}
