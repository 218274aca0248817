namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>Counts the bytes of an account in a period of its quota. Survives changes to the account's settings. Thread-safe.</summary>
/// <param name="account">See <see cref="AccountUsage.Account"/>.</param>
/// <param name="time">Clock; periods begin at midnight of its local time zone.</param>
internal sealed class ProviderUsage(string account, TimeProvider time)
{
    private readonly Lock _gate = new();
    private ProviderQuota? _quota;
    private DateTimeOffset _since;
    private DateTimeOffset _end = DateTimeOffset.MaxValue;
    private long _limit = long.MaxValue;
    private long _bytes;

    /// <summary>What of <see cref="_bytes"/> is stored.</summary>
    private long _taken;
    private bool _usedUpByOthers;

    /// <summary>True when nothing is left. Costs nothing to read.</summary>
    public bool IsUsedUp => Interlocked.Read(ref _bytes) >= Interlocked.Read(ref _limit);

    /// <summary>How it stands; null without a quota.</summary>
    public QuotaStatus? Status
    {
        get
        {
            lock (_gate)
                return _quota is null ? null : new QuotaStatus(_quota.Bytes, Interlocked.Read(ref _bytes), _quota.EndOf(time.GetUtcNow(), time.LocalTimeZone));
        }
    }

    /// <summary>Sets the quota. Bytes that were counted since a day of its period count for it; those counted from an earlier day on are forgotten.</summary>
    public void Apply(ProviderQuota? quota)
    {
        lock (_gate)
        {
            _quota = quota;
            Interlocked.Exchange(ref _limit, quota?.Bytes ?? long.MaxValue);
            TurnLocked();
        }
    }

    /// <summary>Restores the count of an earlier run.</summary>
    public void Restore(AccountUsage known)
    {
        lock (_gate)
        {
            Interlocked.Add(ref _bytes, known.Bytes);
            _since = known.Since;
            _taken = known.Bytes;
            TurnLocked();
        }
    }

    /// <summary>Adds received bytes.</summary>
    /// <returns>True when they used up the quota.</returns>
    public bool Add(int bytes)
    {
        var limit = Interlocked.Read(ref _limit);
        var now = Interlocked.Add(ref _bytes, bytes);
        return now >= limit && now - bytes < limit;
    }

    /// <summary>True once after others used up the quota (<see cref="Learn"/>).</summary>
    public bool TakeUsedUpByOthers()
    {
        lock (_gate)
            return Interlocked.Exchange(ref _usedUpByOthers, false);
    }

    /// <summary>Must be called now and then: begins a new period when it is time.</summary>
    /// <returns>True when the quota was used up and no longer is.</returns>
    public bool Turn()
    {
        lock (_gate)
            return _quota is not null && time.GetUtcNow() >= _end && TurnLocked();
    }

    /// <summary>Returns what came since the last call, to be added to what is stored; null: nothing.</summary>
    public AccountUsage? TakeNew()
    {
        lock (_gate)
        {
            if (_quota is null || Interlocked.Read(ref _bytes) is var bytes && bytes == _taken)
                return null;
            var more = bytes - _taken;
            _taken = bytes;
            return new AccountUsage(account, _since, more);
        }
    }

    /// <summary>What <see cref="TakeNew"/> returned could not be stored: it is returned again.</summary>
    public void PutBack(AccountUsage usage)
    {
        lock (_gate)
        {
            if (usage.Since == _since)
                _taken -= usage.Bytes;
        }
    }

    /// <summary>Takes over what is stored: with this process's own bytes, those of others that use the account.</summary>
    public void Learn(AccountUsage stored)
    {
        lock (_gate)
        {
            if (stored.Since != _since)
                return;
            var wasUsedUp = IsUsedUp;
            Interlocked.Add(ref _bytes, stored.Bytes - _taken);
            _taken = stored.Bytes;
            _usedUpByOthers = !wasUsedUp && IsUsedUp;
        }
    }

    private bool TurnLocked()
    {
        if (_quota is null)
            return false;
        var now = time.GetUtcNow();
        var start = _quota.StartOf(now, time.LocalTimeZone);
        _end = _quota.EndOf(now, time.LocalTimeZone) ?? DateTimeOffset.MaxValue;
        if (_since >= start)
            return false;
        var wasUsedUp = IsUsedUp;
        Interlocked.Exchange(ref _bytes, 0);
        (_since, _taken) = (start, 0);
        return wasUsedUp && !IsUsedUp;
    }
}
