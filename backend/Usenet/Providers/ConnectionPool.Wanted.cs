using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// A reader needs an article that nobody else has, or a place that nobody else has free, and the provider is in a break: it is tried at once. Breaks grow to five minutes, and most troubles end before theirs. Readers wait until the
/// attempt is decided, for <see cref="WantedPatience"/> at most; then the article cannot be had, as before.
/// </summary>
internal sealed partial class ConnectionPool
{
    /// <summary>A server that can be reached lets a connection in within a second; readers wait a little longer than that for one that swallows packets.</summary>
    private static readonly TimeSpan WantedPatience = TimeSpan.FromSeconds(3);

    /// <summary>From a failed attempt to the next one for readers, or this part of the time that the provider has been down, if that is longer.</summary>
    private static readonly TimeSpan WantedPause = TimeSpan.FromSeconds(1);
    private const int WantedPart = 20;

    /// <summary>The same where a login was refused: some servers lock an account that tries too often.</summary>
    private static readonly TimeSpan WantedLoginPause = TimeSpan.FromSeconds(5);
    private const int WantedLoginPart = 4;

    /// <summary>Since when readers wait for an attempt that is not decided.</summary>
    private long _wantedAt;
    private bool _wanted;

    /// <summary>When the last attempt failed; 0: none did.</summary>
    private long _failedAt;

    /// <summary>See <see cref="Provider.TryNow"/>.</summary>
    public bool TryNow()
    {
        lock (_gate)
        {
            if (_wanted || _retired || _disposed || _open.Count > 0 || _failure is null)
                return false;
            var (pause, part) = _failure.Failure == NntpConnectFailure.LoginRefused ? (WantedLoginPause, WantedLoginPart) : (WantedPause, WantedPart);
            var downFor = _time.GetUtcNow() - _since;
            if (_failedAt != 0 && _time.GetElapsedTime(_failedAt) < (downFor / part > pause ? downFor / part : pause))
                return false;
            _wanted = true;
            _wantedAt = _time.GetTimestamp();
            _reported = StandingLocked();
            _target = Math.Max(1, _target);
            _pauseEnds?.TrySetResult();
            SignalLocked();
            return true;
        }
    }

    private bool IsWaitedForLocked() => _wanted && _time.GetElapsedTime(_wantedAt) < WantedPatience;
}
