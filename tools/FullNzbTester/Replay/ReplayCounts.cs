namespace NzbDav.FullNzbTester.Replay;

/// <summary>Counts the results that clients of a replay get. Thread-safe.</summary>
internal sealed class ReplayCounts
{
    private readonly Lock _gate = new();
    private readonly List<string> _failures = [];

    public int Requests { get; private set; }

    public long Bytes { get; private set; }

    public long Wrong { get; private set; }

    /// <summary>Reads that received nothing for half a minute.</summary>
    public int Hung { get; private set; }

    /// <summary>Requests that the recorded server answered completely and the replayed one did not.</summary>
    public int Failed { get; private set; }

    /// <summary>Messages of the first few failures.</summary>
    public IReadOnlyList<string> Failures
    {
        get
        {
            lock (_gate)
                return [.. _failures];
        }
    }

    public void Add(ReplayCheck check)
    {
        lock (_gate)
            (Requests, Bytes, Wrong) = (Requests + 1, Bytes + check.Compared, Wrong + check.Wrong);
    }

    public void AddFailure(string what, bool hung)
    {
        lock (_gate)
        {
            (Hung, Failed) = hung ? (Hung + 1, Failed) : (Hung, Failed + 1);
            if (_failures.Count < 10)
                _failures.Add(what);
        }
    }
}
