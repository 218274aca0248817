using System.Collections.Concurrent;
using System.Collections.Immutable;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Faults;

/// <summary>The faults of one provider. May be changed while it serves; the first rule that applies to a request wins.</summary>
public sealed class FaultPlan
{
    private ImmutableArray<FaultRule> _rules = [];

    /// <summary>Adds a rule after the existing ones.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="target">The articles it applies to.</param>
    /// <param name="timesEach">Applies only to this many first requests for each article's body.</param>
    /// <param name="timesInAll">Applies only this often over all articles.</param>
    public FaultRule Add(Fault fault, FaultTarget target, int timesEach = int.MaxValue, int timesInAll = int.MaxValue)
    {
        var rule = new FaultRule(fault, target, timesEach, timesInAll);
        ImmutableInterlocked.Update(ref _rules, static (rules, added) => rules.Add(added), rule);
        return rule;
    }

    /// <summary>Removes a rule.</summary>
    public void Remove(FaultRule rule) => ImmutableInterlocked.Update(ref _rules, static (rules, gone) => rules.Remove(gone), rule);

    /// <summary>Removes all rules.</summary>
    public void Clear() => ImmutableInterlocked.InterlockedExchange(ref _rules, []);

    /// <summary>The fault that applies to a request for a body. Counts it.</summary>
    internal Fault? Strike(PostedSegment segment)
    {
        foreach (var rule in _rules)
        {
            if (rule.TryStrike(segment))
                return rule.Fault;
        }

        return null;
    }

    /// <summary>The fault that would apply to a request for the body. Does not count it.</summary>
    internal Fault? Peek(PostedSegment segment)
    {
        foreach (var rule in _rules)
        {
            if (rule.Threatens(segment))
                return rule.Fault;
        }

        return null;
    }
}

/// <summary>A fault, the articles it applies to, and how often. Thread-safe.</summary>
public sealed class FaultRule
{
    private readonly FaultTarget _target;
    private readonly int _timesEach;
    private readonly int _timesInAll;
    private readonly ConcurrentDictionary<PostedSegment, int> _struck = new();
    private int _total;

    internal FaultRule(Fault fault, FaultTarget target, int timesEach, int timesInAll) =>
        (Fault, _target, _timesEach, _timesInAll) = (fault, target, timesEach, timesInAll);

    public Fault Fault { get; }

    /// <summary>How often it has been applied.</summary>
    public int Struck => Volatile.Read(ref _total);

    /// <summary>Whether it would apply to a request for the body now.</summary>
    internal bool Threatens(PostedSegment segment) =>
        _target.Strikes(segment) && Struck < _timesInAll && _struck.GetValueOrDefault(segment) < _timesEach;

    /// <summary>Applies it if it is due, and counts it.</summary>
    internal bool TryStrike(PostedSegment segment)
    {
        if (!_target.Strikes(segment))
            return false;
        if (_timesEach != int.MaxValue && _struck.AddOrUpdate(segment, 1, static (_, n) => n == int.MaxValue ? n : n + 1) > _timesEach)
            return false;
        if (Interlocked.Increment(ref _total) <= _timesInAll)
            return true;
        Interlocked.Decrement(ref _total);
        return false;
    }
}
