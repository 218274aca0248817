namespace NzbDav.Content;

/// <summary>The highest of recent values; a peak is forgotten after one to two spans. Counts values, so it needs no clock. Not thread-safe; a mutable struct: a field, never a copy.</summary>
/// <param name="span">Number of values; at least 1.</param>
public struct RecentPeak(int span)
{
    private long _before;
    private long _current;
    private int _count;

    /// <summary>The highest value of at least the last span; 0 when there was none.</summary>
    public readonly long Value => Math.Max(_before, _current);

    /// <summary>Takes a value into account.</summary>
    /// <param name="value">Not negative.</param>
    public void Add(long value)
    {
        _current = Math.Max(_current, value);
        if (++_count < span)
            return;
        (_before, _current, _count) = (_current, value, 0);
    }
}
