namespace NzbDav.Fakes;

/// <summary>
/// A clock whose timestamp stands at 0 and throws what nobody expects as often as told. Date and timers are the system's. Thread-safe.
/// </summary>
public sealed class FailingTime : TimeProvider
{
    private int _failures;
    private int _calls;

    /// <summary>How many of the next readings throw.</summary>
    public int Failures
    {
        get => Volatile.Read(ref _failures);
        set => Volatile.Write(ref _failures, value);
    }

    /// <summary>Readings so far.</summary>
    public int Calls => Volatile.Read(ref _calls);

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        Interlocked.Increment(ref _calls);
        if (Failures == 0)
            return 0;
        Interlocked.Decrement(ref _failures);
        throw new InvalidOperationException("A bug.");
    }
}
