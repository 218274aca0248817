namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>Counts the bytes of an account in its quota period. Survives changes to the account's settings. Thread-safe.</summary>
/// <param name="account">See <see cref="AccountUsage.Account"/>.</param>
/// <param name="time">Clock; periods begin at midnight of its local time zone.</param>
internal sealed class ProviderUsage(string account, TimeProvider time)
{
    /// <summary>How far in the future a period may begin: clocks differ a little, and such a period begins soon anyway.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();
    private ProviderQuota? _quota;
    private DateTimeOffset _since;
    private DateTimeOffset _end = DateTimeOffset.MaxValue;
    private long _limit = long.MaxValue;
    private long _bytes;

    /// <summary>The part of <see cref="_bytes"/> that is already stored.</summary>
    private long _stored;

    /// <summary>True once the clock has reached <see cref="_since"/>.</summary>
    private bool _hasStarted;

    /// <summary>
    /// True if the stored count must be replaced, even by 0: it belongs to a period started by a wrong clock, or could not be stored.
    /// </summary>
    private bool _replaces;

    private bool _usedUpByOthers;

    /// <summary>True if nothing is left. Costs nothing to read.</summary>
    public bool IsUsedUp => Interlocked.Read(ref _bytes) >= Interlocked.Read(ref _limit);

    /// <summary>State of the quota; null without one.</summary>
    public QuotaStatus? Status
    {
        get
        {
            lock (_gate)
                return _quota is null ? null : new QuotaStatus(
                    _quota.Bytes, Interlocked.Read(ref _bytes), _quota.EndOf(time.GetUtcNow(), time.LocalTimeZone));
        }
    }

    /// <summary>
    /// Sets the quota. Bytes counted since a day within its period count towards it; a count that began earlier is discarded.
    /// </summary>
    public void Apply(ProviderQuota? quota)
    {
        lock (_gate)
        {
            _quota = quota;
            Interlocked.Exchange(ref _limit, quota?.Bytes ?? long.MaxValue);
            BeginPeriodLocked();
        }
    }

    /// <summary>Restores the count of an earlier run.</summary>
    public void Restore(AccountUsage known)
    {
        lock (_gate)
        {
            Interlocked.Add(ref _bytes, known.Bytes);
            (_since, _hasStarted) = (known.Since, false);
            _stored = known.Bytes;
            BeginPeriodLocked();
        }
    }

    /// <summary>Adds received bytes.</summary>
    /// <returns>True if they used up the quota.</returns>
    public bool Add(int bytes)
    {
        var limit = Interlocked.Read(ref _limit);
        var now = Interlocked.Add(ref _bytes, bytes);
        return now >= limit && now - bytes < limit;
    }

    /// <summary>True once after other processes used up the quota (<see cref="Adopt"/>).</summary>
    public bool ConsumeUsedUpByOthers()
    {
        lock (_gate)
            return Interlocked.Exchange(ref _usedUpByOthers, false);
    }

    /// <summary>
    /// Starts a new period when it is due, and corrects one started by a wrong clock. Call once a second (the provider does).
    /// </summary>
    /// <returns>True if the quota was used up and no longer is.</returns>
    public bool BeginPeriodIfDue()
    {
        lock (_gate)
            return _quota is not null && time.GetUtcNow() is var now && (now >= _end || IsAhead(now)) && BeginPeriodLocked();
    }

    /// <summary>Returns the bytes counted since the last call, to be added to those stored; null: nothing.</summary>
    public AccountUsage? DrainUnstored()
    {
        lock (_gate)
        {
            if (_hasStarted && IsAhead(time.GetUtcNow()))
                BeginPeriodLocked();
            if (_quota is null || (Interlocked.Read(ref _bytes) is var bytes && bytes == _stored && !_replaces))
                return null;
            var more = bytes - _stored;
            (_stored, _replaces) = (bytes, false);
            return new AccountUsage(account, _since, more);
        }
    }

    /// <summary>Takes back a result of <see cref="DrainUnstored"/> that could not be stored, to return it again later.</summary>
    public void PutBack(AccountUsage usage)
    {
        lock (_gate)
        {
            if (usage.Since != _since)
                return;
            _stored -= usage.Bytes;
            _replaces = true;
        }
    }

    /// <summary>Adopts the stored count, which includes the bytes of other processes that use the account.</summary>
    public void Adopt(AccountUsage stored)
    {
        lock (_gate)
        {
            if (stored.Since != _since)
                return;
            var wasUsedUp = IsUsedUp;
            Interlocked.Add(ref _bytes, stored.Bytes - _stored);
            _stored = stored.Bytes;
            _usedUpByOthers = !wasUsedUp && IsUsedUp;
        }
    }

    private bool BeginPeriodLocked()
    {
        if (_quota is null)
            return false;
        var now = time.GetUtcNow();
        var start = _quota.StartOf(now, time.LocalTimeZone);
        var isOver = now >= _end;
        _end = _quota.EndOf(now, time.LocalTimeZone) ?? DateTimeOffset.MaxValue;
        if (!IsAhead(now))
        {
            _hasStarted = true;
            return _since < start && BeginLocked(start);
        }

        if (_hasStarted)
        {
            // The clock was set back. The bytes belong to the current period.
            (_since, _stored, _replaces) = (start, 0, true);
            return false;
        }

        // An earlier run started this period. Either its clock was wrong, or this clock still is, as on a machine whose clock has no
        // battery. If a period ends first by this clock, the earlier one was wrong.
        _replaces |= isOver;
        return isOver && BeginLocked(start);
    }

    private bool BeginLocked(DateTimeOffset start)
    {
        var wasUsedUp = IsUsedUp;
        Interlocked.Exchange(ref _bytes, 0);
        (_since, _stored, _hasStarted) = (start, 0, true);
        return wasUsedUp && !IsUsedUp;
    }

    private bool IsAhead(DateTimeOffset now) => _since - now > Tolerance;
}

/// <summary>State of an account's quota.</summary>
/// <param name="Bytes">The quota in bytes.</param>
/// <param name="Used">Bytes used in this period; may exceed the quota a little.</param>
/// <param name="Resets">When it starts over; null: never.</param>
public sealed record QuotaStatus(long Bytes, long Used, DateTimeOffset? Resets)
{
    /// <summary>True if nothing is left.</summary>
    public bool IsUsedUp => Used >= Bytes;
}
