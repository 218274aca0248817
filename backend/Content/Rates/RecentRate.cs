namespace NzbDav.Content.Rates;

/// <summary>
/// The rate of a counter over its last samples. Sampled by one thread at a time; <see cref="Value"/> may be read from any thread. No
/// allocation after the constructor.
/// </summary>
/// <param name="window">Number of samples that count.</param>
public sealed class RecentRate(int window = RecentRate.Window)
{
    /// <summary>
    /// Usual number of samples that count. At one per second that is four seconds: an article of 1 MB on a slow line does not look like a
    /// pause, yet the end of a transfer shows soon.
    /// </summary>
    public const int Window = 4;

    private readonly (TimeSpan At, long Total)[] _seen = new (TimeSpan, long)[window + 1];
    private int _samples;
    private double _value;

    /// <summary>Rate per second; 0 before the second sample.</summary>
    public double Value => Volatile.Read(ref _value);

    /// <summary>Adds a sample of the counter.</summary>
    /// <param name="now">Reading of a clock that never goes back.</param>
    /// <param name="total">The counter; never less than before.</param>
    public void Look(TimeSpan now, long total)
    {
        _seen[_samples % _seen.Length] = (now, total);
        _samples++;
        Volatile.Write(ref _value, Until(now, total));
    }

    /// <summary>The rate since the oldest sample that counts, without adding one. Call on the thread that samples.</summary>
    /// <param name="now">As for <see cref="Look"/>.</param>
    /// <param name="total">The counter now.</param>
    public double Until(TimeSpan now, long total)
    {
        var (since, before) = _seen[_samples < _seen.Length ? 0 : _samples % _seen.Length];
        var seconds = (now - since).TotalSeconds;
        return seconds > 0 ? (total - before) / seconds : 0;
    }
}

/// <summary>
/// The highest of recent values; a peak is forgotten after one to two spans. Counts values, so it needs no clock. Not thread-safe. A
/// mutable struct: store it in a field, do not copy it.
/// </summary>
/// <param name="span">Number of values; at least 1.</param>
public struct RecentPeak(int span)
{
    private long _before;
    private long _current;
    private int _count;

    /// <summary>The highest value of at least the last span; 0 without values.</summary>
    public readonly long Value => Math.Max(_before, _current);

    /// <summary>Adds a value.</summary>
    /// <param name="value">Not negative.</param>
    public void Add(long value)
    {
        _current = Math.Max(_current, value);
        if (++_count < span)
            return;
        (_before, _current, _count) = (_current, value, 0);
    }
}
