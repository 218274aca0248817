using System.Diagnostics;
using NzbDav.Content.Dialling;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// State shared by the parts of a provider's pool. Mutable state is guarded by <see cref="Gate"/>, which is never held across a wait or a
/// write to a socket.
/// </summary>
/// <remarks>
/// The phases of a provider, and what moves it from one to the next:
/// <code>
/// stateDiagram-v2
///     [*] --> Idle
///     Idle --> Connecting : a lane takes its turn (EnterActive)
///     Connecting --> Connected : a connection opens (Opened)
///     Connecting --> Down : the attempt fails, or the connection that ended has served nothing (Failed)
///     Connecting --> Idle : the lane's turn ends without a failure (EndTurn)
///     Connected --> Connecting : the last connection ends; its lane still has its turn (Closed)
///     Connected --> Down : the last connection ends, and an attempt failed beside it (Closed)
///     Down --> Connected : a connection opens (Opened)
/// </code>
/// <see cref="ProviderPhase.UsedUp"/> is not the pool's: the provider shows it in place of these while its quota is used up.
/// </remarks>
/// <param name="account">The provider.</param>
/// <param name="time">Clock.</param>
/// <param name="dialler">Connects to the account's server.</param>
/// <param name="stopping">Cancelled when the pool is disposed.</param>
internal sealed class PoolState(Provider account, TimeProvider time, Dialler dialler, CancellationToken stopping)
{
    private long? _refusedSince;
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The pool's one lock.</summary>
    public Lock Gate { get; } = new();

    public Provider Account => account;

    public ProviderOptions Options => account.Options;

    public TimeProvider Time => time;

    public Dialler Dialler => dialler;

    /// <summary>Cancelled when the pool is disposed.</summary>
    public CancellationToken Stopping => stopping;

    /// <summary>How many connections the account allows.</summary>
    public ConnectionCap Cap { get; } = new(account.Options.MaxConnections, time);

    /// <summary>Connections that are open and logged in. Changed by <see cref="Opened"/> and <see cref="Closed"/> only.</summary>
    public List<IPooledConnection> Open { get; } = [];

    /// <summary>Lanes that open a connection, run one, or wait for the breaker.</summary>
    public int Active { get; private set; }

    /// <summary>
    /// Active lanes of retired pools that this one replaces: the server counts their connections too (<see cref="PoolHandover"/>).
    /// </summary>
    public int Inherited { get; set; }

    /// <summary>Most lanes that may be active now.</summary>
    public int Limit => Math.Min(Cap.Limit, Options.MaxConnections - Inherited);

    /// <summary>Connections that are wanted.</summary>
    public int Target { get; set; } = account.Options.WarmFloor;

    /// <summary>True when a connection was opened, and no attempt has failed since while none was open.</summary>
    public bool IsProven { get; private set; }

    /// <summary>
    /// True when a connection was lost, refused or served nothing, until another one is opened or the server answers that the cap is
    /// reached.
    /// </summary>
    public bool IsDoubted { get; set; }

    /// <summary>Why the last attempt failed; null once a connection was opened.</summary>
    public NntpConnectResult? Failure { get; private set; }

    /// <summary>When the last attempt failed; 0: none did.</summary>
    public long FailedAt { get; private set; }

    /// <summary>When the last connection ended that was not short-lived, here or in the pool that this one replaces; 0: none did.</summary>
    public long LastGoodAt { get; set; }

    /// <summary>
    /// True when the last attempt failed before there was a connection, as opposed to a connection that ended without serving anything.
    /// </summary>
    public bool IsUnreached { get; set; }

    /// <summary>Why a connection was lost last; null once another was opened.</summary>
    public string? Loss { get; private set; }

    /// <summary>
    /// When the login was first refused after the last connection was opened; null: it was not, or the last attempt failed otherwise.
    /// </summary>
    public long? RefusedSince => Failure?.Failure == NntpConnectFailure.LoginRefused ? _refusedSince : null;

    /// <summary>True when the last connection was closed because nothing came, and none has been opened since.</summary>
    public bool IsSilent { get; private set; }

    /// <summary>Attempts under way that take longer than one at a working server (<see cref="PoolAvailability.LateAfter"/>).</summary>
    public int LateAttempts { get; set; }

    /// <summary>When the breaker allows the next attempt; null once a connection was opened.</summary>
    public DateTimeOffset? NextAttempt { get; set; }

    /// <summary>Phase of the provider, for display.</summary>
    public ProviderPhase Phase { get; private set; } = ProviderPhase.Idle;

    /// <summary>When <see cref="Phase"/> began, for display.</summary>
    public DateTimeOffset Since { get; private set; } = time.GetUtcNow();

    /// <summary>The same as a clock reading, which setting the clock does not change.</summary>
    public long SinceTimestamp { get; private set; } = time.GetTimestamp();

    /// <summary>True once no more connections may be opened.</summary>
    public bool IsRetired { get; set; }

    /// <summary>True once the pool is being disposed.</summary>
    public bool IsDisposed { get; set; }

    /// <summary>Completes at the next <see cref="Signal"/>.</summary>
    public Task Changed
    {
        get
        {
            AssertLocked();
            return _changed.Task;
        }
    }

    /// <summary>In a Debug build: fails unless the caller holds <see cref="Gate"/>.</summary>
    [Conditional("DEBUG")]
    public void AssertLocked() => Debug.Assert(Gate.IsHeldByCurrentThread, "under the pool's lock only");

    /// <summary>A lane becomes active.</summary>
    public void EnterActive()
    {
        AssertLocked();
        Active++;
        NotePhase();
    }

    /// <summary>A lane is no longer active.</summary>
    public void ExitActive()
    {
        AssertLocked();
        Active--;
        Signal();
    }

    /// <summary>A connection was opened.</summary>
    public void Opened(IPooledConnection employed)
    {
        AssertLocked();
        IsProven = true;
        IsDoubted = false;
        Failure = null;
        Loss = null;
        _refusedSince = null;
        IsSilent = false;
        NextAttempt = null;
        Open.Add(employed);
        Cap.Allowed(Open.Count);
        Signal();
    }

    /// <summary>A connection ended: it was lost, or told to quit.</summary>
    public void Closed(IPooledConnection employed)
    {
        AssertLocked();
        Open.Remove(employed);
        if (!employed.IsDraining)
        {
            Loss = $"The last connection was lost: {employed.Wire.CloseReason}.";

            // Losses are seldom isolated: if one is lost, all may be.
            IsDoubted = true;
            Cap.ConnectionLost();
            IsSilent = employed.Wire.TimedOut;
        }

        Signal();
    }

    /// <summary>
    /// Called when an attempt failed, or a connection served nothing. Does not signal: the end of the lane's turn follows and does.
    /// </summary>
    public void Failed(NntpConnectResult result)
    {
        AssertLocked();
        Failure = result;
        FailedAt = time.GetTimestamp();
        if (result.Failure == NntpConnectFailure.LoginRefused)
            _refusedSince ??= FailedAt;
        IsDoubted = true;
        if (Open.Count == 0)
            IsProven = false;
        NotePhase();
    }

    /// <summary>True for a refusal because of the cap, while there are connections or ghosts.</summary>
    public bool IsCapRefusal(NntpConnectResult result)
    {
        AssertLocked();
        return result.Failure == NntpConnectFailure.TooManyConnections && (Open.Count > 0 || Cap.HasGhosts);
    }

    /// <summary>Completes <see cref="Changed"/>.</summary>
    public void Signal()
    {
        AssertLocked();
        NotePhase();
        var changed = _changed;
        _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        changed.SetResult();
    }

    private void NotePhase()
    {
        var phase = Open.Count > 0 ? ProviderPhase.Connected
            : Failure is not null ? ProviderPhase.Down
            : Active > 0 ? ProviderPhase.Connecting
            : ProviderPhase.Idle;
        if (phase == Phase)
            return;
        Phase = phase;
        (Since, SinceTimestamp) = (time.GetUtcNow(), time.GetTimestamp());
        account.NotifyPhaseChanged();
    }
}
