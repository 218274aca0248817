using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// An attempt to connect at once, during a break, because a reader needs an article or a free connection that no other provider has. Breaks
/// grow to five minutes, and most faults end sooner. Readers wait for the result of the attempt, for <see cref="MaxWait"/> at most; after
/// that the article is unavailable, as before. Under the pool's lock.
/// </summary>
internal sealed class DemandedDial(PoolState state)
{
    /// <summary>A reachable server accepts a connection within a second; readers wait a little longer for one that drops packets.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(3);

    /// <summary>
    /// Shortest time from a failed attempt to the next one for readers; or a 20th (<see cref="Part"/>) of the time that the provider has
    /// been down, if that is longer.
    /// </summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private const int Part = 20;

    /// <summary>
    /// The same where a login was refused, with a quarter (<see cref="LoginPart"/>): some servers lock an account that tries too often.
    /// </summary>
    private static readonly TimeSpan LoginPause = TimeSpan.FromSeconds(5);
    private const int LoginPart = 4;

    /// <summary>When the attempt under way was asked for.</summary>
    private long _since;
    private bool _isActive;

    /// <summary>True from <see cref="TryBegin"/> until the attempt has ended.</summary>
    public bool IsActive
    {
        get
        {
            state.AssertLocked();
            return _isActive;
        }
    }

    /// <summary>True while readers wait for its result.</summary>
    public bool IsAwaited => IsActive && state.Time.GetElapsedTime(_since) < MaxWait;

    /// <summary>Asks for an attempt.</summary>
    /// <returns>False when one is under way or cannot help, or when the last one failed a moment ago.</returns>
    public bool TryBegin()
    {
        state.AssertLocked();
        if (_isActive || state.IsRetired || state.IsDisposed || state.Open.Count > 0 || state.Failure is null)
            return false;
        var (pause, part) = state.Failure.Failure == NntpConnectFailure.LoginRefused ? (LoginPause, LoginPart) : (Pause, Part);
        var downFor = state.Time.GetElapsedTime(state.SinceTimestamp);
        if (state.FailedAt != 0 && state.Time.GetElapsedTime(state.FailedAt) < (downFor / part > pause ? downFor / part : pause))
            return false;
        _isActive = true;
        _since = state.Time.GetTimestamp();
        state.Target = Math.Max(1, state.Target);
        return true;
    }

    /// <summary>Called when an attempt has ended, whether or not it was this one.</summary>
    public void End()
    {
        state.AssertLocked();
        _isActive = false;
    }
}
