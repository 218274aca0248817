using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>
/// The locks that are held, by the path of their root. Kept in memory: a restart frees them all, which clients see as a lock that ran out,
/// unless they are stored (<see cref="ILockBook"/>). Expired locks count as absent and are removed when found. Thread-safe; bounded.
/// </summary>
internal sealed class LockTable(TimeProvider time)
{
    /// <summary>A desktop holds a few; more come from a faulty client.</summary>
    public const int MaxLocks = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<StorePath, List<DavLock>> _byRoot = [];
    private int _count;

    /// <summary>True when nothing is locked: lets listings and writes skip the rest.</summary>
    public bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Takes a lock.</summary>
    /// <param name="wanted">The lock; its end is set here.</param>
    /// <param name="timeout">For how long.</param>
    /// <returns>The locks that stand against it, or null when it is held now.</returns>
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

    /// <summary>Restarts the time of a lock. Null if no such lock covers the path.</summary>
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

    /// <summary>Frees a lock. False if no such lock covers the path.</summary>
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

    /// <summary>Frees what is locked at a path and below it: the items are gone.</summary>
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

    /// <summary>Holds these, and no others.</summary>
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

    /// <summary>All that are held, to be stored.</summary>
    public IReadOnlyList<HeldLock> List()
    {
        lock (_gate)
            return [.. _byRoot.Values.SelectMany(static held => held).Select(static one => new HeldLock(
                one.Token, one.Root, one.IsCollection, one.Scope == LockScope.Shared, one.IsDeep, one.Owner, one.Timeout, one.Expires))];
    }

    /// <summary>How much time a lock has left.</summary>
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
