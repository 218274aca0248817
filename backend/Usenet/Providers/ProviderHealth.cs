using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// What a pool has learned about its provider: whether it works, whether one more connection may be dialled now, and what requests may
/// expect. Not thread-safe: guarded by the pool's lock, except <see cref="IsOnTrial"/>.
/// </summary>
/// <remarks>
/// The phases of a provider and the transitions between them:
/// <code>
/// stateDiagram-v2
///     [*] --> Idle
///     Idle --> Connecting : a connection is dialled
///     Connecting --> Connected : it opens (Opened)
///     Connecting --> Down : the attempt fails, or the connection that ended has served nothing (Failed)
///     Connecting --> Idle : the attempt ends without a failure
///     Connected --> Connecting : the last connection ends, and another is dialled (Closed)
///     Connected --> Down : the last connection ends, and an attempt failed beside it (Closed)
///     Down --> Connected : a connection opens (Opened)
/// </code>
/// <see cref="ProviderPhase.UsedUp"/> is not a phase of the pool: the provider shows it instead of these while its quota is used up.
/// </remarks>
/// <param name="open">The pool's open connections.</param>
/// <param name="time">Clock.</param>
internal sealed class ProviderHealth(IReadOnlyList<IPooledConnection> open, TimeProvider time)
{
    /// <summary>
    /// A connection that lived this long without serving anything was merely unused: servers close idle ones after minutes.
    /// </summary>
    public static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long requests wait for a provider that worked a moment ago if no other works: a restart or a lost route need not end a stream.
    /// Nor need a refused login, which may come from a server that cannot reach its account database, or still counts lost connections.
    /// </summary>
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(8);

    /// <summary>
    /// How long readers wait for a dial that they demanded: a reachable server accepts a connection within a second, and this leaves a
    /// little more for one that drops packets.
    /// </summary>
    private static readonly TimeSpan DemandLimit = TimeSpan.FromSeconds(3);

    /// <summary>
    /// Shortest time from a failed attempt to a demanded one. If longer, a 20th (<see cref="DemandPart"/>) of the time that the provider
    /// has been down.
    /// </summary>
    private static readonly TimeSpan DemandPause = TimeSpan.FromSeconds(1);
    private const int DemandPart = 20;

    /// <summary>
    /// The same after a refused login, with a quarter (<see cref="LoginPart"/>): some servers lock an account that tries too often.
    /// </summary>
    private static readonly TimeSpan LoginPause = TimeSpan.FromSeconds(5);
    private const int LoginPart = 4;

    /// <summary>True if a connection was opened, and no attempt has failed since then while none was open.</summary>
    public bool IsProven { get; private set; }

    /// <summary>
    /// True after a connection was lost, refused or served nothing, until another one is opened or the server answers that the cap is
    /// reached.
    /// </summary>
    private bool _isDoubted;

    /// <summary>True if the last connection was closed because it was silent, and none has been opened since.</summary>
    private bool _isSilent;

    /// <summary>Number of running attempts that take longer than at a working server.</summary>
    private int _lateDials;

    /// <summary>When the last attempt failed; 0: never.</summary>
    private long _failedAt;
    private long? _refusedSince;

    /// <summary>When readers demanded the running attempt; null: they did not.</summary>
    private long? _demandedAt;

    /// <summary>
    /// True if it is certain that the provider serves nothing. Connections that were open together with the one that showed it do not count
    /// again when they end, but the last of them still reports the failure.
    /// </summary>
    private bool _isUseless;
    private volatile bool _isOnTrial;

    /// <summary>The availability last reported to the dispatcher.</summary>
    private ProviderAvailability _reported;

    /// <summary>Limits attempts while they fail.</summary>
    public ProviderBreaker Breaker { get; } = new(time);

    /// <summary>Why the last attempt failed; null once a connection was opened.</summary>
    public NntpConnectResult? Failure { get; private set; }

    /// <summary>
    /// True if the last attempt failed before a connection was established, as opposed to a connection that ended without serving anything.
    /// </summary>
    public bool IsUnreached { get; private set; }

    /// <summary>Why the last connection was lost; null once another was opened.</summary>
    public string? Loss { get; private set; }

    /// <summary>When the last connection ended that was not short-lived, here or in the pool that this one replaces; 0: never.</summary>
    public long LastGoodAt { get; set; }

    /// <summary>Connections of retired pools that this one replaces, including those being dialled: the server counts them too.</summary>
    public int Inherited { get; set; }

    /// <summary>How often a connection served nothing; connections open together count once.</summary>
    public int Trial { get; private set; }

    /// <summary>
    /// True if a connection served nothing, and none opened since has served or lived for <see cref="ShortLife"/>. Read without the lock.
    /// </summary>
    public bool IsOnTrial => _isOnTrial;

    /// <summary>Phase of the provider, for display.</summary>
    public ProviderPhase Phase { get; private set; } = ProviderPhase.Idle;

    /// <summary>When <see cref="Phase"/> started, for display.</summary>
    public DateTimeOffset Since { get; private set; } = time.GetUtcNow();

    /// <summary>How long it has been in its phase. Setting the clock does not change it.</summary>
    public TimeSpan InPhaseFor => time.GetElapsedTime(_phaseBegan);
    private long _phaseBegan = time.GetTimestamp();

    /// <inheritdoc cref="Provider.RefusedFor"/>
    public TimeSpan? RefusedFor =>
        Failure?.Failure == NntpConnectFailure.LoginRefused && _refusedSince is { } since ? time.GetElapsedTime(since) : null;

    /// <summary>True from <see cref="TryDemand"/> until an attempt has ended.</summary>
    public bool IsDemanded => _demandedAt is not null;

    /// <summary>Whether the provider may be given requests.</summary>
    public ProviderAvailability Availability
    {
        get
        {
            if (open.Count > 0)
                return ProviderAvailability.Working;

            // Nothing has failed yet. A host that drops packets, or accepts and never greets, shows it only at the handshake's time limit.
            if (Failure is null)
                return _isSilent || _lateDials > 0 ? ProviderAvailability.Interrupted : ProviderAvailability.Working;
            if (_demandedAt is { } at && time.GetElapsedTime(at) < DemandLimit)
                return ProviderAvailability.Interrupted;
            var isTransient = Failure.Failure is NntpConnectFailure.Refused or NntpConnectFailure.TimedOut
                or NntpConnectFailure.BadGreeting or NntpConnectFailure.TooManyConnections
                or NntpConnectFailure.Proxy or NntpConnectFailure.LoginRefused;
            var workedLately = Inherited > 0 || (LastGoodAt != 0 && time.GetElapsedTime(LastGoodAt) < Grace);
            return isTransient && workedLately ? ProviderAvailability.Interrupted : ProviderAvailability.Down;
        }
    }

    /// <summary>
    /// True if one more connection may be dialled, as far as the breaker allows. One at a time while the provider is unproven or doubted;
    /// if connections serve nothing, the next one waits until the last has served.
    /// </summary>
    /// <param name="active">Connections being dialled, open, or just ended.</param>
    public bool MayDial(int active)
    {
        // More active than open: a dial is running, or a connection has just ended.
        if (active > open.Count)
            return !_isOnTrial && IsProven && !_isDoubted;
        return !_isOnTrial || !open.Any(connection => connection.Wire.Trial == Trial);
    }

    /// <summary>
    /// Demands an attempt at once, during a break, because a reader needs an article or a free connection that no other provider has.
    /// Breaks grow to five minutes, and most failures end sooner. Readers wait for the result for <see cref="DemandLimit"/> at most; after
    /// that the article is unavailable, as before.
    /// </summary>
    /// <returns>False if one is running or cannot help, or if the last one failed a moment ago.</returns>
    public bool TryDemand()
    {
        if (IsDemanded || open.Count > 0 || Failure is null)
            return false;
        var (pause, part) = Failure.Failure == NntpConnectFailure.LoginRefused ? (LoginPause, LoginPart) : (DemandPause, DemandPart);
        var since = InPhaseFor / part > pause ? InPhaseFor / part : pause;
        if (_failedAt != 0 && time.GetElapsedTime(_failedAt) < since)
            return false;
        _demandedAt = time.GetTimestamp();

        // Readers wait for it from now on, so its failure must be reported.
        _reported = Availability;
        return true;
    }

    /// <summary>Called when an attempt ended without a result.</summary>
    public void DialAbandoned() => _demandedAt = null;

    /// <summary>Called when an attempt has become late.</summary>
    public void DialLate() => _lateDials++;

    /// <summary>Called when an attempt has ended, before its result is applied.</summary>
    /// <param name="wasLate">True after <see cref="DialLate"/>.</param>
    public void DialEnded(bool wasLate)
    {
        _lateDials -= wasLate ? 1 : 0;
        OnMaybeBetter();
    }

    /// <summary>Called when a connection was opened, before it is added to the open ones.</summary>
    /// <param name="isEarly">True if it was dialled during a break.</param>
    /// <returns>True for the first connection ever, or the first after a failure.</returns>
    public bool Opened(bool isEarly)
    {
        var isFirst = !IsProven;
        (IsProven, _isDoubted, _isSilent) = (true, false, false);
        (Failure, Loss, _refusedSince, _demandedAt) = (null, null, null, null);
        _reported = ProviderAvailability.Working;
        Breaker.Worked(isEarly);
        return isFirst;
    }

    /// <summary>Called when a connection ended, after it was removed from the open ones.</summary>
    /// <returns>True if it was lost rather than told to quit.</returns>
    public bool Closed(IPooledConnection connection)
    {
        if (!IsShortLived(connection))
            LastGoodAt = time.GetTimestamp();
        if (connection.IsDraining)
            return false;
        Loss = $"The last connection was lost: {connection.Wire.CloseReason}.";

        // Losses are seldom isolated: if one connection is lost, all may be.
        _isDoubted = true;
        _isSilent = connection.Wire.TimedOut;
        return true;
    }

    /// <summary>True if the server ended a connection soon after its login and it served nothing. Needs no lock.</summary>
    public bool IsShortLived(IPooledConnection connection) =>
        connection is { IsDraining: false, Wire: { HasServed: false, Fault: null } wire } && time.GetElapsedTime(wire.OpenedAt) < ShortLife;

    /// <summary>Called when an attempt failed because the account allows no more connections than are open or still counted.</summary>
    /// <param name="isEarly">True if it was made during a break.</param>
    public void Capped(bool isEarly)
    {
        (IsUnreached, _isDoubted) = (true, false);
        if (!isEarly)
            Breaker.Worked(isEarly: false);
    }

    /// <summary>Called when an attempt failed for another reason.</summary>
    /// <param name="isEarly">True if it was made during a break.</param>
    /// <returns>True if a break begins.</returns>
    public bool DialFailed(bool isEarly)
    {
        IsUnreached = true;
        return !isEarly && Breaker.Failed();
    }

    /// <summary>Called when the provider cannot be used: an attempt failed, or a connection served nothing.</summary>
    /// <returns>True if the reason is new.</returns>
    public bool Failed(NntpConnectResult result)
    {
        var isNews = Failure?.Reason != result.Reason;
        Failure = result;
        _failedAt = time.GetTimestamp();
        _demandedAt = null;
        if (result.Failure == NntpConnectFailure.LoginRefused)
            _refusedSince ??= _failedAt;
        _isDoubted = true;
        IsProven &= open.Count > 0;
        OnMaybeBetter();
        return isNews;
    }

    /// <summary>
    /// Called when a short-lived connection ended (<see cref="IsShortLived"/>): opening another at once would not help, and every article
    /// given to it would be late.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="result">The failure that its end implies.</param>
    /// <returns>Whether a break begins, and whether the failure is new.</returns>
    public (bool IsBreak, bool IsNews) ServedNothing(NntpConnection connection, NntpConnectResult result)
    {
        IsUnreached = false;
        var (isBreak, counts) = (false, connection.Trial == Trial);

        // A single loss may be chance: requests wait for the next connection. A refusal or a second loss in a row is not.
        if (counts)
            _isUseless = connection.WasRefused || _isOnTrial;
        var isCertain = connection.WasRefused || (_isUseless && (counts || _isOnTrial));
        if (counts)
        {
            Trial++;
            _isOnTrial = _isDoubted = true;
            isBreak = Breaker.ServedNothing();
        }

        return (isBreak, isCertain && open.Count == 0 && Failed(result));
    }

    /// <summary>Called during a trial when a connection has served something, or is old enough to be trusted.</summary>
    public void Served(NntpConnection connection)
    {
        if (!_isOnTrial || connection.Trial != Trial)
            return;
        _isOnTrial = false;
        Breaker.Served();
    }

    /// <summary>Compares <see cref="Availability"/> with what was last reported.</summary>
    /// <returns>True if it became worse: the dispatcher must be notified, or requests queued before would wait in vain.</returns>
    public bool HasWorsened()
    {
        var before = _reported;
        _reported = Availability;
        return _reported > before;
    }

    /// <summary>Updates <see cref="Phase"/>.</summary>
    /// <param name="active">Connections being dialled, open, or just ended.</param>
    /// <returns>True if it changed.</returns>
    public bool HasChangedPhase(int active)
    {
        var phase = open.Count > 0 ? ProviderPhase.Connected
            : Failure is not null ? ProviderPhase.Down
            : active > 0 ? ProviderPhase.Connecting
            : ProviderPhase.Idle;
        if (phase == Phase)
            return false;
        (Phase, Since, _phaseBegan) = (phase, time.GetUtcNow(), time.GetTimestamp());
        return true;
    }

    /// <summary>
    /// Called when availability may have improved: requests may be sent again, so the next change for the worse is reported.
    /// </summary>
    private void OnMaybeBetter() => _reported = Availability < _reported ? Availability : _reported;
}

/// <summary>What requests may expect from a provider, best first.</summary>
internal enum ProviderAvailability
{
    /// <summary>A connection is open, or the first attempt has neither failed nor become late.</summary>
    Working,

    /// <summary>
    /// Lost a moment ago for a reason that may be temporary, or an attempt to connect is late: requests wait for it if no other provider
    /// works.
    /// </summary>
    Interrupted,

    /// <summary>It must not be given requests.</summary>
    Down,
}
