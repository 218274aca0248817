using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>
/// The held locks, by the path of their root. In memory: a restart removes them all, which clients see as an expired lock, unless they are
/// stored (<see cref="ILockBook"/>). Expired locks count as absent and are removed when found. Thread-safe; bounded.
/// </summary>
internal sealed class LockTable(TimeProvider time)
{
    /// <summary>Most locks. A desktop holds a few; only a faulty client needs more.</summary>
    public const int MaxLocks = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<StorePath, List<DavLock>> _byRoot = [];
    private int _count;

    /// <summary>True when nothing is locked: listings and writes can then skip the other checks.</summary>
    public bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Adds a lock.</summary>
    /// <param name="wanted">The lock; its expiry is set here.</param>
    /// <param name="timeout">For how long.</param>
    /// <returns>The locks that conflict with it, or null when it was added.</returns>
    public IReadOnlyList<DavLock>? TryAdd(DavLock wanted, TimeSpan timeout)
    {
        lock (_gate)
        {
            var now = time.GetUtcNow();
            var others = new List<DavLock>();
            CollectCovering(wanted.Root, now, others);
            if (wanted.IsDeep)
                CollectBelow(wanted.Root, now, others);
            if (wanted.Scope == LockScope.Shared)
                others.RemoveAll(other => other.Scope == LockScope.Shared);
            if (others.Count > 0)
                return others;
            if (_count >= MaxLocks)
                RemoveWhere(static (held, now) => held.Expires <= now, now);
            if (_count >= MaxLocks)
                return [];
            (wanted.Timeout, wanted.Expires) = (timeout, now + timeout);
            Add(wanted);
            return null;
        }
    }

    /// <summary>Restarts the duration of a lock. Null if no such lock covers the path.</summary>
    public DavLock? TryRefresh(StorePath path, Func<string, bool> isToken, TimeSpan timeout)
    {
        lock (_gate)
        {
            var now = time.GetUtcNow();
            if (Covering(path, now).Find(held => isToken(held.Token)) is not { } found)
                return null;
            (found.Timeout, found.Expires) = (timeout, now + timeout);
            return found;
        }
    }

    /// <summary>Removes a lock. False if no such lock covers the path.</summary>
    public bool TryRemove(StorePath path, string token)
    {
        lock (_gate)
        {
            var found = Covering(path, time.GetUtcNow()).Find(held => held.Token == token);
            if (found is null)
                return false;
            Remove(found);
            return true;
        }
    }

    /// <summary>Removes the locks at a path and below it: the items are gone.</summary>
    public void RemoveAt(StorePath path)
    {
        if (IsEmpty)
            return;
        lock (_gate)
            RemoveWhere(static (held, path) => held.Root.Equals(path) || held.Root.IsBelow(path), path);
    }

    /// <summary>The locks that protect an item: those on it, and deep ones above it.</summary>
    public List<DavLock> Covering(StorePath path)
    {
        if (IsEmpty)
            return [];
        lock (_gate)
            return Covering(path, time.GetUtcNow());
    }

    /// <summary>The locks whose roots lie below a collection.</summary>
    public List<DavLock> Below(StorePath path)
    {
        var found = new List<DavLock>();
        if (IsEmpty)
            return found;
        lock (_gate)
            CollectBelow(path, time.GetUtcNow(), found);
        return found;
    }

    /// <summary>Replaces all locks with these.</summary>
    public void Fill(IEnumerable<HeldLock> stored)
    {
        lock (_gate)
        {
            _byRoot.Clear();
            _count = 0;
            var now = time.GetUtcNow();
            foreach (var one in stored.Where(one => one.Expires > now))
            {
                Add(new DavLock
                {
                    Token = one.Token,
                    Root = one.Root,
                    IsCollection = one.IsCollection,
                    Scope = one.IsShared ? LockScope.Shared : LockScope.Exclusive,
                    IsDeep = one.IsDeep,
                    Owner = one.Owner,
                    Timeout = one.Timeout,
                    Expires = one.Expires,
                });
            }
        }
    }

    /// <summary>All held locks, to be stored.</summary>
    public IReadOnlyList<HeldLock> List()
    {
        lock (_gate)
            return [.. _byRoot.Values.SelectMany(static held => held).Select(static one => new HeldLock(
                one.Token, one.Root, one.IsCollection, one.Scope == LockScope.Shared, one.IsDeep, one.Owner, one.Timeout, one.Expires))];
    }

    /// <summary>Time until a lock expires.</summary>
    public TimeSpan Left(DavLock held)
    {
        lock (_gate)
            return held.Expires - time.GetUtcNow();
    }

    private void Add(DavLock taken)
    {
        if (!_byRoot.TryGetValue(taken.Root, out var held))
            _byRoot[taken.Root] = held = [];
        held.Add(taken);
        _count++;
    }

    private List<DavLock> Covering(StorePath path, DateTimeOffset now)
    {
        var found = new List<DavLock>();
        CollectCovering(path, now, found);
        return found;
    }

    private void CollectCovering(StorePath path, DateTimeOffset now, List<DavLock> found)
    {
        for (var at = path; ; at = at.Parent)
        {
            if (_byRoot.TryGetValue(at, out var held))
                found.AddRange(held.Where(one => one.Expires > now && one.Covers(path)));
            if (at.IsRoot)
                return;
        }
    }

    private void CollectBelow(StorePath path, DateTimeOffset now, List<DavLock> found)
    {
        foreach (var held in _byRoot.Values)
            found.AddRange(held.Where(one => one.Expires > now && one.Root.IsBelow(path)));
    }

    private void RemoveWhere<T>(Func<DavLock, T, bool> condition, T argument)
    {
        foreach (var held in _byRoot.Values.SelectMany(held => held).Where(held => condition(held, argument)).ToList())
            Remove(held);
    }

    private void Remove(DavLock held)
    {
        var others = _byRoot[held.Root];
        if (!others.Remove(held))
            return;
        _count--;
        if (others.Count == 0)
            _byRoot.Remove(held.Root);
    }
}
