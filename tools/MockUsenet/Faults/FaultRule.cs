using System.Collections.Concurrent;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Faults;

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
